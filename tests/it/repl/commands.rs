//! The commands.

use super::terminal::{Setup, start};

#[test]
fn help_lists_commands_and_explains_names() {
    let mut terminal = start();
    let help = terminal.ask(":help");
    for command in
        [":type EXPR", ":load FILE", ":profile [on|off|FN]", ":paths CODE", ":forest [--k K] CODE", ":tiers", ":quit"]
    {
        assert!(help.contains(command), "{help}");
    }
    terminal.ask("/// Twice as much.\nfn twice(n: int) -> int { return 2 * n }");
    let about = "fn twice(n: int) -> int\n    Twice as much.\n    defined at <input 1>:2";
    assert_eq!(terminal.ask(":help twice"), about);
    assert_eq!(terminal.ask(":h sqrt"), "sqrt(x: float) -> float\n    the square root");
    let about = ":type EXPR\n    the type of an expression, without running it\n    for example: :type [1, 2].map(fn(n) => n * n)";
    assert_eq!(terminal.ask(":h :t"), about);
    let forest = terminal.ask(":help forest");
    assert!(
        forest.starts_with(":forest [--k K] CODE\n    run code and show the sequences of up to K paths"),
        "{forest}"
    );
    assert_eq!(terminal.ask(":help sqtr"), "nothing is called 'sqtr'; did you mean 'sqrt'?");
}

#[test]
fn unknown_commands_are_understood() {
    let mut terminal = start();
    assert_eq!(terminal.ask(":lod x.hw"), "there is no command ':lod'; did you mean ':load'?");
    assert_eq!(terminal.ask("help"), "':help' says what there is");
    assert_eq!(terminal.ask("quit"), "':quit' or Ctrl-D leaves; 'exit(n)' does with a status");
    terminal.ask("let q = 1");
    assert_eq!(terminal.ask("q"), "1 : int");
    assert_eq!(terminal.ask("quit()"), "':quit' or Ctrl-D leaves; 'exit(n)' does with a status");
    terminal.ask("fn quit() -> int { return 2 }");
    assert_eq!(terminal.ask("quit()"), "2 : int");
    assert_eq!(terminal.ask("  :type q"), "int");
    assert_eq!(terminal.ask(":load profil"), "cannot read profil: there is no such file");
    assert_eq!(terminal.ask(":ir print"), "'print' is built in, and no function of the program");
    assert_eq!(terminal.ask(":"), "a command follows the colon; ':help' lists them");
}

#[test]
fn types_are_told_without_running() {
    let mut terminal = start();
    assert_eq!(terminal.ask(":t [1.5]"), "[float]");
    assert_eq!(terminal.ask(":type exit(1)"), "that has no value, and so no type");
    assert!(terminal.ask(":type 1 +\ntrue").starts_with("error: "));
}

#[test]
fn files_are_loaded_and_loaded_again() {
    let setup = Setup::new().args(&["--color", "never"]).file("unit.hw", "const UNIT = 10\nprint(\"unit\")");
    let text =
        "import \"unit.hw\"\nfn scaled(n: int) -> int { return n * UNIT }\nprint(scaled(2))\nfn main() { print(1) }";
    let mut terminal = setup.file("scale.hw", text).start();
    let answer = "unit\n20\nfn scaled(n: int) -> int\nfn main()\nconst UNIT: int = 10";
    assert_eq!(terminal.ask(":load scale.hw"), answer);
    assert_eq!(terminal.ask("scaled(3)"), "30 : int");
    std::fs::write(terminal.folder().join("scale.hw"), "fn scaled(n: int) -> int { return -n * UNIT }").unwrap();
    assert_eq!(terminal.ask(":load scale"), "fn scaled(n: int) -> int (replaced)");
    assert_eq!(terminal.ask("scaled(3)"), "-30 : int");
    assert_eq!(terminal.ask(":load nowhere.hw"), "cannot read nowhere.hw: there is no such file");
    std::fs::write(terminal.folder().join("bad.hw"), "let x = \n\n)").unwrap();
    assert!(terminal.ask(":load bad.hw").contains("--> bad.hw:"));
}

#[test]
fn reset_forgets_everything() {
    let mut terminal = start();
    terminal.ask("let x = 1");
    assert_eq!(terminal.ask(":reset"), "everything is forgotten");
    assert!(terminal.ask("x").starts_with("error: "));
    // Ctrl-C finds the new program.
    terminal.wait_for_prompt();
    terminal.press("print(\"going\"); loop { }\r");
    terminal.see_row("going");
    terminal.press(super::terminal::CTRL_C);
    terminal.see_row("error: interrupted");
}

#[test]
fn functions_are_shown_at_every_stage() {
    let mut terminal = start();
    assert_eq!(terminal.ask(":ir"), "no input was compiled yet");
    terminal.ask("fn twice(n: int) -> int { return 2 * n }");
    let ir = terminal.ask(":ir twice");
    assert!(ir.contains("\"twice\"") && ir.contains("imul"), "{ir}");
    assert_eq!(terminal.ask(":ir"), ir);
    assert!(terminal.ask(":clif twice").contains("imul"));
    assert!(terminal.ask(":asm twice").starts_with("; twice, baseline\n"));
    assert!(terminal.ask(":asm twice optimized").starts_with("; twice, optimized\n"));
    assert_eq!(terminal.ask(":asm twise"), "there is no function 'twise'; did you mean 'twice'?");
    terminal.ask("let x = 1");
    assert_eq!(terminal.ask(":ir x"), "'x' is no function but 'let x: int'");

    let mut terminal = Setup::new().args(&["--color", "never", "--tier", "interp"]).start();
    terminal.ask("fn twice(n: int) -> int { return 2 * n }");
    assert!(terminal.ask(":asm twice").starts_with("the interpreter runs this session"));
}

#[test]
fn time_is_told_after_the_answer() {
    let mut terminal = start();
    let answer = terminal.ask(":time 1 + 2");
    assert!(answer.starts_with("3 : int\ntime: ") && answer.ends_with("compiling 1 function"), "{answer}");
    let answer = terminal.ask(":time for i in 0..100 {\nlet a = [0; 100_000]\n}");
    assert!(answer.starts_with("time: ") && answer.contains(" collection"), "{answer}");
    assert!(!terminal.ask(":time nonsense").contains("time: "));
}

#[test]
fn profiles_count_edges() {
    for tier in ["auto", "interp"] {
        let mut terminal = Setup::new().args(&["--color", "never", "--tier", tier]).start();
        if tier == "interp" {
            assert!(terminal.ask(":profile").starts_with("nothing is counted yet"));
        }
        terminal.ask("fn spin(n: int) { for i in 0..n { } }");
        assert_eq!(terminal.ask(":profile on"), "the hottest edges are shown after each input");
        for count in ["1,234", "567"] {
            let answer = terminal.ask(&format!("spin({})", count.replace(',', "")));
            assert!(answer.contains(count) && answer.contains("  spin"), "{tier}: {answer}");
            assert!(!answer.contains("1,801"), "{tier}: {answer}");
        }
        assert_eq!(terminal.ask(":profile off"), "profiles are shown when asked for");
        assert_eq!(terminal.ask("spin(1)"), "");
        let answer = terminal.ask(":profile spin");
        assert!(answer.starts_with("spin was called 3 times\n") && answer.contains("1,802"), "{tier}: {answer}");
        assert!(terminal.ask(":profile").contains("1,802"), "{tier}");
    }
    let mut terminal = Setup::new().args(&["--color", "never", "--tier", "optimized"]).start();
    assert!(terminal.ask(":profile").starts_with("optimized code does not count edges"));
    terminal.ask("fn spin(n: int) { for i in 0..n { } }");
    terminal.ask(":profile on");
    assert!(terminal.ask("spin(1234)").contains("1,234"));
    assert!(terminal.ask(":profile spin").starts_with("spin was called once\n"));
}

//! Commands about definitions: `:vars`, `:source`, `:edit`, `:save`; and answers that go through a pipe.

use super::terminal::{Setup, Terminal, start};
use crate::command::{holloway, run};

const GCD: &str =
    "/// Euclid's algorithm.\nfn gcd(a: int, b: int) -> int {\nreturn if b == 0 { a } else { gcd(b, a % b) }\n}";

/// A session whose editor is a command.
fn with_editor(editor: &str) -> Terminal {
    Setup::new().args(&["--color", "never"]).env("EDITOR", editor).start()
}

#[test]
fn vars_lists_types_bytes_and_tiers() {
    let mut terminal = start();
    assert_eq!(terminal.ask(":vars"), "nothing is defined yet");
    terminal.ask(GCD);
    for input in ["struct P { x: int }", "const N = 3", "let a = [0; 1000]", "var n = 1", "let p = P(x: 1)"] {
        terminal.ask(input);
    }
    let table = terminal.ask(":vars");
    let row = |table: &str, head: &str| {
        let row = table.lines().find(|row| row.starts_with(head)).unwrap_or_else(|| panic!("{head}: {table}"));
        row[head.len()..].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row(&table, "definition"), "bytes code");
    assert_eq!(row(&table, "fn gcd(a: int, b: int) -> int"), "not called yet");
    assert_eq!([row(&table, "struct P { x: int }"), row(&table, "const N: int = 3")], ["", ""]);
    assert_eq!(row(&table, "var n: int"), "8");
    let bytes: usize = row(&table, "let a: [int]").replace(',', "").parse().expect("a number");
    assert!((8_000..12_000).contains(&bytes), "{table}");
    // Answers are no definitions.
    assert_eq!(terminal.ask("gcd(48, 36)"), "12 : int");
    terminal.ask("struct P { x: int, y: int }");
    let table = terminal.ask(":vars");
    assert!(row(&table, "fn gcd(a: int, b: int) -> int").ends_with(" baseline"), "{table}");
    assert!(!row(&table, "let p: P of <input 2>").is_empty() && !table.contains("ans"), "{table}");

    let mut terminal = Setup::new().args(&["--color", "never", "--tier", "interp"]).start();
    terminal.ask(GCD);
    assert!(terminal.ask(":vars").ends_with("interpreter"));
}

#[test]
fn source_shows_definitions_as_they_were_written() {
    let setup = Setup::new().args(&["--color", "never"]);
    let mut terminal = setup.file("unit.hw", "// not of it\n\n/// The unit.\nconst UNIT = 10\n").start();
    terminal.ask(GCD);
    let gcd = "/// Euclid's algorithm.\nfn gcd(a: int, b: int) -> int {\n    return if b == 0 { a } else { gcd(b, a % b) }\n}";
    assert_eq!(terminal.ask(":source gcd"), gcd);
    assert_eq!(terminal.ask(":s gcd | head -1"), "/// Euclid's algorithm.");
    terminal.ask(":load unit.hw");
    assert_eq!(terminal.ask(":source UNIT"), "/// The unit.\nconst UNIT = 10");
    terminal.ask("let x = 1; let y = 2");
    assert_eq!(terminal.ask(":source y"), "let y = 2");
    let filter = terminal.ask(":source filter");
    assert!(filter.starts_with("// prelude/sequence.hw\n") && filter.contains("fn seq_filter["), "{filter}");
    let refusal = "'sqrt' is built in, and not written in Holloway; ':help sqrt' explains it";
    assert_eq!(terminal.ask(":source sqrt"), refusal);
    // It is shown, and not edited.
    let refusal = "'filter' is built in and cannot be changed; ':source filter' shows its text";
    assert_eq!(terminal.ask(":edit filter"), refusal);
    assert_eq!(terminal.ask(":source gcdd"), "nothing is called 'gcdd'; did you mean 'gcd'?");
    assert_eq!(terminal.ask(":source"), "':source' wants to know what: ':source NAME'");
}

#[test]
fn definitions_of_an_import_with_a_name_are_shown() {
    let text = "/// Of a square.\nfn area(n: int) -> int { return n * n }\n";
    let mut terminal = Setup::new().args(&["--color", "never"]).file("geo.hw", text).start();
    terminal.ask("import \"geo.hw\" as geo");
    assert_eq!(terminal.ask(":source geo.area"), text.trim_end());
    let about = "fn area(n: int) -> int\n    Of a square.\n    defined at geo.hw:2";
    assert_eq!(terminal.ask(":help geo.area"), about);
    assert!(terminal.ask(":ir geo.area").contains("imul"));
    assert_eq!(terminal.ask(":source geo.aria"), "nothing is called 'geo.aria'; did you mean 'geo.area'?");
}

#[test]
fn edit_runs_what_the_editor_saves() {
    let mut terminal = with_editor("sed -i s/1/22/");
    assert_eq!(terminal.ask(":edit"), "there is no input yet; ':edit NAME' edits a definition");
    terminal.ask("fn one() -> int { return 1 }");
    assert_eq!(terminal.ask(":edit one"), "fn one() -> int (replaced)");
    assert_eq!(terminal.ask("one()"), "22 : int");
    assert_eq!(terminal.ask("[1, 3]"), "[1, 3] : [int]");
    assert_eq!(terminal.ask(":edit"), "[22, 3] : [int]");
    // What was edited is in the history.
    terminal.press(super::terminal::UP);
    terminal.see_line("> [22, 3]");
    terminal.press(super::terminal::CTRL_C);
    assert_eq!(terminal.ask(":edit nothing"), "nothing is called 'nothing'");
}

#[test]
fn an_editor_that_fails_runs_nothing() {
    let mut terminal = with_editor("false");
    terminal.ask("let x = 1");
    assert_eq!(terminal.ask(":edit x"), "the editor 'false' failed, so nothing was run");
    let mut terminal = with_editor("true");
    terminal.ask("let x = 1");
    assert_eq!(terminal.ask(":edit x"), "nothing was changed, so nothing was run");
    let mut terminal = with_editor("no-such-editor");
    terminal.ask("let x = 1");
    assert!(terminal.ask(":edit x").ends_with("there is no editor 'no-such-editor'; set VISUAL or EDITOR to one"));
}

#[test]
fn a_saved_session_runs() {
    let mut terminal = Setup::new().args(&["--color", "never"]).file("unit.hw", "const UNIT = 10").start();
    for input in [
        "import \"unit.hw\"",
        "fn area(n: int) -> int { return n }",
        "struct P { x: int }",
        "let p = P(x: 3)",
        GCD,
        "fn area(n: int) -> int { return n * UNIT }",
        "gcd(48, 36)",
        "let wrong = ans / 0",
        "area(ans) + _",
        "struct P { x: int, y: int }",
        "print(\"done\")",
    ] {
        terminal.ask(input);
    }
    let answer = "saved 3 definitions and 3 statements in session.hw; 1 left out, as comments that say why";
    assert_eq!(terminal.ask(":save session"), answer);
    let text = std::fs::read_to_string(terminal.folder().join("session.hw")).unwrap();
    assert!(text.starts_with("import \"unit.hw\"\n") && text.contains("/// Euclid's algorithm.\nfn gcd("), "{text}");
    assert!(text.contains("// left out: ") && text.contains("\n// let p = P(x: 3)\n"), "{text}");
    let done = run(holloway(terminal.folder(), ["session.hw"]));
    assert_eq!((done.status, done.out.as_str()), (0, "12\n132\ndone\n"), "{text}{}", done.err);
    let done = run(holloway(terminal.folder(), ["fmt", "--check", "session.hw"]));
    assert_eq!(done.status, 0, "{}", done.err);
    // The session's own file is written again, others are not.
    assert_eq!(terminal.ask(":save session"), answer);
    assert_eq!(terminal.ask(":save unit.hw"), "unit.hw is there already; ':save --force unit.hw' writes over it");
    assert_eq!(terminal.ask(":save ."), "cannot write .: it is a folder");
    assert!(terminal.ask(":save no/where.hw").starts_with("cannot write no/where.hw: "));
    terminal.ask(":reset");
    assert_eq!(terminal.ask(":save --force unit.hw"), "saved 0 definitions and 0 statements in unit.hw");
}

#[test]
fn a_saved_session_may_import_what_is_wrong_by_now() {
    let mut terminal = Setup::new().args(&["--color", "never"]).file("unit.hw", "let unit = 10\n").start();
    assert_eq!(terminal.ask(":save here"), "saved 0 definitions and 0 statements in here.hw");
    for input in ["import \"unit.hw\"", "import \"here.hw\"", "1", "let one = f\"{ans:>3}\"", "one"] {
        terminal.ask(input);
    }
    std::fs::write(terminal.folder().join("unit.hw"), "let unit: str = 10\n").unwrap();
    let answer = "saved 0 definitions and 3 statements in here.hw; 2 left out, as comments that say why";
    assert_eq!(terminal.ask(":save here"), answer);
    let text = std::fs::read_to_string(terminal.folder().join("here.hw")).unwrap();
    assert!(text.contains("// left out: unit.hw: expected `str`, found `int`\n// import \"unit.hw\""), "{text}");
    let done = run(holloway(terminal.folder(), ["here.hw"]));
    assert_eq!((done.status, done.out.as_str()), (0, "1\n  1\n"), "{text}{}", done.err);
}

#[test]
fn answers_go_through_a_pipe() {
    let mut terminal = start();
    terminal.ask("let b = 1; let a = 2");
    assert_eq!(terminal.ask(":vars | grep -c let"), "2");
    assert_eq!(terminal.ask(":help sqrt | tr a-z A-Z"), "SQRT(X: FLOAT) -> FLOAT\n    THE SQUARE ROOT");
    assert_eq!(terminal.ask(":vars |"), "a command of the shell follows '|', as in ':vars | less'");
    // In code it is an operator.
    assert_eq!(terminal.ask(":type a | b"), "int");
    assert_eq!(terminal.ask("a | b"), "3 : int");
}

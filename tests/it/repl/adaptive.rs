//! Decisions of the adaptive system, and profiles of single inputs.

use super::terminal::{CTRL_C, Setup, Terminal};

/// A session in which two runs decide alike.
fn start(options: &[&str]) -> Terminal {
    let mut args = vec!["--color", "never"];
    args.extend(options);
    let mut terminal = Setup::new().args(&args).start();
    terminal.ask("fn collatz(n: int) -> int {\nvar x = n\nvar steps = 0\nwhile x != 1 {\nif x % 2 == 0 { x = x / 2 } else { x = 3 * x + 1 }\nsteps += 1\n}\nreturn steps\n}");
    terminal.ask("fn longest(n: int) -> int {\nvar best = 0\nfor i in 1..n {\nlet s = collatz(i)\nif s > best { best = s }\n}\nreturn best\n}");
    terminal
}

#[test]
fn tiers_are_listed_for_what_ran() {
    let mut terminal = start(&["--sync-compile"]);
    assert_eq!(terminal.ask(":tiers"), "no function ran yet");
    terminal.ask("longest(10)");
    let cold = terminal.ask(":tiers");
    assert_eq!(cold.lines().count(), 3, "{cold}");
    assert!(cold.lines().skip(1).all(|row| row.contains("baseline") && row.ends_with("in use")), "{cold}");
    terminal.ask("longest(30_000)");
    let hot = terminal.ask(":tiers");
    assert!(hot.contains("optimized") && hot.contains("in code that was sampled: baseline "), "{hot}");
    let optimized = hot.lines().find(|row| row.contains("optimized")).expect("there is such a row");
    assert!(optimized.contains(" ms ") && optimized.contains('%'), "{hot}");
    // A new body has a new history.
    terminal.ask("fn collatz(n: int) -> int { return n }");
    terminal.ask("longest(10)");
    let anew = terminal.ask(":tiers");
    assert!(anew.contains("defined anew"), "{anew}");
    assert_eq!(terminal.ask(":tiers now"), "':tiers' takes nothing after it");
}

#[test]
fn decisions_are_told_so_far() {
    let mut terminal = start(&["--sync-compile"]);
    assert!(terminal.ask(":decisions").starts_with("nothing was decided yet"));
    assert!(terminal.ask(":decisions longest").starts_with("nothing was decided about it yet"));
    terminal.ask("longest(30_000)");
    let all = terminal.ask(":decisions");
    assert!(all.contains("collatz (<input 1>:1)") && all.contains("compiled optimized code in"), "{all}");
    assert!(all.contains("loop at line    4 |     while x != 1 {"), "{all}");
    let one = terminal.ask(":decisions collatz");
    assert!(one.starts_with("collatz (<input 1>:1)\n") && one.contains("> optimize "), "{one}");
    assert!(!one.contains("longest"), "{one}");
    assert_eq!(terminal.ask(":decisions colatz"), "there is no function 'colatz'; did you mean 'collatz'?");
    terminal.ask(":reset");
    assert!(terminal.ask(":decisions").starts_with("nothing was decided yet"));
}

#[test]
fn without_decisions_the_reason_is_told() {
    let mut terminal = start(&["--tier", "baseline"]);
    terminal.ask("longest(10)");
    let reason = "nothing is decided: --tier baseline runs everything in one tier";
    assert_eq!(terminal.ask(":decisions"), reason);
    let tiers = terminal.ask(":tiers");
    assert!(tiers.contains("collatz") && tiers.ends_with(reason), "{tiers}");
    let mut terminal = start(&["--tier", "interp"]);
    assert!(terminal.ask(":tiers").starts_with("the interpreter runs this session"));
    let mut terminal = start(&["--fuel", "1000"]);
    assert_eq!(terminal.ask(":decisions"), "nothing is decided: code that counts fuel is not compiled again");
}

#[test]
fn paths_are_those_of_one_input() {
    let seen = ["auto", "interp", "optimized"].map(|tier| {
        let mut terminal = start(&["--tier", tier]);
        terminal.ask("longest(50)");
        let answers = [
            ":paths longest(30)",
            ":paths --top 2 longest(30)",
            ":forest --k 3 --top 4 longest(30)",
            ":persistence --k 4 longest(30)",
            ":profile --scheme bala --top 1 longest(30)",
            ":profile --scheme edge longest(30)",
        ];
        answers.map(|input| terminal.ask(input)).join("\n\n")
    });
    for other in &seen[1..] {
        assert_eq!(other, &seen[0]);
    }
    insta::assert_snapshot!(seen[0]);
}

#[test]
fn what_is_counted_is_evaluated_like_any_input() {
    let mut terminal = start(&[]);
    let answer = terminal.ask(":paths let best = longest(10)");
    assert!(answer.starts_with("let best: int\n     count   share  path"), "{answer}");
    assert_eq!(terminal.ask("best"), "19 : int");
    // Open brackets continue the input, as in any other.
    let answer = terminal.ask(":forest --k 2 longest(\n10\n)");
    assert!(answer.starts_with("19 : int\ncollatz\n"), "{answer}");
    let answer = terminal.ask(":paths longest(1 / 0)");
    assert!(answer.starts_with("error: division by zero\n --> <input ") && answer.contains("cut short"), "{answer}");
    assert!(terminal.ask(":paths nonsense").starts_with("error: unknown name `nonsense`"));
    assert_eq!(terminal.ask(":paths"), "':paths' wants code to run, as in ':paths f(10)'");
    assert_eq!(terminal.ask(":forest --k 0 1"), "':forest --k' takes a whole number from 1 to 4294967295");
    assert_eq!(terminal.ask(":persistence --kk 3 1"), "':persistence' has no option '--kk'; did you mean '--k'?");
    assert_eq!(
        terminal.ask(":profile longest(3)"),
        "':profile' takes a function's name; ':paths longest(3)' runs code"
    );
    terminal.wait_for_prompt();
    terminal.press(":paths print(\"going\"); loop { }\r");
    terminal.see_row("going");
    terminal.press(CTRL_C);
    terminal.see_row("error: interrupted");
    assert_eq!(terminal.ask("longest(10)"), "19 : int");
}

#[test]
fn a_new_body_counts_where_the_old_one_was_inlined() {
    for options in [&["--sync-compile"][..], &["--tier", "optimized"], &["--tier", "baseline"]] {
        let mut args = vec!["--color", "never"];
        args.extend(options);
        let mut terminal = Setup::new().args(&args).start();
        terminal.ask("fn one(n: int) -> int { return 1 }");
        terminal.ask("fn inner(n: int) -> int {\nvar s = 0\nfor i in 0..n { s += one(i) }\nreturn s\n}");
        terminal.ask("fn outer(n: int) -> int {\nvar s = 0\nfor i in 0..n { s += inner(10) }\nreturn s\n}");
        assert_eq!(terminal.ask("outer(30_000)"), "300000 : int", "{options:?}");
        terminal.ask("fn one(n: int) -> int { return 2 }");
        assert_eq!(terminal.ask("outer(1000)"), "20000 : int", "{options:?}");
        assert_eq!(terminal.ask("inner(10)"), "20 : int", "{options:?}");
        assert_eq!(terminal.ask("outer(30_000)"), "600000 : int", "{options:?}");
    }
}

//! Expressions, statements, definitions, and their errors.

use super::terminal::{Setup, start};

#[test]
fn expressions_show_their_value_and_type() {
    let mut terminal = start();
    terminal.see("Holloway");
    for (input, answer) in [
        ("1 + 2", "3 : int"),
        ("7.0 / 2.0", "3.5 : float"),
        ("\"a\\n\" + \"b\"", "\"a\\nb\" : str"),
        ("[1, 2, 3]", "[1, 2, 3] : [int]"),
        ("1 < 2", "true : bool"),
        ("print(1, 2)", "1 2"),
        ("let x = 20", "let x: int"),
        ("x * 2 + 2", "42 : int"),
        ("var words = [\"a\"]; words[0] += \"b\"; words", "[\"ab\"] : [str]\nvar words: [str]"),
        ("struct P { x: int }", "struct P { x: int }"),
        ("P(x: 3)", "P(x: 3) : P"),
        ("const N = 2 * 3", "const N: int = 6"),
        ("", ""),
    ] {
        assert_eq!(terminal.ask(input), answer, "{input}");
    }
}

#[test]
fn output_without_an_end_of_line_is_kept() {
    let mut terminal = start();
    assert_eq!(terminal.ask("write(\"abc\")"), "abc");
    assert_eq!(terminal.ask("1"), "1 : int");
}

#[test]
fn definitions_are_replaced_and_running_code_picks_them_up() {
    for tier in ["auto", "interp", "optimized"] {
        let mut terminal = Setup::new().args(&["--color", "never", "--tier", tier]).start();
        assert_eq!(terminal.ask("fn price() -> int { return 1 }"), "fn price() -> int");
        assert_eq!(terminal.ask("fn total(n: int) -> int { return n * price() }"), "fn total(n: int) -> int");
        assert_eq!(terminal.ask("let f = price"), "let f: fn() -> int");
        assert_eq!(terminal.ask("[f(), total(10)]"), "[1, 10] : [int]");
        assert_eq!(terminal.ask("fn price() -> int { return 2 }"), "fn price() -> int (replaced)");
        assert_eq!(terminal.ask("[f(), total(10)]"), "[2, 20] : [int]", "{tier}");
        // With another signature, callers are compiled anew; a function value stays the same.
        assert_eq!(terminal.ask("fn total(n: int) -> str { return str(n) }"), "fn total(n: int) -> str (replaced)");
        assert_eq!(terminal.ask("total(10)"), "\"10\" : str");
    }
}

#[test]
fn mistakes_are_shown_under_the_input_and_change_nothing() {
    let mut terminal = start();
    terminal.ask("let x = 1");
    let answer = terminal.ask("let x = 1 + true");
    assert!(answer.starts_with("error: `+` does not apply to `int` and `bool`\n --> <input 2>:1:11\n"), "{answer}");
    assert!(answer.contains("let x = 1 + true") && answer.contains('^'), "{answer}");
    let answer = terminal.ask("fn f() -> int {\nreturn y\n}");
    assert!(answer.contains("--> <input 3>:2:12"), "margins do not count: {answer}");
    assert!(terminal.ask(")").starts_with("error: "));
    assert!(terminal.ask("\"open").starts_with("error: "));
    assert_eq!(terminal.ask("x"), "1 : int");
}

#[test]
fn failures_tell_where_and_what_was_before_them_stays() {
    let mut terminal = start();
    terminal.ask("fn share(n: int) -> int { return 12 / n }");
    let answer = terminal.ask("let a = share(3); let b = share(0); let c = 1");
    assert!(answer.starts_with("error: division by zero\n --> <input 1>:1:34"), "{answer}");
    assert!(
        answer.contains("call stack:\n  share                 <input 1>:1\n  top-level statements  <input 2>:1"),
        "{answer}"
    );
    assert!(answer.ends_with("\nlet a: int"), "{answer}");
    assert_eq!(terminal.ask("a"), "4 : int");
    assert!(terminal.ask("b").contains("error: "));
    assert!(terminal.ask("fail \"enough\"").starts_with("error: enough\n"));
}

#[test]
fn a_program_reads_lines_from_the_same_terminal() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("write(\"who? \"); let who = input()!\r");
    terminal.see_line("who?");
    terminal.press("Ada\r");
    terminal.see_row("let who: str");
    assert_eq!(terminal.ask("len(who)"), "3 : int");
}

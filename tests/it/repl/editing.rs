//! Typing: several lines, history, completion, colours, pasting.

use vt100::Color;

use super::terminal::{ALT_ENTER, BACKSPACE, CTRL_A, CTRL_C, CTRL_D, LEFT, RIGHT, Setup, TAB, Terminal, UP, start};

/// The text on the lines from `row` to the cursor.
fn input(terminal: &Terminal, row: u16) -> Vec<String> {
    terminal.lines()[usize::from(row)..=usize::from(terminal.row())].to_vec()
}

#[test]
fn an_input_goes_on_until_its_brackets_are_closed() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    let row = terminal.row();
    terminal.press("fn gcd(a: int, b: int) -> int {\r");
    terminal.see_line(".");
    terminal.press("if b == 0 {\rreturn a\r}\rreturn gcd(b, a % b)\r}");
    terminal.see_line(". }");
    let lines = [
        "> fn gcd(a: int, b: int) -> int {",
        ".     if b == 0 {",
        ".         return a",
        ".     }",
        ".     return gcd(b, a % b)",
        ". }",
    ];
    assert_eq!(input(&terminal, row), lines);
    terminal.press("\r");
    assert_eq!(terminal.answer(usize::from(row) + 6), "fn gcd(a: int, b: int) -> int");
    assert_eq!(terminal.ask("gcd(48, 36)"), "12 : int");
    // An input from the history can be changed everywhere.
    terminal.press(UP);
    terminal.see_line("> gcd(48, 36)");
    terminal.press(UP);
    terminal.see_line(". }");
    let row = terminal.row() - 5;
    assert_eq!(input(&terminal, row), lines);
    terminal.press("\r");
    assert_eq!(terminal.answer(usize::from(row) + 6), "fn gcd(a: int, b: int) -> int (replaced)");
}

#[test]
fn lines_can_be_started_and_taken_back() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("1 + 2");
    terminal.press(ALT_ENTER);
    terminal.see_line(".");
    terminal.press(TAB);
    terminal.press("+ 3");
    terminal.see_line(".     + 3");
    terminal.press(&BACKSPACE.repeat(5));
    terminal.see_line("");
    terminal.press(BACKSPACE);
    terminal.see_line("> 1 + 2");
    assert_eq!(terminal.row(), 1);
    terminal.press(&format!("{LEFT}0{CTRL_A}1"));
    terminal.see_line("> 11 + 02");
    terminal.press("\r");
    assert_eq!(terminal.answer(2), "13 : int");
}

#[test]
fn pasted_lines_are_one_input() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("\x1b[200~fn even(n: int) -> bool {\n    return n == 0 || odd(n - 1)\n}\n");
    terminal.press("fn odd(n: int) -> bool {\n    return n != 0 && even(n - 1)\n}\x1b[201~\r");
    terminal.see("fn even(n: int) -> bool\nfn odd(n: int) -> bool\n>");
    assert_eq!(terminal.ask("even(10)"), "true : bool");
    // If the terminal does not announce that it is pasting, each line is typed.
    terminal.press("let a = [\r    1,\r    2,\r]\rlet b = a[1]\rb\r");
    terminal.see_row("let a: [int]");
    terminal.see_row("2 : int");
}

#[test]
fn the_history_outlives_the_session() {
    let mut terminal = start();
    assert_eq!(terminal.ask("let first = 1"), "let first: int");
    assert_eq!(terminal.ask("[\nfirst,\n]"), "[1] : [int]");
    terminal.press(UP);
    terminal.see_line(". ]");
    terminal.press(CTRL_C);
    terminal.wait_for_prompt();
    terminal.press(CTRL_D);
    assert_eq!(terminal.status(), 0);

    let mut later = Setup::at_home(terminal.home()).args(&["--color", "never"]).start();
    later.wait_for_prompt();
    let row = later.row();
    later.press(UP);
    later.see_line(". ]");
    assert_eq!(input(&later, row), ["> [", ".     first,", ". ]"]);
    later.press(&UP.repeat(3));
    later.see_line("> let first = 1");
    later.press("1\r");
    assert_eq!(later.answer(usize::from(row) + 1), "let first: int");
    assert_eq!(later.ask("first"), "11 : int");
}

#[test]
fn a_history_that_cannot_be_kept_is_no_error() {
    let setup = Setup::new().args(&["--color", "never"]).file("state", "a file where a folder should be");
    let mut terminal = setup.start();
    assert_eq!(terminal.ask("1"), "1 : int");
    terminal.press(UP);
    terminal.see_line("> 1");
}

#[test]
fn tab_completes() {
    let setup =
        Setup::new().args(&["--color", "never"]).file("squares.hw", "fn square(n: int) -> int { return n * n }");
    let mut terminal = setup.file("notes.txt", "").start();
    let mut complete = |typed: &str, completed: &str| {
        terminal.wait_for_prompt();
        terminal.press(typed);
        terminal.press(TAB);
        terminal.see_line(completed);
        terminal.press("\r");
    };
    complete(":lo", "> :load");
    complete(":load sq", "> :load squares.hw");
    complete("squ", "> square");
    complete("struct Point { across: int\rdown: int }\rpopc", "> popcount");
    complete("let here = Point(across: 1, down: 2)\rhere.ac", "> here.across");
    complete("print(\"squ", "> print(\"squ");
    complete("enum Side { Left, Right }\rlet side = Side.L", "> let side = Side.Left");
    complete("here.acr", "> here.across");
    complete("Point(ac", "> Point(across:");
    terminal.press(CTRL_C);
    // The candidates are listed.
    terminal.wait_for_prompt();
    terminal.press(":t");
    terminal.press(TAB);
    terminal.see(":tiers  :time   :type");
}

#[test]
fn the_history_hints_at_the_rest() {
    let mut terminal = Setup::new().start();
    assert_eq!(terminal.ask("let first = 1 + 2"), "let first: int");
    terminal.wait_for_prompt();
    // The hint is there from the first letter on.
    terminal.press("let f");
    terminal.see_cursor(7);
    terminal.see_line("> let first = 1 + 2");
    let (row, column) = (terminal.row(), 7);
    assert!(terminal.cell(row, column).dim() && !terminal.cell(row, column - 1).dim());
    // The hint is no part of the input until it is taken.
    terminal.press("n\r");
    terminal.see("error: ");
    terminal.wait_for_prompt();
    terminal.press("let fi");
    terminal.see_cursor(8);
    terminal.press(RIGHT);
    terminal.see_cursor(19);
    terminal.press("0\r");
    terminal.see_row("let first: int");
    assert_eq!(terminal.ask("first"), "21 : int");
}

#[test]
fn what_is_typed_has_colours() {
    let mut terminal = Setup::new().start();
    terminal.wait_for_prompt();
    let row = terminal.row();
    assert!(terminal.cell(row, 0).bold());
    terminal.press("let s = (\"a\", 12) // b");
    terminal.see_line("> let s = (\"a\", 12) // b");
    let colors = [2, 6, 11, 16, 20].map(|column| terminal.cell(row, column).fgcolor());
    assert_eq!(colors, [Color::Idx(5), Color::Default, Color::Idx(2), Color::Idx(6), Color::Default]);
    assert!(terminal.cell(row, 20).dim());
    assert!(!terminal.cell(row, 10).underline());
    terminal.press(&LEFT.repeat(5));
    // The cursor is behind the bracket now; the other one is found.
    terminal.press(" ");
    terminal.press(BACKSPACE);
    terminal.press(LEFT);
    terminal.press("3");
    terminal.see_line("> let s = (\"a\", 123) // b");
    assert!(terminal.cell(row, 10).underline() && terminal.cell(row, 19).underline());
    terminal.press(CTRL_C);
    let value = terminal.ask("40 + 2");
    assert_eq!(value, "42 : int");
    let row = terminal.row() - 1;
    assert!(!terminal.cell(row, 0).dim() && terminal.cell(row, 3).dim());
}

#[test]
fn colours_can_be_refused() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    let row = terminal.row();
    terminal.press("let x = (1)");
    terminal.see_line("> let x = (1)");
    for column in 0..13 {
        let cell = terminal.cell(row, column);
        let plain = cell.fgcolor() == Color::Default && !cell.bold() && !cell.dim() && !cell.underline();
        assert!(plain, "column {column}");
    }
}

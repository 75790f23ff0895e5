//! Terminals that can only print, and output that goes elsewhere.

use super::terminal::{CTRL_C, CTRL_D, Setup};

#[test]
fn a_dumb_terminal_is_enough() {
    let mut terminal = Setup::new().env("TERM", "dumb").start();
    assert_eq!(terminal.ask("1 + 2"), "3 : int");
    terminal.wait_for_prompt();
    let row = terminal.row();
    terminal.press("fn twice(n: int) -> int {\n");
    terminal.see_line(".");
    terminal.press("return 2 * n\n");
    terminal.see_row(". return 2 * n");
    terminal.see_line(".");
    terminal.press("}\n");
    assert_eq!(terminal.answer(usize::from(row) + 3), "fn twice(n: int) -> int");
    assert_eq!(terminal.lines()[usize::from(row) + 1], ". return 2 * n");
    assert!(terminal.ask("twice(true)").starts_with("error: "));
    terminal.press("[\n");
    terminal.see_line(".");
    terminal.press(CTRL_C);
    assert_eq!(terminal.ask("twice(2)"), "4 : int");
    terminal.press(CTRL_D);
    assert_eq!(terminal.status(), 0);
}

#[test]
fn answers_go_to_the_file_and_prompts_do_not() {
    let mut terminal = Setup::new().stdout("out.txt").start();
    terminal.see("Holloway");
    assert_eq!(terminal.ask("1 + 2"), "");
    assert_eq!(terminal.ask("print(\"a\")"), "");
    assert!(terminal.ask("1 + true").starts_with("error: ") || terminal.row() > 2);
    terminal.press(CTRL_D);
    assert_eq!(terminal.status(), 0);
    let out = std::fs::read_to_string(terminal.folder().join("out.txt")).unwrap();
    assert_eq!(out, "3 : int\na\n");
}

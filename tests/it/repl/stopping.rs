//! Ctrl-C, Ctrl-D, limits, and ways to leave.

use super::terminal::{CTRL_C, CTRL_D, Setup, start};

#[test]
fn ctrl_c_stops_the_program_and_not_the_session() {
    for tier in ["auto", "interp", "optimized"] {
        let mut terminal = Setup::new().args(&["--color", "never", "--tier", tier]).start();
        terminal.ask("var n = 0");
        terminal.ask("fn forever() { loop { n += 1; if n == 1000 { print(\"going\") } } }");
        terminal.press("forever()\r");
        terminal.see_row("going");
        terminal.press(CTRL_C);
        terminal.see_row("error: interrupted");
        terminal.see("call stack:\n  forever ");
        assert_eq!(terminal.ask("n > 0"), "true : bool", "{tier}");
    }
}

#[test]
fn ctrl_c_ends_a_wait_for_input() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("write(\"who? \"); input()!\r");
    terminal.see_line("who?");
    terminal.press(CTRL_C);
    terminal.see_row("error: interrupted");
    assert_eq!(terminal.ask("1"), "1 : int");
}

#[test]
fn ctrl_c_drops_what_is_typed() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("1 + (2");
    terminal.see_line("> 1 + (2");
    terminal.press(CTRL_C);
    terminal.wait_for_prompt();
    terminal.press("fn f() {\r");
    terminal.see_line(".");
    terminal.press(CTRL_C);
    assert_eq!(terminal.ask("3"), "3 : int");
}

#[test]
fn ctrl_c_belongs_to_the_program_that_has_the_terminal() {
    let pager = "trap '' INT; echo ready; head -1 < /dev/tty";
    for command in [format!(":vars | {pager}"), ":edit".to_owned()] {
        let mut terminal = Setup::new().args(&["--color", "never"]).env("EDITOR", &format!("{pager}; true")).start();
        terminal.ask("let x = 1");
        terminal.press(&format!("{command}\r"));
        terminal.see_row("ready");
        for press in 1..=4 {
            terminal.press(CTRL_C);
            terminal.see(&"^C".repeat(press));
        }
        terminal.press("done\r");
        assert_eq!(terminal.ask("1 + 2"), "3 : int", "{command}");
        assert!(!terminal.lines().iter().any(|line| line.contains("cannot be stopped")), "{command}");
    }
}

#[test]
fn ctrl_d_leaves() {
    let mut terminal = start();
    terminal.ask("fn main() -> int { return 5 }");
    terminal.press(CTRL_D);
    assert_eq!(terminal.status(), 0);
}

#[test]
fn exit_leaves_with_its_status() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press("fn leave() { exit(256 + 7) }\r");
    terminal.wait_for_prompt();
    terminal.press("print(\"bye\"); leave(); print(\"never\")\r");
    assert_eq!(terminal.status(), 7);
    assert!(terminal.lines().contains(&"bye".to_owned()) && !terminal.lines().contains(&"never".to_owned()));
}

#[test]
fn quit_leaves() {
    let mut terminal = start();
    terminal.wait_for_prompt();
    terminal.press(":q\r");
    assert_eq!(terminal.status(), 0);
}

#[test]
fn limits_are_for_one_input() {
    let mut terminal = Setup::new().args(&["--color", "never", "--fuel", "1000", "--time-limit", "100"]).start();
    for _ in 0..3 {
        assert_eq!(terminal.ask("for i in 0..900 { }"), "");
    }
    assert!(terminal.ask("loop { }").starts_with("error: "));
    assert_eq!(terminal.ask("for i in 0..900 { }"), "");

    let mut terminal = Setup::new().args(&["--color", "never", "--time-limit", "0.05"]).start();
    assert!(terminal.ask("loop { }").starts_with("error: "));
    assert_eq!(terminal.ask("1"), "1 : int");
}

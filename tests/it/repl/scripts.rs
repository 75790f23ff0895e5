//! Inputs that nobody types: a start-up file, `-i FILE`, files and pipes.

use super::terminal::{CTRL_D, Setup};
use crate::command::{holloway, run, run_with_input};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use tempfile::TempDir;

const STARTUP: &str = "config/holloway/startup.hw";

#[test]
fn the_start_up_file_runs_first() {
    let text = "fn twice(n: int) -> int { return 2 * n }\nprint(\"hello\")\nlet base = 5";
    let mut terminal = Setup::new().args(&["--color", "never"]).file(STARTUP, text).start();
    assert_eq!(terminal.ask("twice(base)"), "10 : int");
    assert_eq!(terminal.lines()[1], "hello", "{:?}", &terminal.lines()[..4]);
    assert!(terminal.lines()[2].starts_with("> twice"), "{:?}", &terminal.lines()[..4]);

    let setup = Setup::at_home(terminal.home()).args(&["--color", "never", "--no-startup"]);
    assert!(setup.start().ask("base").starts_with("error: unknown name"));
}

#[test]
fn a_start_up_file_with_errors_ends_nothing() {
    for text in ["let x = ", "fail \"no\"", "print(missing)"] {
        let mut terminal = Setup::new().args(&["--color", "never"]).file(STARTUP, text).start();
        terminal.see("error: ");
        assert_eq!(terminal.ask("1 + 2"), "3 : int", "{text}");
    }
}

#[test]
fn a_file_runs_and_its_definitions_stay() {
    let text =
        "var seen = 0\nfn note() { seen += 1 }\nnote()\nfn main(args: [str]) { note(); print(args[0], seen); exit(3) }";
    let mut terminal = Setup::new().args(&["--color", "never", "-i", "note.hw", "word"]).file("note.hw", text).start();
    terminal.see("word 2\nthe program ended with status 3\n>");
    terminal.ask("note()");
    assert_eq!(terminal.ask("seen"), "3 : int");
    terminal.press(CTRL_D);
    assert_eq!(terminal.status(), 0);

    // What does not compile, or fails, can be looked at.
    let setup = Setup::new().args(&["--color", "never", "-i", "bad.hw"]).file("bad.hw", "let x = 1\nlet y = x / 0");
    let mut terminal = setup.start();
    terminal.see("error: division by zero");
    assert_eq!(terminal.ask("x"), "1 : int");
    let done = run(holloway(terminal.folder(), ["-i", "none.hw"]));
    assert_eq!((done.status, done.complaint()), (66, "holloway: cannot read none.hw: there is no such file"));
}

#[test]
fn a_text_with_commands_is_a_dialogue() {
    let folder = TempDir::new().unwrap();
    let answer = |args: &[&str], text: &str| {
        let done = run_with_input(holloway(folder.path(), args), text.as_bytes());
        (done.status, done.out, done.err)
    };
    let text = "fn f(n: int) -> int {\n    return n + 1\n}\n:type f(1)\nf(ans_of_input())\nfn ans_of_input() -> int { return 4 }\n";
    let (status, out, err) = answer(&[], text);
    assert_eq!((status, out.as_str()), (1, "fn f(n: int) -> int\nint\nfn ans_of_input() -> int\n"));
    assert!(err.starts_with("error: unknown name `ans_of_input`"), "{err}");
    let (status, out, err) = answer(&[], "let line = input()!\ngiven\nline\n:vars | grep -c line\n");
    assert_eq!((status, out.as_str(), err.as_str()), (0, "let line: str\n\"given\" : str\n1\n", ""));
    // What is about one program's run does not go with it.
    let (status, _, err) = answer(&["--trace-paths"], ":vars\n");
    assert_eq!((status, err.lines().count()), (64, 1), "{err}");
    assert!(err.starts_with("holloway: --trace-paths is about a program"), "{err}");
    // Without commands it is a program, as ever, unless the dialogue is asked for.
    assert_eq!(answer(&[], "print(1)\nlet x = 2\n").1, "1\n");
    assert_eq!(answer(&["-i"], "1 + 2\nans * 2\nprint(ans)"), (0, "3 : int\n6 : int\n6\n".to_owned(), String::new()));
    assert_eq!(answer(&["-i"], "exit(4)\nprint(1)").0, 4);
    assert_eq!(answer(&["-i"], ":quit\nprint(1)"), (0, String::new(), String::new()));
    let (status, _, err) = answer(&["-i", "-"], "");
    assert_eq!(status, 64);
    assert!(err.contains("-i reads inputs from standard input: name a file instead of -"), "{err}");
}

#[test]
fn a_program_that_fails_fails_the_inputs_behind_it() {
    let folder = TempDir::new().unwrap();
    for (text, status) in [("let x = 1 / 0", 1), ("print(missing)", 1), ("let x = 1", 0), ("exit(5)", 5)] {
        std::fs::write(folder.path().join("first.hw"), text).unwrap();
        let done = run_with_input(holloway(folder.path(), ["-i", "first.hw"]), b"1 + 2\n");
        assert_eq!(done.status, status, "{text}: {}", done.err);
    }
}

#[test]
fn inputs_that_came_at_once_are_answered_while_the_stream_is_open() {
    let folder = TempDir::new().unwrap();
    let mut command = holloway(folder.path(), ["-i"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 + 2\nlet line = input()!\nthree\nline\n").unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let answers: Vec<String> = answers.by_ref().take(3).map(Result::unwrap).collect();
    assert_eq!(answers, ["3 : int", "let line: str", "\"three\" : str"]);
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

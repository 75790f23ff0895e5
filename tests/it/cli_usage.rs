//! The command from outside: help, refusals, exit statuses, and the pages made from the definition of the command line.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn holloway() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holloway"));
    // The width of help and the colours of messages are those without a terminal.
    command.stdin(Stdio::null()).env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn run(args: &[&str]) -> Output {
    holloway().args(args).output().expect("the binary starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("standard output is UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("standard error is UTF-8")
}

/// The standard output of a command that succeeds and prints no error.
fn shown(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{args:?}");
    stdout(&output).to_owned()
}

/// The one line on standard error of a command that ends with `status`.
fn refused(args: &[&str], status: i32) -> String {
    let output = run(args);
    assert_eq!((output.status.code(), stdout(&output)), (Some(status), ""), "{args:?}");
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
    said.trim_end().to_owned()
}

const COMMANDS: [&str; 12] = [
    "run",
    "check",
    "fmt",
    "dump",
    "profile",
    "trace",
    "explain",
    "bench",
    "calibrate",
    "reproduce",
    "completions",
    "man",
];

#[test]
fn help() {
    insta::assert_snapshot!("help", shown(&["--help"]));
    insta::assert_snapshot!("help_short", shown(&["-h"]));
    for command in COMMANDS {
        let help = shown(&[command, "--help"]);
        assert!(help.contains("\nExamples:\n"), "{command} has no examples");
        assert_eq!(help, shown(&["help", command]), "{command}");
        insta::assert_snapshot!(format!("help_{command}"), help);
    }
    assert_eq!(shown(&["help"]), shown(&["--help"]));
}

#[test]
fn help_names_every_command() {
    let help = shown(&["--help"]);
    for command in COMMANDS {
        assert!(help.lines().any(|line| line.trim_start().split(' ').next() == Some(command)), "{command}");
    }
}

#[test]
fn version() {
    let host = holloway_jit::arch::host();
    assert_eq!(shown(&["--version"]), format!("holloway {} ({host})\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_command_line_is_64() {
    assert_eq!(
        refused(&["run", "--teir", "interp", "a.hw"], 64),
        "holloway: unexpected argument '--teir' found; a similar argument exists: '--tier' (see 'holloway run --help')"
    );
    assert!(refused(&["--nonsense"], 64).ends_with("(see 'holloway --help')"));
    for args in [&["run"][..], &["check"], &["fmt"], &["dump"], &["profile", "a.hw"], &["completions"], &["man", "x"]] {
        refused(args, 64);
    }
}

#[test]
fn what_cannot_be_read_is_66() {
    for args in [
        &["no-such.hw"][..],
        &["run", "no-such.hw"],
        &["check", "no-such.hw"],
        &["fmt", "no-such.hw"],
        &["dump", "--stage", "ir", "no-such.hw"],
        &["profile", "--scheme", "edge", "no-such.hw"],
    ] {
        assert_eq!(refused(args, 66), "holloway: cannot read no-such.hw: there is no such file", "{args:?}");
    }
    assert!(refused(&["bench", "--unseen", "no-such"], 66).starts_with("holloway: cannot read no-such: "));
    let folder = env!("CARGO_MANIFEST_DIR");
    assert!(
        refused(&["bench", "--unseen", folder], 66).contains("put NAME.hw and the same program in C, NAME.c, there")
    );
    assert_eq!(refused(&[folder], 66), format!("holloway: cannot read {folder}: it is a folder"));
    assert!(refused(&["chekc"], 66).contains("did you mean the command 'check'?"));
    assert!(refused(&["--tier", "interp", "run", "a.hw"], 66).contains("write 'holloway run' first"));
}

#[test]
fn names_of_files_do_not_reach_the_terminal_raw() {
    let said = refused(&["\x1b[31mred\n.hw"], 66);
    assert!(said.contains("\\u{1b}[31mred .hw"), "{said:?}");
}

#[test]
fn benchmark_names_are_checked_before_anything_runs() {
    assert_eq!(
        refused(&["bench", "fib", "seive"], 64),
        "holloway: there is no benchmark program 'seive'; did you mean 'sieve'? (see 'holloway bench --help')"
    );
    assert!(refused(&["bench", "x"], 64).contains("there are: adpcm, adventure, base64, "));
    refused(&["bench", "--rounds", "0"], 64);
    refused(&["bench", "--startup", "fib"], 64);
    refused(&["bench", "--startup", "--peers"], 64);
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = shown(&["completions", shell]);
        for word in ["profile", "sync-compile", "message-format", "heap-limit"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_manual_page_is_one_page() {
    insta::assert_snapshot!("man", shown(&["man"]).replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = holloway().arg("man").stdout(Stdio::piped()).spawn().expect("the binary starts");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").code() == Some(0));
}

#[test]
fn standard_input_is_read_where_it_is_named() {
    let mut child = holloway()
        .args(["check", "-", "no-such.hw"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("piped").write_all(b"print(1)\n").expect("it reads");
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(66));
}

#[test]
fn the_json_of_a_profile_holds_as_many_edges_as_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("a.hw");
    let text = "fn f(n: int) -> int { if n > 2 { return 1 } return 0 }\nvar sum = 0\nfor i in 0..9 { sum += f(i) }\n";
    std::fs::write(&program, text).expect("the program is written");
    let program = program.to_str().expect("its path is text");
    let edges = |options: &[&str]| -> Vec<u64> {
        let shown = shown(&[&["profile", program, "--scheme", "edge", "--json"], options].concat());
        let profile: serde_json::Value = serde_json::from_str(&shown).expect("JSON alone on standard output");
        let functions = profile["functions"].as_array().expect("functions are there");
        assert_eq!(functions.len(), 2, "{shown}");
        let edges = functions.iter().flat_map(|function| function["edges"].as_array().expect("edges are there"));
        let mut counts: Vec<u64> = edges.map(|edge| edge[2].as_u64().expect("a count")).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    };
    let all = edges(&[]);
    assert!(all.len() > 5 && all[0] == 9, "{all:?}");
    assert_eq!(edges(&["--top", "0"]), all);
    assert_eq!(edges(&["--top", "2"]), all[..2]);
    assert_eq!(edges(&["--top", "1000"]), all.iter().copied().filter(|count| *count > 0).collect::<Vec<_>>());
}

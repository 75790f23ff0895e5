//! Every wrong option of every command: one line that names it and the remedy, status 64, nothing done.

use super::command::{holloway, run};
use std::path::Path;

/// A command line and its refusal.
type Wrong = (&'static [&'static str], &'static str);

/// Checks that the command is refused in one line that names the command whose help tells more.
fn refused(args: &[&str], said: &str, help: &str) {
    let done = run(holloway(Path::new(env!("CARGO_MANIFEST_DIR")), args));
    assert_eq!((done.status, done.out.as_str()), (64, ""), "{args:?}: {}", done.err);
    assert_eq!(done.err.lines().count(), 1, "{args:?}: {}", done.err);
    let expected = format!("(see 'holloway {help}')\n");
    assert!(done.err.starts_with("holloway: ") && done.err.ends_with(&expected), "{args:?}: {}", done.err);
    assert!(done.err.contains(said), "{args:?} should say {said:?}: {}", done.err);
}

fn all_refused(command: &str, wrong: &[Wrong]) {
    for (args, said) in wrong {
        let args: Vec<&str> = [command].into_iter().chain(args.iter().copied()).collect();
        refused(&args, said, &format!("{command} --help"));
    }
}

/// Wrong options of every command that runs a program.
const EXECUTION: &[Wrong] = &[
    (&["--tier", "fast"], "'--tier <TIER>'"),
    (&["--tier", "fast"], "auto, interp, baseline, optimized"),
    (&["--tier", "Interp"], "a similar value exists: 'interp'"),
    (&["--tier"], "a value is required for '--tier <TIER>'"),
    (&["--tier", "interp", "--tier", "interp"], "'--tier <TIER>' cannot be used multiple times"),
    (&["--teir", "interp"], "a similar argument exists: '--tier'"),
    (&["--sync-compile=yes"], "unexpected value 'yes' for '--sync-compile'"),
    (&["--heap-limit", "lots"], "'--heap-limit <BYTES>': write a number of bytes such as 4096, 512K, 64M or 2G"),
    (&["--heap-limit", "1.5G"], "write a number of bytes"),
    (&["--heap-limit", "-1"], "write a number of bytes"),
    (&["--heap-limit", "0"], "the limit must be greater than 0"),
    (&["--heap-limit", "99999999999G"], "the number does not fit in 64 bits"),
    (&["--heap-limit"], "a value is required for '--heap-limit <BYTES>'"),
    (&["--time-limit", "soon"], "'--time-limit <SECONDS>': write a number of seconds such as 10 or 0.5"),
    (&["--time-limit", "0"], "the limit must be greater than 0"),
    (&["--time-limit", "-1"], "the limit must be greater than 0"),
    (&["--time-limit", "nan"], "the limit must be greater than 0"),
    (&["--time-limit", "1e-12"], "the limit must be at least a nanosecond"),
    (&["--time-limit", "1e30"], "leave the option out for no limit"),
    (&["--time-limit"], "a value is required for '--time-limit <SECONDS>'"),
    (&["--fuel", "much"], "'--fuel <N>': write a whole number such as 1000000"),
    (&["--fuel", "-1"], "write a whole number"),
    (&["--fuel", "1.5"], "write a whole number"),
    (&["--fuel", "18446744073709551616"], "write a whole number"),
    (&["--fuel"], "a value is required for '--fuel <N>'"),
];

/// Wrong options of every command that prints messages.
const MESSAGES: &[Wrong] = &[
    (&["--message-format", "yaml"], "'--message-format <FORMAT>'"),
    (&["--message-format", "yaml"], "short, human, json"),
    (&["--message-format"], "a value is required for '--message-format <FORMAT>'"),
    (&["--color", "sometimes"], "auto, always, never"),
    (&["--color"], "a value is required for '--color <WHEN>'"),
    (&["--nonsense"], "unexpected argument '--nonsense'"),
    (&["--check=1", "--nonsense"], "unexpected"),
    (&["-x"], "unexpected argument '-x'"),
];

#[test]
fn of_run() {
    all_refused("run", EXECUTION);
    all_refused("run", MESSAGES);
    all_refused(
        "run",
        &[
            (&[], "missing: FILE; write - to run standard input"),
            (&["--tier", "interp"], "missing: FILE"),
            (&["-e"], "a value is required for '--eval <CODE>'"),
            (&["-e", "1", "-e", "2"], "cannot be used multiple times"),
            (&["--perf-map=1", "a.hw"], "unexpected value '1' for '--perf-map'"),
            (&["--jitdump=1", "a.hw"], "unexpected value '1' for '--jitdump'"),
            (&["--scheme", "edge", "a.hw"], "unexpected argument '--scheme'"),
        ],
    );
}

#[test]
fn without_a_command() {
    for (args, said) in EXECUTION.iter().chain(MESSAGES) {
        refused(args, said, "--help");
    }
    refused(&["-e"], "a value is required for '--eval <CODE>'", "--help");
    refused(&["help", "nonsense"], "unrecognized subcommand 'nonsense'", "--help");
}

#[test]
fn of_check() {
    all_refused("check", MESSAGES);
    all_refused(
        "check",
        &[(&[], "missing: <FILE>..."), (&["--tier", "interp", "a.hw"], "unexpected argument '--tier'")],
    );
}

#[test]
fn of_fmt() {
    all_refused("fmt", &MESSAGES[..6]);
    all_refused(
        "fmt",
        &[
            (&[], "missing: <FILE>..."),
            (&["-", "a.hw"], "- stands alone: standard input has no file to rewrite"),
            (&["a.hw", "-"], "- stands alone"),
            (&["--check=1", "a.hw"], "unexpected value '1' for '--check'"),
            (&["--stage", "ast", "a.hw"], "unexpected argument '--stage'"),
        ],
    );
}

#[test]
fn of_dump() {
    all_refused("dump", MESSAGES);
    all_refused(
        "dump",
        &[
            (&["--stage", "ast"], "missing: <FILE>"),
            (&["a.hw"], "missing: --stage <STAGE>"),
            (&["--stage", "wasm", "a.hw"], "tokens, ast, ir, cfg, clif, asm"),
            (&["--stage"], "a value is required for '--stage <STAGE>'"),
            (&["--stage", "ir", "a.hw", "b.hw"], "unexpected argument 'b.hw'"),
            (&["--stage", "asm", "--tier", "interp", "a.hw"], "baseline, optimized"),
            (&["--stage", "asm", "--tier", "auto", "a.hw"], "baseline, optimized"),
            (&["--stage", "ir", "--tier", "baseline", "a.hw"], "--tier goes with --stage clif or --stage asm"),
            (&["--stage", "tokens", "--fn", "f", "a.hw"], "--fn does not go with --stage tokens"),
            (&["--stage", "ir", "--fn"], "a value is required for '--fn <NAME>'"),
            (&["--stage", "ir", "--fuel", "1", "a.hw"], "unexpected argument '--fuel'"),
        ],
    );
    // Only the program tells if there is such a function.
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.hw"), "fn divisor() {}\n").expect("the program is written");
    for stage in ["ir", "cfg", "clif", "asm"] {
        let done = run(holloway(folder.path(), ["dump", "--stage", stage, "--fn", "divisr", "a.hw"]));
        let said = "holloway: the program has no function 'divisr'; did you mean 'divisor'?\n";
        assert_eq!((done.status, done.err.as_str()), (64, said), "{stage}");
    }
}

#[test]
fn of_profile() {
    all_refused("profile", EXECUTION);
    all_refused("profile", MESSAGES);
    all_refused(
        "profile",
        &[
            (&["--scheme", "edge"], "missing: <FILE>"),
            (&["a.hw"], "missing: --scheme <SCHEME>"),
            (&["--scheme", "edge", "--size", "small", "a.hw"], "--size goes with --bench"),
            (&["--scheme", "nonsense", "a.hw"], "possible values: edge"),
            (&["--scheme"], "a value is required for '--scheme <SCHEME>'"),
            (&["--scheme", "edge", "--k", "2", "a.hw"], "--scheme edge counts single edges; leave --k out"),
            (&["--scheme", "edge", "--k", "0", "a.hw"], "'--k <K>'"),
            (&["--scheme", "edge", "--k", "-1", "a.hw"], "'--k <K>'"),
            (&["--scheme", "edge", "--k", "many", "a.hw"], "'--k <K>'"),
            (&["--scheme", "k-bl", "--sample", "a.hw"], "nothing behind --sample at the end"),
            (&["--scheme", "edge", "--top", "-1", "a.hw"], "'--top <N>'"),
            (&["--scheme", "edge", "--top", "few", "a.hw"], "'--top <N>'"),
            (&["--scheme", "edge", "a.hw", "--top"], "a value is required for '--top <N>'"),
            (&["--scheme", "edge", "a.hw", "-o"], "a value is required for '--output <OUT>'"),
            (&["--scheme", "edge", "a.hw", "--json=1"], "unexpected value '1' for '--json'"),
            (&["--scheme", "edge", "a.hw", "-e", "1"], "unexpected argument '-e'"),
        ],
    );
}

#[test]
fn of_bench() {
    all_refused("bench", &EXECUTION[..6]);
    all_refused(
        "bench",
        &[
            (&["nonsense"], "there is no benchmark program 'nonsense'"),
            (&["fib", "seive"], "did you mean 'sieve'?"),
            (&["--size", "huge"], "small, mid, default"),
            (&["--size"], "a value is required for '--size <SIZE>'"),
            (&["--rounds", "0"], "'--rounds <N>'"),
            (&["--rounds", "-1"], "'--rounds <N>'"),
            (&["--rounds", "some"], "'--rounds <N>'"),
            (&["--rounds"], "a value is required for '--rounds <N>'"),
            (&["fib", "--timings"], "--timings goes with --compile"),
            (&["--startup", "fib"], "cannot be used with"),
            (&["--startup", "--peers"], "cannot be used with"),
            (&["--startup", "--compile"], "cannot be used with"),
            (&["--startup", "--size", "small"], "cannot be used with"),
            (&["--compile", "fib"], "cannot be used with"),
            (&["--compile", "--peers"], "cannot be used with"),
            (&["--compile", "--size", "small"], "cannot be used with"),
            (&["--unseen"], "a value is required for '--unseen <DIR>'"),
            (&["--unseen", "dir", "--tier", "interp"], "cannot be used with"),
            (&["--unseen", "dir", "--ablation"], "cannot be used with"),
            (&["--unseen", "dir", "--without", "osr"], "cannot be used with"),
            (&["--unseen", "dir", "--why", "fib"], "cannot be used with"),
            (&["--unseen", "dir", "--disable-pass", "unroll"], "cannot be used with"),
            (&["--unseen", "dir", "--k", "2"], "--k goes with --scheme"),
            (&["--unseen", "dir", "--sizes", "many"], "write a size such as 300, or one of a program such as crc=300"),
            (&["--unseen", "dir", "--sizes", "=3"], "a program's name stands before the ="),
            (&["--unseen", "dir", "--sizes", "crc=-3"], "write a size such as 300"),
            (&["--sizes", "3"], "missing: --unseen <DIR>"),
            (&["--json=1"], "unexpected value '1' for '--json'"),
            (&["--heap-limit", "1M"], "unexpected argument '--heap-limit'"),
        ],
    );
}

#[test]
fn of_completions_and_man() {
    all_refused(
        "completions",
        &[
            (&[], "missing: <SHELL>"),
            (&["tcsh"], "bash, elvish, fish, powershell, zsh"),
            (&["bash", "zsh"], "unexpected argument 'zsh'"),
            (&["--nonsense"], "unexpected argument '--nonsense'"),
        ],
    );
    all_refused("man", &[(&["page"], "unexpected argument 'page'"), (&["--json"], "unexpected argument '--json'")]);
}

#[test]
fn arguments_that_are_no_text_are_no_panic() {
    use std::os::unix::ffi::OsStrExt;
    let bad = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (args, status) in [(vec!["run"], 66), (vec![], 66), (vec!["check"], 66), (vec!["--tier"], 64), (vec!["-e"], 64)]
    {
        let mut command = holloway(folder, &args);
        command.arg(bad);
        let done = run(command);
        assert_eq!((done.status, done.out.as_str()), (status, ""), "{args:?}: {}", done.err);
        assert_eq!(done.err.lines().count(), 1, "{args:?}: {}", done.err);
    }
}

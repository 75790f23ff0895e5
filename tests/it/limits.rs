//! Programs that exceed their limits, and output without a reader: an end, soon, with the right status.
//!
//! In: the binary. Invariant, which [`command`] checks: nothing panics, dies of a signal or hangs.

use super::command::{Done, finish, holloway, run};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const TIERS: [&str; 3] = ["interp", "baseline", "optimized"];

fn command(tier: &str, options: &[&str], code: &str) -> Command {
    let args = ["--tier", tier, "--message-format", "short"];
    holloway(Path::new("/"), args.iter().chain(options).chain(&["-e", code]))
}

/// Checks that the program fails with status 1 and this message at this place in every tier, after this output.
fn fails(options: &[&str], code: &str, output: &str, said: &str) {
    for tier in TIERS {
        let done = run(command(tier, options, code));
        assert_eq!((done.status, done.out.as_str()), (1, output), "{code} in {tier}: {}", done.err);
        assert_eq!(done.complaint(), format!("<code>:{said}"), "{code} in {tier}");
        assert!(done.err.lines().count() < 100, "{code} in {tier} says too much");
    }
}

#[test]
fn the_heap() {
    let doubling = "var s = \"0123456789\"\nloop { s += s }";
    fails(&["--heap-limit", "1M"], doubling, "", "2:8: error: out of memory");
    fails(&[], "print(1)\nlet a = [0; 1 << 60]", "1\n", "2:9: error: out of memory");
    fails(&["--heap-limit", "64K"], "let a = [0; 100_000]", "", "1:9: error: out of memory");
    let list = "struct N { n: N? }\nvar l: N? = none\nloop { l = N(n: l) }";
    fails(&["--heap-limit", "1M"], list, "", "3:12: error: out of memory");
    for tier in TIERS {
        let caught = command(tier, &["--heap-limit", "1M"], "try { let a = [0; 1_000_000] } catch e { print(e) }");
        assert_eq!(run(caught).out, "out of memory\n", "{tier}");
        // A program that needs no heap runs with none.
        let done = run(command(tier, &["--heap-limit", "1"], "print(1)"));
        assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "1\n", ""), "{tier}");
    }
}

#[test]
fn a_heap_without_a_limit_to_speak_of() {
    for limit in ["16384G", "9223372036854775807", "18446744073709551615"] {
        for tier in TIERS {
            let done = run(command(tier, &["--heap-limit", limit], "let a = [0; 1000]\nprint(len(a))"));
            assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "1000\n", ""), "{limit} in {tier}");
        }
    }
}

/// A program with a function of so many parameters.
fn with_params(count: usize) -> String {
    let list = |each: fn(usize) -> String| (0..count).map(each).collect::<Vec<_>>().join(", ");
    let (params, types) = (list(|n| format!("a{n}: int")), list(|_| "int".to_owned()));
    let args = list(|n| n.to_string());
    let last = count - 1;
    format!(
        "fn f({params}) -> int {{ return a0 - a{last} }}\nfn g(h: fn({types}) -> int) -> int {{ return h({args}) }}\nprint(f({args}), g(f))"
    )
}

#[test]
fn parameters() {
    for tier in ["interp", "baseline", "optimized", "auto"] {
        let done = run(command(tier, &[], &with_params(255)));
        assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "-254 -254\n", ""), "{tier}");
        for count in [256, 3000] {
            let done = run(command(tier, &[], &with_params(count)));
            assert_eq!((done.status, done.out.as_str()), (65, ""), "{count} in {tier}: {}", done.err);
            let said: Vec<&str> = done.err.lines().collect();
            assert_eq!(said.len(), 2, "{}", done.err);
            assert!(
                said.iter().all(|line| line.ends_with("error: a function has at most 255 parameters [E0342]")),
                "{}",
                done.err
            );
        }
    }
}

#[test]
fn fuel_and_time() {
    let endless = "print(1)\ntry { loop {} } catch e { print(\"never\") }";
    fails(&["--fuel", "1000"], endless, "1\n", "2:7: error: out of fuel");
    fails(&["--time-limit", "0.05"], endless, "1\n", "2:7: error: out of time");
    let calls = "fn f(n: int) -> int { try { return f(n + 1) } catch e { return 0 } }\nprint(1)\nloop { f(0) }";
    for (option, value, said) in [("--fuel", "500000", "out of fuel"), ("--time-limit", "0.2", "out of time")] {
        for tier in TIERS {
            let done = run(command(tier, &[option, value], calls));
            assert_eq!((done.status, done.out.as_str()), (1, "1\n"), "{tier}");
            assert!(done.complaint().ends_with(said), "{tier}: {}", done.complaint());
        }
    }
    fails(&["--fuel", "0"], "print(1)", "", "1:1: error: out of fuel");
    for tier in TIERS {
        let done = run(command(tier, &["--fuel", "1000", "--time-limit", "60"], "print(1)"));
        assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "1\n", ""), "{tier}");
    }
}

#[test]
fn the_stack() {
    fails(&[], "fn f(n: int) -> int { return f(n + 1) + 1 }\nprint(0)\nf(0)", "0\n", "1:30: error: stack overflow");
    // The place of the failure depends on inlining.
    for tier in TIERS {
        let done = run(command(tier, &[], "fn f() { g() }\nfn g() { f() }\nf()"));
        assert_eq!((done.status, done.out.as_str()), (1, ""), "{tier}: {}", done.err);
        assert!(done.complaint().ends_with(":10: error: stack overflow"), "{tier}: {}", done.err);
        assert!(done.err.lines().count() < 100, "{tier} says too much");
    }
}

#[test]
fn a_failure_is_told_with_its_place_and_its_calls() {
    let code = "fn inner(n: int) -> int {\n    return 10 / n\n}\nfn outer() -> int { return inner(0) }\nwrite(\"before\")\nouter()";
    let done = run(holloway(Path::new("/"), ["-e", code]));
    assert_eq!((done.status, done.out.as_str()), (1, "before"));
    insta::assert_snapshot!(done.err, @r"
    error: division by zero
     --> <code>:2:12
      |
    2 |     return 10 / n
      |            ^^^^^^
    call stack:
      inner                 <code>:2
      outer                 <code>:4
      top-level statements  <code>:6
    ");
}

/// Runs a program whose standard output is closed before it writes.
fn without_reader(mut command: Command) -> Done {
    let told = format!("{command:?}");
    let mut child = command.spawn().expect("the binary starts");
    drop(child.stdout.take());
    finish(&told, child)
}

#[test]
fn output_that_nobody_reads_ends_the_program_quietly() {
    for tier in TIERS {
        for code in [
            "loop { print(1) }",
            "fn f(n: int) { print(n); f(n) }\nloop { try { f(1) } catch e { print(e) } }",
            "var n = 0\nwhile true { try { print(n); n += 1 } catch e { exit(7) } }",
        ] {
            let done = without_reader(command(tier, &[], code));
            assert_eq!((done.status, done.err.as_str()), (0, ""), "{code} in {tier}");
        }
        // A program that ends before the error is noticed has its own status.
        let done = without_reader(command(tier, &[], "print(1)\nexit(3)"));
        assert_eq!((done.status, done.err.as_str()), (3, ""), "{tier}");
    }
}

#[test]
fn whoever_reads_the_first_line_only_is_no_failure() {
    for args in [&["-e", "loop { print(\"again\") }"][..], &["man"], &["--help"], &["completions", "bash"]] {
        let mut command = holloway(Path::new("/"), args);
        let mut child = command.spawn().expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it was asked for")).read_line(&mut line).expect("a line");
        assert!(!line.is_empty());
        let done = finish(&format!("{command:?}"), child);
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    for tier in TIERS {
        for code in ["print(1)", "loop { print(1) }"] {
            let mut command = command(tier, &[], code);
            command.stdout(File::options().write(true).open("/dev/full").expect("the system has one"));
            let done = run(command);
            assert_eq!(done.status, 1, "{code} in {tier}");
            let said = "holloway: cannot write to standard output: No space left on device";
            assert!(done.err.starts_with(said) && done.err.lines().count() == 1, "{code} in {tier}: {}", done.err);
        }
    }
}

#[test]
fn nobody_to_complain_to_changes_no_status() {
    for (args, status) in [
        (&["-e", "print(1 / (1 - 1))"][..], 1),
        (&["-e", "print(x)"], 65),
        (&["no-such.hw"], 66),
        (&["--nonsense"], 64),
    ] {
        let mut command = holloway(Path::new("/"), args);
        let told = format!("{command:?}");
        let mut child = command.spawn().expect("the binary starts");
        drop(child.stderr.take());
        assert_eq!(finish(&told, child).status, status, "{args:?}");
    }
}

#[test]
fn an_interrupt_is_130_and_is_not_caught() {
    for tier in TIERS {
        let code = "print(\"ready\")\ninput()\ntry { loop {} } catch e { print(\"caught\") }";
        let mut command = command(tier, &[], code);
        let mut child = command.spawn().expect("the binary starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was asked for"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).stdout(Stdio::null()).status();
        assert!(sent.expect("there is such a command").success());
        let done = finish(&format!("{command:?}"), child);
        assert_eq!(done.status, 130, "{tier}: {}", done.err);
        line.clear();
        assert_eq!(out.read_line(&mut line).expect("the end"), 0, "{tier}: {line}");
    }
}

//! Programs that use the world outside: files, standard input to its end, standard error, the environment.
//!
//! In: scripts. Out: what they printed and wrote, in every tier; with `--no-files`; profiled after a silent run; recorded and asked about.

use super::command::{holloway, run, run_with_input};
use std::fs;

const TIERS: [&str; 4] = ["interp", "baseline", "optimized", "auto"];

const COPY: &str = "
fn number(lines: list[str]) -> list[str] {
    return lines.enumerate().map(fn(l) => f\"{l.0 + 1:>3} {l.1}\")
}
let text = read_file(\"in.txt\")
eprint(\"read\", len(text), \"bytes\")
write_file(\"out.txt\", number(text.lines()).join(\"\\n\"))
append_file(\"out.txt\", \"\\n\" + read_all())
print(file_exists(\"out.txt\"), file_exists(\"no.txt\"), env(\"HOLLOWAY_NO_SUCH\"), time() > 1.0e9)
try { print(read_file(\"no.txt\")) } catch reason { print(reason) }
";

fn folder(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.txt"), "one\r\ntwo\n").expect("the folder is ours");
    fs::write(folder.path().join("program.hw"), program).expect("the folder is ours");
    folder
}

#[test]
fn files_are_read_and_written_in_every_tier() {
    for tier in TIERS {
        let folder = folder(COPY);
        let done = run_with_input(holloway(folder.path(), ["--tier", tier, "program.hw"]), b"the rest\n\xff");
        let expected = "true false none true\ncannot read no.txt: there is no such file\n";
        assert_eq!((done.status, &*done.out, &*done.err), (0, expected, "read 9 bytes\n"), "{tier}");
        let written = fs::read(folder.path().join("out.txt")).expect("it was written");
        assert_eq!(written, b"  1 one\n  2 two\nthe rest\n\xff", "{tier}");
    }
}

#[test]
fn files_can_be_refused() {
    let folder = folder(
        "print(env(\"PATH\") != none, read_all())\ntry { print(file_exists(\"in.txt\")) } catch e { print(e) }
write_file(\"out.txt\", \"\")",
    );
    for tier in TIERS {
        let done = run_with_input(holloway(folder.path(), ["--no-files", "--tier", tier, "program.hw"]), b"all");
        assert_eq!((done.status, &*done.out), (1, "true all\nfiles are not allowed\n"), "{tier}");
        assert!(done.err.starts_with("error: files are not allowed\n --> program.hw:3:1\n"), "{tier}: {}", done.err);
        assert!(!folder.path().join("out.txt").exists());
    }
}

/// Without an end, or too long for the heap.
#[test]
fn no_file_takes_more_memory_than_the_heap_may_have() {
    let folder = folder(
        "for path in [\"/dev/zero\", \"in.txt\"] {
    try { print(len(read_file(path))) } catch reason { print(reason) }
}",
    );
    let done = run(holloway(folder.path(), ["--heap-limit", "1M", "program.hw"]));
    assert_eq!((done.status, &*done.out), (0, "cannot read /dev/zero: it has more than 1048576 bytes\n9\n"));
    fs::write(folder.path().join("in.txt"), vec![b'x'; 2 << 20]).expect("the folder is ours");
    let done = run(holloway(folder.path(), ["--heap-limit", "1M", "program.hw"]));
    assert!(done.out.ends_with("cannot read in.txt: it has more than 1048576 bytes\n"), "{}", done.out);
}

#[test]
fn the_silent_run_before_a_profile_writes_nothing() {
    let folder = folder("fn main() {\n    for i in 0..3 { append_file(\"out.txt\", str(i)) }\n    eprint(\"done\")\n}");
    let options = ["profile", "program.hw", "--scheme", "bl", "--numbering", "smart", "--json"];
    let done = run(holloway(folder.path(), options));
    assert_eq!((done.status, &*done.err), (0, "done\n"), "{}", done.out);
    assert_eq!(fs::read_to_string(folder.path().join("out.txt")).expect("it was written"), "012");
}

#[test]
fn a_recorded_run_is_asked_about_without_its_files() {
    let folder = folder(
        "let text = read_file(\"in.txt\")\nappend_file(\"out.txt\", text)\neprint(read_all())\nlet n = len(text)\nprint(n)",
    );
    let recording = run_with_input(holloway(folder.path(), ["trace", "record", "program.hw", "-o", "a.twpp"]), b"x");
    assert_eq!((recording.status, &*recording.out, &*recording.err), (0, "9\n", "x\n"));
    fs::remove_file(folder.path().join("in.txt")).expect("it is there");
    let slice =
        run(holloway(folder.path(), ["trace", "slice", "a.twpp", "--at", "program.hw:5", "--var", "n", "--json"]));
    assert_eq!((slice.status, &*slice.err), (0, ""));
    let slice: serde_json::Value = serde_json::from_str(&slice.out).expect("it is JSON");
    let lines: Vec<u64> =
        slice["lines"].as_array().expect("a list").iter().filter_map(|line| line["line"].as_u64()).collect();
    assert_eq!(lines, [1, 4]);
    assert_eq!(fs::read_to_string(folder.path().join("out.txt")).expect("it was written"), "one\r\ntwo\n", "once");
}

/// A failure inside of what the compiler provides is one of the program that called it.
#[test]
fn failures_have_places_in_the_program() {
    let cases = [
        ("let d = dict(\"a\": 1)\nprint(d[\"b\"])", "key not found: \"b\"", "2:7"),
        ("let l = list(1, 2)\n\nl.remove(7)", "index out of range: the length is 2 but the index is 7", "3:1"),
        ("let l = list(1)\nprint(l[1..3])", "slice out of range: 1..3 of length 1", "2:7"),
        (
            "fn f(xs: list[int]) -> int { return xs.map(fn(x) => 1 / x)[0] }\nprint(f(list(0)))",
            "division by zero",
            "1:53",
        ),
        ("print(\"ab\".repeat(0 - 1))", "negative length", "1:7"),
    ];
    for (program, message, place) in cases {
        let folder = folder(program);
        for tier in TIERS {
            let done = run(holloway(folder.path(), ["--tier", tier, "program.hw"]));
            let mut lines = done.err.lines();
            assert_eq!((done.status, lines.next()), (1, Some(&*format!("error: {message}"))), "{tier}: {program}");
            assert!(
                lines.next().is_some_and(|line| line.ends_with(&format!("program.hw:{place}"))),
                "{tier}: {}",
                done.err
            );
            assert!(!done.err.contains("prelude"), "{tier}: {}", done.err);
        }
    }
}

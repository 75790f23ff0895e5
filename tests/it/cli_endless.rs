//! Inputs that do not end, or do not come: each is refused soon, within the limits of memory and time.
//!
//! In: the binary. Invariant: every child has less address space than such an input would fill.

use super::command::{finish, holloway, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The binary, in a shell that lets it have so many kilobytes.
fn within(kilobytes: u64, folder: &Path, args: &[&str]) -> Command {
    let binary = env!("CARGO_BIN_EXE_holloway");
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, binary]).args(args).current_dir(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Address space of the process, and of 64 MiB of a program's text, read and kept.
const KILOBYTES: u64 = 7_000_000;

#[test]
fn files_without_end_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.hw"), "print(1)\n").expect("it is written");
    fs::write(folder.path().join("import.hw"), "import \"/dev/zero\"\n").expect("it is written");
    let too_large = "the file is too large: it has more than 67108864 bytes";
    for (args, status, said) in [
        (&["run", "/dev/zero"][..], 65, too_large),
        (&["check", "/dev/zero"], 65, too_large),
        (&["fmt", "--check", "/dev/zero"], 65, too_large),
        (&["profile", "--scheme", "edge", "/dev/zero"], 65, too_large),
        (&["import.hw"], 65, "cannot import `/dev/zero`: it is no regular file"),
        (&["run", "--facts", "/dev/zero", "a.hw"], 66, "/dev/zero: this is no file of facts"),
        (&["run", "--replay", "/dev/zero", "a.hw"], 66, "/dev/zero: this is no advice"),
        (&["diff", "/dev/zero", "/dev/zero"], 65, "/dev/zero is no profile"),
        (&["lab", "/dev/zero"], 65, "/dev/zero: the input is not as docs/lab.md says"),
        (&["trace", "info", "/dev/zero"], 65, "/dev/zero: "),
    ] {
        let done = run(within(KILOBYTES, folder.path(), args));
        assert_eq!((done.status, done.out.as_str()), (status, ""), "{args:?}: {}", done.err);
        assert!(done.err.contains(said), "{args:?}: {}", done.err);
    }
}

#[test]
fn code_takes_the_address_space_that_there_is() {
    for kilobytes in [2_600_000, 3_000_000, 4_000_000] {
        let code = ["--heap-limit", "16M", "-e", "var s = 0\nfor i in 0..1000 { s += i }\nprint(s)"];
        let done = run(within(kilobytes, Path::new("/"), &code));
        assert_eq!((done.status, done.out.as_str()), (0, "499500\n"), "{kilobytes} KB: {}", done.err);
    }
}

#[test]
fn a_line_without_end_finds_no_memory() {
    for tier in ["interp", "baseline", "optimized"] {
        let mut command = holloway(Path::new("/"), ["--tier", tier, "--heap-limit", "1M", "-e", "print(1)\ninput()"]);
        command.stdin(fs::File::open("/dev/zero").expect("the system has one"));
        let done = run(command);
        assert_eq!((done.status, done.out.as_str()), (1, "1\n"), "{tier}: {}", done.err);
        assert_eq!(done.complaint(), "error: out of memory", "{tier}");
    }
}

#[test]
fn a_program_that_waits_for_input_is_within_its_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.hw"), "print(1)\nprint(input() == none)\n").expect("it is written");
    for args in [&["run"][..], &["profile", "--scheme", "bl", "--numbering", "smart"]] {
        let mut command = holloway(folder.path(), args.iter().chain(&["--time-limit", "0.05", "a.hw"]));
        // Nobody writes to it, and nobody closes it.
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
        let stdin = child.stdin.take();
        let done = finish(&format!("{command:?}"), child);
        assert_eq!(done.status, 1, "{args:?}: {}", done.err);
        assert!(done.out.starts_with("1\n") && !done.out.contains("true"), "{args:?}: {}", done.out);
        assert_eq!(done.complaint(), "error: out of time", "{args:?}");
        drop(stdin);
    }
}

#[test]
fn lines_that_come_late_are_read() {
    let mut command = holloway(Path::new("/"), ["-e", "print(input())\nprint(input())\nprint(input())"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it was asked for");
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        for part in ["on", "e\ntwo\nth", "ree"] {
            std::thread::sleep(std::time::Duration::from_millis(30));
            stdin.write_all(part.as_bytes()).expect("it reads");
        }
    });
    let done = finish(&format!("{command:?}"), child);
    writer.join().expect("no panic");
    assert_eq!((done.status, done.out.as_str()), (0, "one\ntwo\nthree\n"), "{}", done.err);
}

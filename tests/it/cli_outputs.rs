//! Files that commands write: through links, never in the place of what they read, and whole when the process is
//! stopped.
//!
//! In: the binary. Out: what is in its files, and that links and sources are as before.

use super::command::{done, finish, holloway, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = "import \"part.hw\"\nvar s = 0\nfor i in 0..1000 { s += twice(i) }\nprint(s)\n";
const PART: &str = "fn twice(n: int) -> int { return 2 * n }\n";

/// A folder with a program that imports another, a recording of it, and hard links to both.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.hw"), PROGRAM).expect("it is written");
    fs::write(path("part.hw"), PART).expect("it is written");
    let done = run(holloway(folder.path(), ["trace", "record", "a.hw", "-o", "run.twpp"]));
    assert_eq!(done.status, 0, "{}", done.err);
    for (of, link) in [("a.hw", "program.json"), ("part.hw", "import.json"), ("run.twpp", "recording.json")] {
        fs::hard_link(path(of), path(link)).expect("it is linked");
    }
    folder
}

#[test]
fn what_is_read_is_not_written_over_by_way_of_a_hard_link() {
    let folder = folder();
    let recording = fs::read(folder.path().join("run.twpp")).expect("it is there");
    let query = ["trace", "query", "run.twpp", "--fact", "load", "--hottest", "0"];
    let commands: [(&[&str], &[&str], &[&str]); 6] = [
        (&["run", "--events"], &["a.hw"], &["program.json", "import.json"]),
        (&["run", "--advice"], &["a.hw"], &["program.json", "import.json"]),
        (&["run", "--save"], &["a.hw"], &["program.json", "import.json"]),
        (&["profile", "--scheme", "bl", "-o"], &["a.hw"], &["program.json", "import.json"]),
        (&["profile", "--scheme", "time", "-o"], &["a.hw"], &["program.json", "import.json", "a.hw"]),
        (&[&query[..], &["-o"]].concat(), &[], &["program.json", "import.json", "recording.json"]),
    ];
    for (before, behind, outputs) in commands {
        for output in outputs {
            let args = before.iter().chain([output]).chain(behind);
            let done = run(holloway(folder.path(), args));
            assert_eq!((done.status, done.out.as_str()), (64, ""), "{before:?} {output}: {}", done.err);
            assert!(done.complaint().contains("would write over"), "{}", done.err);
        }
    }
    let read = |name: &str| fs::read(folder.path().join(name)).expect("it is there");
    assert_eq!([read("a.hw"), read("part.hw"), read("run.twpp")], [PROGRAM.into(), PART.into(), recording]);
}

#[test]
fn two_outputs_in_one_file_are_refused() {
    let folder = folder();
    symlink("both.json", folder.path().join("link.json")).expect("it is linked");
    for advice in ["both.json", "./both.json", "link.json"] {
        let done = run(holloway(folder.path(), ["run", "--events", "both.json", "--advice", advice, "a.hw"]));
        assert_eq!((done.status, done.out.as_str()), (64, ""), "{advice}: {}", done.err);
        assert_eq!(
            done.complaint(),
            format!("holloway: --events and --advice would both write {advice}: name two files")
        );
        assert!(!folder.path().join("both.json").exists(), "nothing is written");
    }
}

#[test]
fn a_kept_run_is_no_place_of_another_output_or_input() {
    let folder = folder();
    assert_eq!(done(folder.path(), &["run", "--advice", "advice.json", "--save", "a.hwrun", "a.hw"]).status, 0);
    for (args, told) in [
        (&["run", "--events", "new", "--save", "new", "a.hw"][..], "--events and --save would both write new"),
        (&["explain", "--advice", "new", "--save", "./new", "a.hw"], "--advice and --save would both write ./new"),
        (&["run", "--replay", "advice.json", "--save", "advice.json", "a.hw"], "--save would write over advice.json"),
        (&["run", "--save", "-", "a.hw"], "--save writes a file: name one instead of -"),
        (&["profile", "--scheme", "time", "-o", "-", "a.hw"], "-o writes a file: name one instead of -"),
        (&["profile", "--scheme", "time", "-o", "a.hwrun", "a.hwrun"], "-o would write over a.hwrun"),
    ] {
        let refused = done(folder.path(), args);
        assert!(refused.status == 64 && refused.complaint().contains(told), "{args:?}: {}", refused.err);
        assert!(!folder.path().join("new").exists() && !folder.path().join("-").exists(), "{args:?}");
    }
    assert!(done(folder.path(), &["explain", "a.hwrun"]).status == 0, "it is as it was");
}

/// The reader of a pipe goes away while the program waits for its input.
#[test]
fn a_run_is_kept_whole_though_its_events_cannot_be_written() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("waits.hw"), "input()\nprint(1)\n").expect("it is written");
    let made = Command::new("mkfifo").arg(path("pipe")).status().expect("there is such a command");
    assert!(made.success());
    for command in ["run", "explain"] {
        let mut child = holloway(folder.path(), [command, "--events", "pipe", "--save", "a.hwrun", "waits.hw"]);
        let mut child = child.stdin(Stdio::piped()).spawn().expect("the binary starts");
        let mut reader = BufReader::new(fs::File::open(path("pipe")).expect("it can be read"));
        reader.read_line(&mut String::new()).expect("a line");
        drop(reader);
        drop(child.stdin.take());
        let failed = finish(command, child);
        assert!(failed.status == 1 && failed.complaint().contains("cannot write pipe"), "{}", failed.err);
        let profile = done(folder.path(), &["profile", "--scheme", "time", "a.hwrun"]);
        assert!(profile.status == 0 && !profile.out.contains("the run was killed"), "{}", profile.out);
    }
}

#[test]
fn a_recording_is_written_where_a_link_leads() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("runs")).expect("a folder");
    symlink("runs/new.twpp", path("dangling")).expect("it is linked");
    symlink("run.twpp", path("link")).expect("it is linked");
    for (link, target) in [("dangling", "runs/new.twpp"), ("link", "run.twpp")] {
        let before = fs::read_link(path(link)).expect("it is a link");
        fs::write(path("run.twpp"), "").expect("it is written");
        let done = run(holloway(folder.path(), ["trace", "record", "a.hw", "-o", link]));
        assert_eq!((done.status, done.out.as_str()), (0, "999000\n"), "{link}: {}", done.err);
        assert_eq!(fs::read_link(path(link)).expect("it is still a link"), before);
        let info = run(holloway(folder.path(), ["trace", "info", target]));
        assert_eq!(info.status, 0, "{target}: {}", info.err);
    }
}

#[test]
fn a_pipe_is_no_place_for_a_recording() {
    let folder = folder();
    // A link like `/dev/stdout`, which the test may not risk.
    symlink("/proc/self/fd/1", folder.path().join("stdout")).expect("it is linked");
    let done = run(holloway(folder.path(), ["trace", "record", "a.hw", "-o", "stdout"]));
    assert_eq!((done.status, done.out.as_str()), (1, ""), "{}", done.err);
    assert_eq!(done.complaint(), "holloway: cannot write stdout: it is there already, and no file");
    let link = fs::read_link(folder.path().join("stdout")).expect("it is still a link");
    assert_eq!(link, Path::new("/proc/self/fd/1"));
}

/// Ticks of CPU time that a process has taken.
fn computed_by(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
    let mut fields = stat.rsplit(')').next().expect("it has a name").split_whitespace();
    fields.nth(11).expect("the time in its code").parse().expect("a number")
}

/// Starts a program that says that it runs, and does not end; sends it a signal, and returns its status and the rest of
/// its output.
fn stopped(folder: &Path, args: &[&str], signal: &str) -> (i32, String, String) {
    let mut command = holloway(folder, args);
    let mut child = command.spawn().expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("it was asked for"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n");
    // By then it has long printed the rest, which waits in its buffer.
    let computed = computed_by(child.id()) + 10;
    while computed_by(child.id()) < computed {
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).stdout(Stdio::null()).status();
    assert!(sent.expect("there is such a command").success());
    let reader = std::thread::spawn(move || std::io::read_to_string(out).expect("it is text"));
    let done = finish(&format!("{command:?}"), child);
    (done.status, reader.join().expect("no panic"), done.err)
}

/// True iff programs that are started from here ignore that their terminal is gone.
fn ignores_hang_ups() -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("it is there");
    u64::from_str_radix(ignored.trim(), 16).expect("it is a number") & 1 != 0
}

#[test]
fn output_and_profile_are_kept_whatever_signal_stops_the_program() {
    // Rounds of some microseconds: what is recorded of it is looked through block by block.
    let endless =
        "print(\"ready\")\ninput()\nprint(\"kept\")\nvar s = 0\nwhile true { let a = [s; 20000]\n s += a[7] }\n";
    // Under `nohup` programs ignore it.
    let hang_up = (!ignores_hang_ups()).then_some(("-HUP", 129));
    for (signal, status) in [("-INT", 130), ("-TERM", 143)].into_iter().chain(hang_up) {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("endless.hw"), endless).expect("it is written");
        let profile = ["profile", "--scheme", "edge", "-o", "profile.json", "endless.hw"];
        let (found, out, err) = stopped(folder.path(), &profile, signal);
        assert_eq!(found, status, "{signal}: {err}");
        assert!(out.starts_with("kept\n"), "{signal}: {out}");
        let saved = fs::read_to_string(path("profile.json")).expect("it is saved");
        let saved: serde_json::Value = serde_json::from_str(&saved).expect("it is whole");
        assert_eq!(saved["scheme"], "edge");
        let record = ["trace", "record", "-o", "endless.twpp", "endless.hw"];
        let (found, out, err) = stopped(folder.path(), &record, signal);
        assert_eq!((found, out.as_str()), (status, "kept\n"), "{signal}: {err}");
        assert_eq!(run(holloway(folder.path(), ["trace", "info", "endless.twpp"])).status, 0);
        let (found, out, err) = stopped(folder.path(), &["run", "--events", "events.json", "endless.hw"], signal);
        assert_eq!((found, out.as_str()), (status, "kept\n"), "{signal}: {err}");
        let events = fs::read_to_string(path("events.json")).expect("it is written");
        assert!(events.ends_with("\n]\n"), "{signal}: the file has its end");
    }
}

//! The binary under test, as a child process that cannot hang a test.
//!
//! In: arguments, standard input. Out: [`Done`]. Invariant: a child that neither ends nor is ended within ten minutes
//! fails the test, and so does one that panics or dies of a signal.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Far more time than any of the tests needs, on a machine with other load.
const PATIENCE: Duration = Duration::from_secs(600);

/// The result of a child.
#[derive(Debug)]
pub(crate) struct Done {
    /// Its exit status.
    pub(crate) status: i32,
    /// Its standard output, bad bytes replaced.
    pub(crate) out: String,
    /// Its standard error.
    pub(crate) err: String,
}

impl Done {
    /// The first line on standard error.
    pub(crate) fn complaint(&self) -> &str {
        self.err.lines().next().unwrap_or("")
    }
}

/// The binary with arguments, in a folder, its streams caught.
pub(crate) fn holloway<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holloway"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command to its end.
pub(crate) fn run(mut command: Command) -> Done {
    let told = format!("{command:?}");
    finish(&told, command.spawn().unwrap_or_else(|error| panic!("{told}: {error}")))
}

/// Runs the binary with arguments, in a folder.
pub(crate) fn done(folder: &Path, args: &[&str]) -> Done {
    run(holloway(folder, args))
}

/// The output of a run that ends well.
pub(crate) fn succeeds(folder: &Path, args: &[&str]) -> String {
    let done = done(folder, args);
    assert_eq!(done.status, 0, "{args:?}: {}", done.err);
    done.out
}

/// Runs a command with something on its standard input.
pub(crate) fn run_with_input(mut command: Command, input: &[u8]) -> Done {
    let told = format!("{command:?}");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap_or_else(|error| panic!("{told}: {error}"));
    let mut stdin = child.stdin.take().expect("it was asked for");
    let input = input.to_vec();
    // A child that needs no more input closes the pipe.
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
    let done = finish(&told, child);
    writer.join().expect("the writer does not panic");
    done
}

/// Waits for a child and reads what it writes.
pub(crate) fn finish(told: &str, mut child: Child) -> Done {
    let out = child.stdout.take().map(reader);
    let err = child.stderr.take().map(reader);
    let started = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().expect("it can be killed");
                panic!("{told} does not end");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let read = |reader: Option<std::thread::JoinHandle<String>>| {
        reader.map(|reader| reader.join().expect("the reader does not panic")).unwrap_or_default()
    };
    let (out, err) = (read(out), read(err));
    let shown: String = err.chars().take(2000).collect();
    let status = status.code().unwrap_or_else(|| panic!("{told} was ended by {status}: {shown}"));
    assert!(!err.contains("panicked"), "{told} panicked: {shown}");
    Done { status, out, err }
}

fn reader(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe can be read");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

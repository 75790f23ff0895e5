//! One child process, from its start to its end.
//!
//! In: a [`CommandLine`]. Out: [`Finished`] with the exit status, the output, the wall time and the peak memory; or
//! [`Watched`] with the lines of output and the time of each. Invariant: at most one child of a [`Children`] lives at
//! any time, and none outlives an interrupt or its time limit. Each child leads its own process group, which is killed
//! as a whole, since gcc starts further processes.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::process::{self, GroupLeader, Usage};

/// A command and its working directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// The binary, or its name on the search path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The working directory of the child.
    pub folder: PathBuf,
    /// Its standard input.
    pub input: Vec<u8>,
    /// The wall time after which [`Children::run`] kills it; `None` means never.
    pub limit: Option<Duration>,
}

impl CommandLine {
    /// `program` with `args`, started in `folder`.
    pub fn new(
        program: impl Into<PathBuf>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
        folder: impl Into<PathBuf>,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { program: program.into(), args, folder: folder.into(), input: Vec::new(), limit: None }
    }

    /// The same with a standard input, which [`Children::run`] gives it.
    pub fn with_input(self, input: impl Into<Vec<u8>>) -> Self {
        Self { input: input.into(), ..self }
    }

    /// The same with a time limit.
    pub fn within(self, limit: Duration) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Its standard input: a file, like the output, so that nobody has to write while the clock runs.
    fn stdin(&self) -> io::Result<Stdio> {
        if self.input.is_empty() {
            return Ok(Stdio::null());
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(&self.input)?;
        file.rewind()?;
        Ok(file.into())
    }
}

/// Result of a child that ended by itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// The beginning of its standard output.
    pub stdout: String,
    /// The beginning of its standard error.
    pub stderr: String,
    /// Time from before its start to after its end.
    pub wall: Duration,
    /// CPU time of all its threads.
    pub cpu: Duration,
    /// Its peak resident memory.
    pub peak_memory: PeakMemory,
}

/// Result of a child whose output was read as it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Watched {
    /// The lines of its output.
    pub lines: Vec<Line>,
    /// Reason of its end.
    pub ended: Ended,
    /// The beginning of its standard error.
    pub stderr: String,
}

/// One line of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Time at which it was read, since before the start of the child.
    pub at: Duration,
    /// The text without the line break.
    pub text: String,
}

/// Reason for the end of a watched child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// It was killed after the time limit.
    Enough,
    /// It ended by itself before.
    ByItself(ExitStatus),
}

/// The peak resident memory of a process, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeakMemory {
    /// Measured.
    Exactly(u64),
    /// The child's peak is below its parent's. A child starts as a copy of its parent, and the system counts its peak
    /// from there, so the exact value is unknown.
    AtMost(u64),
}

/// Reasons for which there is no [`Finished`].
#[derive(Debug)]
pub enum ChildError {
    /// Ctrl-C.
    Interrupted,
    /// A system call failed.
    System(io::Error),
    /// It was killed after this time, its limit.
    TimedOut(Duration),
}

impl From<io::Error> for ChildError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// The children of one measurement, of which at most one lives at a time. Clones share the child.
#[derive(Clone, Default, Debug)]
pub struct Children {
    state: Arc<Mutex<State>>,
}

#[derive(Default, Debug)]
struct State {
    living: Option<GroupLeader>,
    interrupted: bool,
}

impl Children {
    /// Kills the live child and prevents further starts.
    pub fn interrupt(&self) {
        let mut state = self.lock();
        state.interrupted = true;
        if let Some(leader) = state.living {
            process::kill_group(leader);
        }
    }

    /// Starts a child and waits for its end.
    pub fn run(&self, command: &CommandLine) -> Result<Finished, ChildError> {
        // Output goes to files, not pipes: nobody has to read while the clock runs, and output of any length does not
        // block the child.
        let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let mut child = Command::new(&command.program);
        child.args(&command.args).current_dir(&command.folder).process_group(0);
        child.stdin(command.stdin()?).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        let own_peak = process::own_peak_memory();

        let started = Instant::now();
        let leader = self.start(&mut child)?;
        let ended = match command.limit {
            None => process::wait_for_end(leader).map(|()| None),
            Some(limit) => wait_within(leader, limit),
        };
        let wall = started.elapsed();

        let mut state = self.lock();
        state.living = None;
        let late = ended?;
        let (status, Usage { peak_memory: peak, cpu }) = process::reap(leader)?;
        if state.interrupted {
            return Err(ChildError::Interrupted);
        }
        if let Some(limit) = late {
            return Err(ChildError::TimedOut(limit));
        }
        let peak_memory = if peak > own_peak { PeakMemory::Exactly(peak) } else { PeakMemory::AtMost(peak) };
        Ok(Finished {
            status,
            stdout: beginning(&mut stdout)?,
            stderr: beginning(&mut stderr)?,
            wall,
            cpu,
            peak_memory,
        })
    }

    /// Starts a child, records its lines as they come, and kills it after the first line that comes later than
    /// `enough`.
    pub fn watch(&self, command: &CommandLine, enough: Duration) -> Result<Watched, ChildError> {
        let mut stderr = tempfile::tempfile()?;
        let (reader, writer) = io::pipe()?;
        let mut child = Command::new(&command.program);
        child.args(&command.args).current_dir(&command.folder).process_group(0);
        child.stdin(Stdio::null()).stdout(writer).stderr(stderr.try_clone()?);

        let started = Instant::now();
        let leader = self.start(&mut child)?;
        // The command holds the child's end of the pipe; the lines end only when no other end is open.
        drop(child);
        let read = read_lines(reader, started, enough);
        // Kills a child that is still running, also one that has closed its output.
        process::kill_group(leader);
        let ended = process::wait_for_end(leader);

        let mut state = self.lock();
        state.living = None;
        ended?;
        let (status, _) = process::reap(leader)?;
        if state.interrupted {
            return Err(ChildError::Interrupted);
        }
        let lines = read?;
        let was_enough = lines.last().is_some_and(|line| line.at > enough);
        let ended = if was_enough { Ended::Enough } else { Ended::ByItself(status) };
        Ok(Watched { lines, ended, stderr: beginning(&mut stderr)? })
    }

    /// Starts the child under the lock: an interrupt comes either before the start or when there is a child to kill.
    fn start(&self, child: &mut Command) -> Result<GroupLeader, ChildError> {
        let mut state = self.lock();
        if state.interrupted {
            return Err(ChildError::Interrupted);
        }
        let leader = GroupLeader::of(child.spawn()?.id());
        state.living = Some(leader);
        Ok(leader)
    }

    /// The state is consistent after every statement, so a panic elsewhere does not invalidate it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the process has ended, which is killed after `limit`: then this is the result. It is not reaped.
fn wait_within(leader: GroupLeader, limit: Duration) -> io::Result<Option<Duration>> {
    let (over, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let guard = scope.spawn(move || {
            let is_late = end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if is_late {
                process::kill_group(leader);
            }
            is_late
        });
        let ended = process::wait_for_end(leader);
        drop(over);
        let is_late = guard.join().expect("it only waits and kills");
        ended.map(|()| is_late.then_some(limit))
    })
}

/// The lines up to the first that comes later than `enough`, or to the end.
fn read_lines(source: impl Read, started: Instant, enough: Duration) -> io::Result<Vec<Line>> {
    let (mut source, mut lines, mut bytes) = (BufReader::new(source), Vec::new(), Vec::new());
    while source.read_until(b'\n', &mut bytes)? > 0 {
        let at = started.elapsed();
        lines.push(Line { at, text: String::from_utf8_lossy(&bytes).trim_end().to_owned() });
        bytes.clear();
        if at > enough {
            break;
        }
    }
    Ok(lines)
}

/// Bytes of a child's output that are kept: as many as the counts of all edges of a large program take, as text.
pub const KEPT_OUTPUT: usize = 16 << 20;

/// The beginning of a child's output.
fn beginning(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(KEPT_OUTPUT as u64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> CommandLine {
        CommandLine::new("/bin/sh", ["-c", script], "/")
    }

    #[test]
    fn a_child_is_told_apart_from_others() {
        let finished = Children::default().run(&shell("echo out; echo err >&2; pwd; exit 3")).unwrap();
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("out\n/\n", "err\n"));
        assert_eq!(finished.status.code(), Some(3));
        assert!(!finished.wall.is_zero());
    }

    #[test]
    fn a_child_reads_its_input() {
        let finished = Children::default().run(&shell("cat").with_input("a\nb")).unwrap();
        assert_eq!(finished.stdout, "a\nb");
    }

    #[test]
    fn memory_is_the_childs_own() {
        let script = "x=$(head -c 100000000 /dev/zero | tr '\\0' 'a'); echo ${#x}";
        let finished = Children::default().run(&shell(script)).unwrap();
        assert_eq!(finished.stdout, "100000000\n");
        // Tests of whole programs run in this process; the child's own peak is known if it is above this one's.
        let (PeakMemory::Exactly(bytes) | PeakMemory::AtMost(bytes)) = finished.peak_memory;
        assert!(bytes > 100_000_000, "{finished:?}");
    }

    #[test]
    fn much_output_neither_blocks_nor_fills_memory() {
        let finished = Children::default().run(&shell("head -c 20000000 /dev/zero; echo end >&2")).unwrap();
        assert_eq!((finished.stdout.len(), finished.stderr.as_str()), (KEPT_OUTPUT, "end\n"));
    }

    #[test]
    fn lines_are_noted_until_enough_came() {
        let children = Children::default();
        let short = children.watch(&shell("echo 1; echo 2; echo no >&2; exit 3"), Duration::MAX).unwrap();
        let texts: Vec<&str> = short.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!((texts, short.stderr.as_str()), (vec!["1", "2"], "no\n"));
        assert!(short.lines.is_sorted_by_key(|line| line.at));
        let Ended::ByItself(status) = short.ended else { panic!("{short:?}") };
        assert_eq!(status.code(), Some(3));
        let endless = children.watch(&shell("while :; do echo x; done"), Duration::ZERO).unwrap();
        assert_eq!((endless.ended, endless.lines.len()), (Ended::Enough, 1));
    }

    #[test]
    fn what_does_not_start_is_an_error() {
        let missing = CommandLine::new("/no/such/binary", [""; 0], "/");
        assert!(matches!(Children::default().run(&missing), Err(ChildError::System(_))));
    }

    #[test]
    fn a_child_is_ended_after_its_limit() {
        let children = Children::default();
        let limit = Duration::from_millis(20);
        let late = children.run(&shell("sleep 1000 & wait").within(limit));
        assert!(matches!(late, Err(ChildError::TimedOut(after)) if after == limit), "{late:?}");
        let finished = children.run(&shell("echo out").within(Duration::from_secs(1000))).unwrap();
        assert_eq!(finished.stdout, "out\n");
    }

    #[test]
    fn an_interrupt_ends_the_child_and_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("sh -c 'echo $$ > {0}.new; mv {0}.new {0}; exec sleep 1000' & wait", pid.display());
        let children = Children::default();
        let interrupter = children.clone();
        let written = pid.clone();
        let thread = std::thread::spawn(move || {
            while !written.exists() {
                std::thread::yield_now();
            }
            interrupter.interrupt();
        });
        assert!(matches!(children.run(&shell(&script)), Err(ChildError::Interrupted)));
        thread.join().unwrap();
        // The grandchild is an orphan now: it is gone, or a zombie until its new parent reaps it.
        let status = format!("/proc/{}/status", std::fs::read_to_string(pid).unwrap().trim());
        let is_gone = || {
            std::fs::read_to_string(&status).is_ok_and(|text| text.contains("State:\tZ"))
                || !std::path::Path::new(&status).exists()
        };
        while !is_gone() {
            std::thread::yield_now();
        }
        assert!(matches!(children.run(&shell("true")), Err(ChildError::Interrupted)));
    }
}

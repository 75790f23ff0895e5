//! A race: contenders that do the same work in turn.
//!
//! In: entrants with their expected output, and the number of rounds. Out: for each entrant its times, or its fault.
//! Invariant: each round runs every entrant without a fault once, so that a disturbance of the machine affects all of
//! them alike, and every other round in reverse, so that none always follows the same one; an entrant with a fault is
//! not run again.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use super::child::{ChildError, Children, CommandLine, PeakMemory};
use super::contender::Recipe;
use super::statistics::{least, median};
use crate::extent::Rounds;
use holloway_study::report::text::one_line;

/// One participant.
pub(super) struct Entrant {
    /// Its build and run.
    pub(super) recipe: Recipe,
    /// Its expected output, compared without surrounding blanks.
    pub(super) expected: String,
}

/// Result of an entrant.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It printed the expected output every time.
    Measured(Series),
    /// It has a fault.
    Failed(Fault),
    /// The program is not written in its language.
    Absent,
}

impl Outcome {
    /// The measurements, if there are any.
    pub fn series(&self) -> Option<&Series> {
        match self {
            Self::Measured(series) => Some(series),
            Self::Failed(_) | Self::Absent => None,
        }
    }

    /// The fault, if there is one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Measured(_) | Self::Absent => None,
            Self::Failed(fault) => Some(fault),
        }
    }
}

/// The runs of one entrant.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// In the order of the rounds; not empty.
    pub runs: Vec<Run>,
}

/// One run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// Wall time of the whole process.
    pub wall: Duration,
    /// CPU time of all threads of the process.
    pub cpu: Duration,
    /// Peak resident memory.
    pub peak_memory: PeakMemory,
}

impl Series {
    /// The least wall time.
    pub fn least(&self) -> Duration {
        least(self.runs.iter().map(|run| run.wall)).expect("a series is not empty")
    }

    /// The least CPU time.
    pub fn least_cpu(&self) -> Duration {
        least(self.runs.iter().map(|run| run.cpu)).expect("a series is not empty")
    }

    /// The median wall time.
    pub fn median(&self) -> Duration {
        median(self.runs.iter().map(|run| run.wall)).expect("a series is not empty")
    }

    /// The largest peak memory.
    pub fn peak_memory(&self) -> PeakMemory {
        let key = |memory: &PeakMemory| match *memory {
            PeakMemory::Exactly(bytes) | PeakMemory::AtMost(bytes) => bytes,
        };
        self.runs.iter().map(|run| run.peak_memory).max_by_key(key).expect("a series is not empty")
    }
}

/// Faults of an entrant.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// The system could not start it.
    NotStarted(String),
    /// Its build failed.
    NotBuilt(String),
    /// It ended with a status other than 0.
    Died {
        /// Its exit status.
        status: ExitStatus,
        /// The last line it wrote to standard error.
        said: String,
    },
    /// It printed something else.
    WrongChecksum {
        /// The expected output.
        expected: String,
        /// The actual output.
        found: String,
    },
    /// It should tell what it measured, and printed this.
    Unreadable(String),
    /// It was ended after this time.
    TimedOut(Duration),
    /// It completed too few units in the given time for a measurement of its warm-up.
    TooSlow {
        /// Number of completed units of work.
        units: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(reason) => write!(f, "could not be started: {reason}"),
            Self::NotBuilt(said) => write!(f, "could not be built: {said}"),
            Self::Died { status, said } if said.is_empty() => write!(f, "ended with {status}"),
            Self::Died { status, said } => write!(f, "ended with {status}: {said}"),
            Self::WrongChecksum { expected, found } => {
                write!(f, "WRONG CHECKSUM: expected {expected}, printed {found}")
            }
            Self::Unreadable(found) => write!(f, "its answer is unreadable: {found}"),
            Self::TimedOut(limit) => write!(f, "took longer than {} s and was ended", limit.as_secs_f64()),
            Self::TooSlow { units } => write!(f, "completed only {units} units of work"),
        }
    }
}

/// Ctrl-C.
#[derive(Debug)]
pub(super) struct Interrupted;

/// Builds all entrants, then runs them in turn; `before_run` is called with the next one.
pub(super) fn race(
    entrants: &[Entrant],
    rounds: Rounds,
    children: &Children,
    mut before_run: impl FnMut(usize),
) -> Result<Vec<Outcome>, Interrupted> {
    let mut tracks: Vec<Result<Vec<Run>, Fault>> = Vec::new();
    for entrant in entrants {
        tracks.push(build(&entrant.recipe, children)?.map(|()| Vec::new()));
    }
    for round in 0..rounds.get() {
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for at in order {
            before_run(at);
            let Ok(runs) = &mut tracks[at] else { continue };
            match run(&entrants[at], children)? {
                Ok(run) => runs.push(run),
                Err(fault) => tracks[at] = Err(fault),
            }
        }
    }
    let outcome = |track| match track {
        Ok(runs) => Outcome::Measured(Series { runs }),
        Err(fault) => Outcome::Failed(fault),
    };
    Ok(tracks.into_iter().map(outcome).collect())
}

/// Runs the build of a recipe, if it has one.
pub(super) fn build(recipe: &Recipe, children: &Children) -> Result<Result<(), Fault>, Interrupted> {
    let Some(command) = &recipe.build else { return Ok(Ok(())) };
    match children.run(command) {
        Ok(finished) if finished.status.success() => Ok(Ok(())),
        Ok(finished) => Ok(Err(Fault::NotBuilt(first_line(&finished.stderr)))),
        Err(error) => not_run(error, command).map(Err),
    }
}

/// Runs a command that should succeed; its output is without surrounding blanks.
pub(super) fn run_once(
    command: &CommandLine,
    children: &Children,
) -> Result<Result<(Run, String), Fault>, Interrupted> {
    let finished = match children.run(command) {
        Ok(finished) => finished,
        Err(error) => return not_run(error, command).map(Err),
    };
    if !finished.status.success() {
        return Ok(Err(Fault::Died { status: finished.status, said: first_line(&finished.stderr) }));
    }
    let run = Run { wall: finished.wall, cpu: finished.cpu, peak_memory: finished.peak_memory };
    Ok(Ok((run, finished.stdout.trim().to_owned())))
}

/// The fault of an output that is not as expected, with the first line that differs.
pub(super) fn compared(found: &str, expected: &str) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    let alike = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    let shown = |text: &str| match text.lines().nth(alike) {
        Some(line) => first_line(line),
        None => "nothing".to_owned(),
    };
    Err(Fault::WrongChecksum { expected: shown(expected), found: shown(found) })
}

fn run(entrant: &Entrant, children: &Children) -> Result<Result<Run, Fault>, Interrupted> {
    let finished = run_once(&entrant.recipe.run, children)?;
    Ok(finished.and_then(|(run, found)| compared(&found, &entrant.expected).map(|()| run)))
}

/// The fault of a `command` that did not run.
pub(super) fn not_run(error: ChildError, command: &CommandLine) -> Result<Fault, Interrupted> {
    match error {
        ChildError::Interrupted => Err(Interrupted),
        ChildError::TimedOut(limit) => Ok(Fault::TimedOut(limit)),
        ChildError::System(error) => Ok(Fault::NotStarted(format!("{}: {error}", command.program.display()))),
    }
}

/// The first line of a message that is not blank, truncated if long.
pub(super) fn first_line(text: &str) -> String {
    const LONG: usize = 200;
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
    match line.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}...", one_line(&line[..at])),
        None => one_line(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(build: Option<&str>, run: &str, expected: &str) -> Entrant {
        let shell = |script: &str| CommandLine::new("/bin/sh", ["-c", script], "/");
        Entrant { recipe: Recipe { build: build.map(shell), run: shell(run) }, expected: expected.to_owned() }
    }

    fn faults(entrants: &[Entrant]) -> Vec<Option<String>> {
        let outcomes = race(entrants, Rounds::new(2).unwrap(), &Children::default(), |_| {}).unwrap();
        let fault = |outcome| match outcome {
            Outcome::Measured(series) => {
                assert_eq!(series.runs.len(), 2);
                None
            }
            Outcome::Failed(fault) => Some(fault.to_string()),
            Outcome::Absent => unreachable!("every entrant runs"),
        };
        outcomes.into_iter().map(fault).collect()
    }

    #[test]
    fn what_goes_wrong_is_told_and_the_others_go_on() {
        let missing = Recipe { build: None, run: CommandLine::new("/no/such", [""; 0], "/") };
        let faults = faults(&[
            entrant(None, "echo ' 42 '", "42"),
            entrant(None, "echo 43; echo 44", "42"),
            entrant(None, "echo 42; echo 44", "42\n43"),
            entrant(None, "true", "42"),
            entrant(None, "echo 42; echo 'oh no' >&2; exit 3", "42"),
            entrant(None, "kill -9 $$", "42"),
            entrant(Some("echo 'x.c:1: error' >&2; false"), "echo 42", "42"),
            Entrant { recipe: missing, expected: String::new() },
            entrant(Some("true"), "echo 42", "42"),
        ]);
        let shown: Vec<&str> = faults.iter().map(|fault| fault.as_deref().unwrap_or("fine")).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        fine
        WRONG CHECKSUM: expected 42, printed 43
        WRONG CHECKSUM: expected 43, printed 44
        WRONG CHECKSUM: expected 42, printed nothing
        ended with exit status: 3: oh no
        ended with signal: 9 (SIGKILL)
        could not be built: x.c:1: error
        could not be started: /no/such: No such file or directory (os error 2)
        fine
        "#);
    }

    #[test]
    fn entrants_take_turns_and_a_failed_one_drops_out() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let noted = |name: &str, printed: &str| {
            entrant(None, &format!("echo {name} >> {}; echo {printed}", log.display()), "1")
        };
        let mut turns = Vec::new();
        let entrants = [noted("a", "1"), noted("b", "2"), noted("c", "1")];
        race(&entrants, Rounds::new(3).unwrap(), &Children::default(), |at| turns.push(at)).unwrap();
        assert_eq!(std::fs::read_to_string(&log).unwrap().replace('\n', ""), "abccaac");
        assert_eq!(turns, [0, 1, 2, 2, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn an_interrupt_ends_the_race() {
        let children = Children::default();
        let interrupter = children.clone();
        let entrants = [entrant(None, "sleep 1000", "")];
        let race = race(&entrants, Rounds::new(1).unwrap(), &children, |_| interrupter.interrupt());
        assert!(matches!(race, Err(Interrupted)));
    }
}

//! Whole runs of one program with several options, in turns.
//!
//! In: a program with its standard input and the end of a run of it, and the options of each kind of run. Out: the CPU time of all threads of each run, in
//! microseconds, by kind. One run of each kind is a turn, so that whatever else the machine does falls on all of them.
//! Invariant: all runs read the same, and print and end as the one before them, or there are no times.

use super::bench::child::{ChildError, Children, CommandLine};
use super::bench::progress::{self, Progress};
use crate::extent::Rounds;
use std::ffi::OsString;
use std::path::PathBuf;

/// A program that is run several times.
#[derive(Clone, PartialEq, Debug)]
pub struct WholeRuns {
    /// The binary: this one.
    pub executable: PathBuf,
    /// The options of `run` for all kinds.
    pub options: Vec<OsString>,
    /// The program's file.
    pub file: PathBuf,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// All that it reads of standard input.
    pub input: Vec<u8>,
    /// The end of each run.
    pub end: RunEnd,
    /// Turns.
    pub rounds: Rounds,
    /// Progress display.
    pub progress: Progress,
}

/// The end of a run, as far as runs of one program have it in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunEnd {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// The first [`KEPT_OUTPUT`](super::bench::child::KEPT_OUTPUT) bytes that it printed.
    pub output: String,
}

impl WholeRuns {
    /// The times of each kind of run, in the order of the turns; the error says why there are none.
    pub fn in_turns(&self, kinds: &[Vec<OsString>], children: &Children) -> Result<Vec<Vec<f64>>, String> {
        let folder = std::env::current_dir().map_err(|error| format!("the working directory is gone: {error}"))?;
        let command = |own: &Vec<OsString>| {
            let words = [OsString::from("run")].into_iter().chain(own.iter().cloned()).chain(self.options.clone());
            let args = words.chain([self.file.clone().into_os_string()]).chain(self.args.iter().cloned());
            CommandLine::new(&self.executable, args, &folder).with_input(self.input.clone())
        };
        let commands: Vec<CommandLine> = kinds.iter().map(command).collect();
        let bar = progress::bar(self.progress, commands.len() as u64 * u64::from(self.rounds.get()));
        let mut times = vec![Vec::new(); kinds.len()];
        for _ in 0..self.rounds.get() {
            for (command, times) in commands.iter().zip(&mut times) {
                let run = children.run(command).map_err(|error| self.told(&error))?;
                bar.inc(1);
                times.push(run.cpu.as_nanos() as f64 / 1e3);
                if (RunEnd { status: run.status.code(), output: run.stdout }) != self.end {
                    let reason = "two runs of it do not end alike; a program that reads a clock or changes what it reads cannot be compared";
                    return Err(reason.to_owned());
                }
            }
        }
        bar.finish_and_clear();
        Ok(times)
    }

    fn told(&self, error: &ChildError) -> String {
        match error {
            ChildError::Interrupted => "interrupted".to_owned(),
            ChildError::System(error) => format!("{} cannot be run: {error}", self.executable.display()),
            ChildError::TimedOut(limit) => format!("a run took longer than {} s", limit.as_secs_f64()),
        }
    }
}

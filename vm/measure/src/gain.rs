//! The gain of what path profiles lead to, measured from outside: whole runs of a program with and without, in turn.
//!
//! In: a command that runs the program, and the options of one run and of the other. Out: the part of the CPU time of all threads that is saved,
//! by pairs of runs. Invariant: both print the same and end alike, or there is no gain.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::bench::child::{ChildError, Children, CommandLine, Finished};
use super::bench::progress::{self, Progress};
use crate::extent::Rounds;
use holloway_study::report::story::MeasuredGain;

/// A program whose gain is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct GainConfig {
    /// The binary: this one.
    pub executable: PathBuf,
    /// The options of `run` for both.
    pub options: Vec<OsString>,
    /// The program's file.
    pub file: PathBuf,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// Pairs of runs.
    pub rounds: Rounds,
    /// Progress display.
    pub progress: Progress,
}

/// Parts that one of the two runs does without.
const WITHOUT: [&str; 2] = ["--without", "traces"];

/// Measures the gain; the error says why there is none.
pub fn measure_gain(config: &GainConfig, children: &Children) -> Result<MeasuredGain, String> {
    let folder = std::env::current_dir().map_err(|error| format!("the working directory is gone: {error}"))?;
    let command = |without: &[&str]| {
        let words = ["run"].iter().chain(without).map(OsString::from).chain(config.options.iter().cloned());
        let args = words.chain([config.file.clone().into_os_string()]).chain(config.args.iter().cloned());
        CommandLine::new(&config.executable, args, &folder)
    };
    let (with, without) = (command(&[]), command(&WITHOUT));
    let bar = progress::bar(config.progress, 2 * u64::from(config.rounds.get()));
    let run = |command: &CommandLine| {
        bar.inc(1);
        children.run(command).map_err(|error| match error {
            ChildError::Interrupted => "interrupted".to_owned(),
            ChildError::System(error) => format!("{} cannot be run: {error}", shown(&command.program)),
            ChildError::TimedOut(limit) => format!("a run took longer than {} s", limit.as_secs_f64()),
        })
    };
    let mut saved = Vec::new();
    for _ in 0..config.rounds.get() {
        let (one, other) = (run(&with)?, run(&without)?);
        if end(&one) != end(&other) {
            return Err(
                "two runs of it do not end alike; a program that reads input or a clock cannot be compared".to_owned()
            );
        }
        saved.push(1.0 - one.cpu.as_secs_f64() / other.cpu.as_secs_f64().max(f64::MIN_POSITIVE));
    }
    bar.finish_and_clear();
    Ok(MeasuredGain::of(saved))
}

fn end(run: &Finished) -> (ExitStatus, &str) {
    (run.status, &run.stdout)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell script in the place of `holloway`.
    fn measured(script: &str) -> Result<MeasuredGain, String> {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("holloway");
        std::fs::write(&executable, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mut permissions = std::fs::metadata(&executable).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        std::fs::set_permissions(&executable, permissions).unwrap();
        let config = GainConfig {
            executable,
            options: vec!["--fuel".into(), "9".into()],
            file: "p.hw".into(),
            args: vec!["7".into()],
            rounds: Rounds::new(2).unwrap(),
            progress: Progress::Silent,
        };
        measure_gain(&config, &Children::default())
    }

    #[test]
    fn whole_runs_are_compared_in_pairs() {
        let gain = measured(
            "case \"$*\" in 'run --fuel 9 p.hw 7'|'run --without traces --fuel 9 p.hw 7') echo 5;; *) exit 3;; esac",
        );
        assert_eq!(gain.expect("both runs end alike").pairs, 2);
    }

    #[test]
    fn runs_that_end_differently_have_no_gain() {
        let said = measured("echo $2").expect_err("the outputs differ");
        assert!(said.starts_with("two runs of it do not end alike"), "{said}");
        assert!(measured("case \"$*\" in *without*) exit 1;; esac").is_err());
    }
}

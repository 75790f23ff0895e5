//! `bench --scheme`: the benchmark programs with a profiling scheme and without.
//!
//! In: programs and a scheme. Out: the times of both, their ratio, the size of the profile, and its hottest entry in a line.
//! Every run has a process of its own; with and without take turns, so that a disturbance of the machine affects both. If edge counts number
//! paths, one more run of each program counts them first.
//! Invariant: a program that does not print its known checksum has no time.

pub mod job;
mod table;

use std::path::PathBuf;

use holloway_profiler::scheme::Scheme;

use super::answer::{Interrupted, answer};
use super::child::Children;
use super::request::Request;
use super::suite::BenchProgram;
use super::{Progress, progress};
use crate::base_run::EdgeCounts;
use crate::extent::{Rounds, SizeName};
use holloway_study::report::style::OutputFormat;
use job::{Answer, Job, ProfileFigures, WrittenScheme};

pub use table::{json, text};

/// Options of `bench --scheme`.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfiledConfig {
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// The workload of each.
    pub size: SizeName,
    /// The scheme.
    pub scheme: Scheme,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: PathBuf,
}

/// Measurements of one program.
#[derive(Clone, PartialEq, Debug)]
pub struct Profiled {
    /// The program.
    pub program: BenchProgram,
    /// Least time without probes, in seconds.
    pub without: f64,
    /// Least time with probes, in seconds.
    pub with: f64,
    /// The profile.
    pub profile: ProfileFigures,
}

impl Profiled {
    /// The time with probes to that without.
    pub fn ratio(&self) -> f64 {
        self.with / self.without
    }
}

/// A program with its measurements, or its fault.
pub type Outcome = (BenchProgram, Result<Profiled, String>);

/// Measures as `config` says.
pub fn measure(config: &ProfiledConfig, children: &Children) -> Result<Vec<Outcome>, Interrupted> {
    let base_runs = usize::from(config.scheme.takes_frequencies());
    let runs = config.programs.len() * (2 * config.rounds.get() as usize + base_runs);
    let bar = progress::bar(config.progress, runs as u64);
    let child = (config.executable.as_path(), "bench");
    let mut outcomes = Vec::new();
    for program in &config.programs {
        let before = |what: &str| {
            bar.set_message(format!("{}: {what}", program.name));
            bar.inc(1);
        };
        let base = match config.scheme.takes_frequencies() {
            true => {
                before("edges");
                answer::<EdgeCounts>(child, &Request::Base(job(config, program, None)), "", children)?
            }
            false => Ok(EdgeCounts::default()),
        };
        let run = |scheme: Option<Scheme>, counts: &str| {
            before(scheme.map_or("none", |scheme| scheme.name()));
            answer(child, &Request::Run(job(config, program, scheme)), counts, children)
        };
        let outcome = match base {
            Ok(counts) => of_program(config, program, &counts.text(), run)?,
            Err(fault) => Err(fault),
        };
        outcomes.push((*program, outcome));
    }
    bar.finish_and_clear();
    Ok(outcomes)
}

fn of_program(
    config: &ProfiledConfig,
    program: &BenchProgram,
    counts: &str,
    run: impl Fn(Option<Scheme>, &str) -> Result<Result<Answer, String>, Interrupted>,
) -> Result<Result<Profiled, String>, Interrupted> {
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    let mut profile = None;
    for _ in 0..config.rounds.get() {
        for scheme in [None, Some(config.scheme)] {
            let answer = match run(scheme, counts)? {
                Ok(answer) => answer,
                Err(fault) => return Ok(Err(fault)),
            };
            let least = if scheme.is_some() { &mut with } else { &mut without };
            *least = least.min(answer.seconds);
            profile = answer.profile.or(profile);
        }
    }
    let profile = profile.expect("there is at least one round");
    Ok(Ok(Profiled { program: *program, without, with, profile }))
}

fn job(config: &ProfiledConfig, program: &BenchProgram, scheme: Option<Scheme>) -> Job {
    let workload = program.workload(config.size);
    Job {
        program: program.name.to_owned(),
        size: workload.size,
        checksum: workload.checksum,
        scheme: scheme.map(WrittenScheme::of),
    }
}

//! Measured results, and the figures that summarize them.
//!
//! Invariant: `outcomes` has one entry for each contender, in the contenders' order, Holloway first.

use std::io;

use super::race::{Fault, Outcome};
use super::statistics::geometric_mean;
use super::suite::{BenchProgram, Workload};
use crate::extent::{Rounds, SizeName};
use holloway::TierChoice;

/// The benchmark programs, measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// The workload of each program.
    pub size: SizeName,
    /// Tier for Holloway's programs.
    pub tier: TierChoice,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// The contenders, Holloway first.
    pub contenders: Vec<&'static str>,
    /// The contender that ratios are relative to.
    pub baseline: Option<usize>,
    /// Peers that were requested and are not installed.
    pub absent: Vec<&'static str>,
    /// By program.
    pub programs: Vec<ProgramResults>,
}

/// One program, measured.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramResults {
    /// The program.
    pub program: BenchProgram,
    /// Its argument and checksum.
    pub workload: Workload,
    /// By contender.
    pub outcomes: Vec<Outcome>,
}

/// Reasons for which there are no results.
#[derive(Debug)]
pub enum BenchError {
    /// Ctrl-C.
    Interrupted,
    /// The programs could not be written to disk.
    Workspace(io::Error),
}

/// Measured start-up times.
#[derive(Clone, PartialEq, Debug)]
pub struct StartupResults {
    /// Tier for Holloway's program.
    pub tier: TierChoice,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Peers that are not installed.
    pub absent: Vec<&'static str>,
    /// Each contender's name, command and result.
    pub entries: Vec<(&'static str, String, Outcome)>,
}

impl ProgramResults {
    /// The least wall time of a contender in seconds.
    pub fn seconds(&self, contender: usize) -> Option<f64> {
        Some(self.outcomes[contender].series()?.least().as_secs_f64())
    }
}

impl Results {
    /// The figure by which a contender is judged on a program: the ratio of its time to the baseline's, or without a
    /// baseline its time in seconds.
    pub fn figure(&self, program: &ProgramResults, contender: usize) -> Option<f64> {
        let seconds = program.seconds(contender)?;
        match self.baseline {
            Some(baseline) => Some(seconds / program.seconds(baseline)?),
            None => Some(seconds),
        }
    }

    /// The geometric mean of a contender's figures.
    pub fn geometric_mean(&self, contender: usize) -> Option<f64> {
        geometric_mean(self.programs.iter().filter_map(|program| self.figure(program, contender)))
    }

    /// A contender's largest figure, and the program that it belongs to.
    pub fn worst(&self, contender: usize) -> Option<(&'static str, f64)> {
        let figures = self.programs.iter().filter_map(|of| Some((of.program.name, self.figure(of, contender)?)));
        figures.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// All faults, with program and contender.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &'static str, &Fault)> {
        self.programs.iter().flat_map(|program| {
            let outcomes = program.outcomes.iter().zip(&self.contenders);
            outcomes.filter_map(|(outcome, contender)| Some((program.program.name, *contender, outcome.fault()?)))
        })
    }
}

impl StartupResults {
    /// All faults, with the contender.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, &Fault)> {
        self.entries.iter().filter_map(|(name, _, outcome)| Some((*name, outcome.fault()?)))
    }
}

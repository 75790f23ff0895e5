//! The programs of a folder, measured, and the figures that summarize them.
//!
//! In: outcomes. Out: ratios, intervals, gains. Invariants: `outcomes` has one entry for each contestant, in their
//! order; the ratio of two contestants is that of their least CPU times, and its interval is that of the median of the
//! rounds' ratios.

use std::path::PathBuf;
use std::time::Duration;

use super::super::gains::{ProgramGains, Specialized};
use super::super::race::{Outcome, Series};
use super::super::statistics::{Interval, geometric_interval, geometric_mean, median_interval};
use super::contestant::{Comparison, Contestant};
use crate::extent::Rounds;
use crate::settings::TOLD_GAIN;

/// A folder, measured.
pub struct Unseen {
    /// The folder, as it was named.
    pub(super) folder: PathBuf,
    /// The C compiler.
    pub(super) compiler: &'static str,
    /// Number of runs of each contestant.
    pub(super) rounds: Rounds,
    /// The programs.
    pub(super) programs: Vec<Measured>,
    /// Those that could not be measured.
    pub(super) skipped: Vec<Skipped>,
    /// The names of those without a C program.
    pub(super) alone: Vec<String>,
}

/// One program, measured.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) from: SizeOrigin,
    /// The right output.
    pub(super) output: String,
    /// By contestant.
    pub(super) outcomes: Vec<Outcome>,
    /// The path-driven versions of one run.
    pub(super) versions: Vec<Specialized>,
}

/// The origin of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SizeOrigin {
    /// The command line.
    Given,
    /// The folder's `expected.json`.
    Expected,
    /// Found by doubling; the C program took this long.
    Found(Duration),
}

/// A program that could not be measured.
pub(super) struct Skipped {
    pub(super) name: String,
    /// The reason.
    pub(super) why: String,
}

/// A comparison over all programs that have both contestants.
pub(super) struct Summary {
    /// The geometric mean of the ratios.
    pub(super) mean: f64,
    /// The interval of the mean of these very programs, from its values in the rounds.
    pub(super) by_rounds: Option<Interval>,
    /// The interval of the mean of programs of which these are a sample.
    pub(super) by_programs: Option<Interval>,
    /// The largest ratio, and its program.
    pub(super) worst: (String, f64),
}

impl Measured {
    pub(super) fn series(&self, contestant: Contestant) -> Option<&Series> {
        self.outcomes[contestant as usize].series()
    }

    /// The ratio of the least CPU times.
    pub(super) fn ratio(&self, comparison: Comparison) -> Option<f64> {
        let (one, other) = comparison.sides();
        let least = |contestant| self.series(contestant).map(Series::least_cpu);
        ratio(least(one)?, least(other)?)
    }

    /// The ratio in each round.
    pub(super) fn by_round(&self, comparison: Comparison) -> Option<Vec<f64>> {
        let (one, other) = comparison.sides();
        let runs = self.series(one)?.runs.iter().zip(&self.series(other)?.runs);
        runs.map(|(one, other)| ratio(one.cpu, other.cpu)).collect()
    }

    /// The interval of the ratio.
    pub(super) fn interval(&self, comparison: Comparison) -> Option<Interval> {
        median_interval(self.by_round(comparison)?)
    }

    /// The part of CPU time that path-driven versions save.
    pub(super) fn saved(&self) -> Option<f64> {
        Some(1.0 - self.ratio(Comparison::AutoToWithout)?)
    }

    /// True if they save enough to be told.
    pub(super) fn gains(&self) -> bool {
        self.saved().is_some_and(|saved| saved >= TOLD_GAIN)
    }
}

/// Times that are too short for the system's clock have no ratio.
fn ratio(one: Duration, other: Duration) -> Option<f64> {
    (!one.is_zero() && !other.is_zero()).then(|| one.as_secs_f64() / other.as_secs_f64())
}

impl Unseen {
    /// A line for each fault: a contestant that failed or printed something else, and a folder of which nothing was
    /// measured.
    pub fn faults(&self) -> Vec<String> {
        let of = |measured: &Measured| {
            let outcomes = Contestant::ALL.into_iter().zip(&measured.outcomes);
            let fault = |(contestant, outcome): (Contestant, &Outcome)| {
                Some(format!("{}: {} {}", measured.name, contestant.name(), outcome.fault()?))
            };
            outcomes.filter_map(fault).collect::<Vec<_>>()
        };
        let mut faults: Vec<String> = self.programs.iter().flat_map(of).collect();
        if self.programs.is_empty() {
            faults.push("no program was measured".to_owned());
        }
        faults
    }

    /// A comparison over all programs.
    pub(super) fn summary(&self, comparison: Comparison) -> Option<Summary> {
        let ratios: Vec<(&Measured, f64)> =
            self.programs.iter().filter_map(|measured| Some((measured, measured.ratio(comparison)?))).collect();
        let rounds: Vec<Vec<f64>> = ratios.iter().filter_map(|(measured, _)| measured.by_round(comparison)).collect();
        let of_round = |round: usize| geometric_mean(rounds.iter().map(|ratios| ratios[round]));
        let values = || ratios.iter().map(|(_, ratio)| *ratio);
        let worst = ratios.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Summary {
            mean: geometric_mean(values())?,
            by_rounds: median_interval((0..self.rounds.get() as usize).filter_map(of_round)),
            by_programs: geometric_interval(values()),
            worst: (worst.0.name.clone(), worst.1),
        })
    }

    /// The names of the programs that gain by path-driven versions.
    pub(super) fn gaining(&self) -> Vec<&str> {
        self.programs.iter().filter(|measured| measured.gains()).map(|measured| measured.name.as_str()).collect()
    }

    /// The programs with their path-driven versions.
    pub(super) fn gains(&self) -> Vec<ProgramGains<'_>> {
        let programs = self.programs.iter().map(|measured| ProgramGains {
            name: &measured.name,
            versions: &measured.versions,
            whole: measured.saved(),
        });
        programs.collect()
    }
}

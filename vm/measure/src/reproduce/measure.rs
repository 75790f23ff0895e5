//! Rounds of jobs, each in its own process.
//!
//! In: programs, variants and further jobs. Out: [`Measurements`]: the times and the figures of each.
//! Invariant: the variants of a program take turns, so that a disturbance of the machine affects all alike; a variant's
//! figures are from its first run; a variant with a fault is not run again. One more run of a program counts its edges first, if these number the paths
//! of a variant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::hardware::HardwareCounts;
use super::job::{Answer, Figures, Job, Request};
use super::probes::ProbeFigures;
use super::times::MeanRatio;
use super::variant::Variant;
use super::whole_path::WholePathFigures;
use crate::base_run::EdgeCounts;
use crate::bench::answer::{Interrupted, answer};
use crate::bench::child::Children;
use crate::bench::{Arithmetic, Progress, progress};
use crate::extent::Rounds;
use crate::subject::Subject;

/// Measurements of one job.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The time without compilations in each round.
    pub seconds: Vec<f64>,
    /// The time with compilations in each round.
    pub whole_seconds: Vec<f64>,
    /// Output of the program.
    pub printed: String,
    /// Number of versions with traces that the adaptive system compiled in the first run.
    pub specialized: u64,
    /// Figures of the profile in the first round.
    pub figures: Figures,
    /// Figures of the probes in the first round.
    pub probes: ProbeFigures,
    /// Hardware counters of the first round.
    pub hardware: HardwareCounts,
}

/// Result of a job, or its fault.
pub type Outcome = Result<Measured, String>;

/// Programs by name, each with the figures of its whole path or its fault.
pub type WholePaths = Vec<(String, Result<WholePathFigures, String>)>;

/// All measurements.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measurements {
    /// Each program with the outcome of each variant.
    pub programs: Vec<(String, BTreeMap<Variant, Outcome>)>,
    /// The programs of class FP.
    pub floating: BTreeSet<String>,
    /// The case of RNAfold: number of bases, variant and outcome.
    pub folds: Vec<(u64, Variant, Outcome)>,
    /// Each program with the figures of its whole path, if they were wanted.
    pub whole_paths: WholePaths,
}

impl Measurements {
    /// A program's time in a variant, by round.
    pub fn seconds(of: &BTreeMap<Variant, Outcome>, variant: Variant) -> Option<&[f64]> {
        Some(&Self::measured(of, variant)?.seconds)
    }

    /// All measurements of a program in a variant.
    pub fn measured(of: &BTreeMap<Variant, Outcome>, variant: Variant) -> Option<&Measured> {
        of.get(&variant)?.as_ref().ok()
    }

    /// The figures of a program in a variant.
    pub fn figures(of: &BTreeMap<Variant, Outcome>, variant: Variant) -> Option<&Figures> {
        Some(&Self::measured(of, variant)?.figures)
    }

    /// The ratio of the mean times of two variants, for each program that has both.
    pub fn ratios(&self, variant: Variant, to: Variant) -> Vec<(&str, f64)> {
        let ratio = |of| Some(MeanRatio::of(Self::seconds(of, variant)?, Self::seconds(of, to)?)?.value);
        self.programs.iter().filter_map(|(name, of)| Some((name.as_str(), ratio(of)?))).collect()
    }

    /// One line for each fault.
    pub fn faults(&self) -> Vec<String> {
        let of_programs = self.programs.iter().flat_map(|(name, of)| {
            let fault = move |(variant, outcome): (&Variant, &Outcome)| {
                Some(format!("{name}: {}: {}", variant.name(), outcome.as_ref().err()?))
            };
            of.iter().filter_map(fault)
        });
        let of_folds = self.folds.iter().filter_map(|(bases, variant, outcome)| {
            Some(format!("rnafold of {bases} bases: {}: {}", variant.name(), outcome.as_ref().err()?))
        });
        let of_paths = self
            .whole_paths
            .iter()
            .filter_map(|(name, outcome)| Some(format!("{name}: whole path: {}", outcome.as_ref().err()?)));
        of_programs.chain(of_folds).chain(of_paths).collect()
    }
}

/// Runs jobs: rounds, progress display and child processes are those of all of them.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// Number of runs of each timed variant.
    pub rounds: Rounds,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: &'a Path,
    /// The child processes.
    pub children: &'a Children,
}

impl Runner<'_> {
    /// Measures every program in every variant, then the further jobs.
    pub fn measure(
        &self,
        subjects: &[Subject],
        variants: &BTreeSet<Variant>,
        folds: &[(u64, Job)],
    ) -> Result<Measurements, Interrupted> {
        let rounds = self.rounds.get() as usize;
        let takes_counts = variants.iter().any(|variant| variant.takes_frequencies());
        let runs = variants.iter().map(|variant| if variant.is_timed() { rounds } else { 1 }).sum::<usize>();
        let runs = runs + usize::from(takes_counts);
        let bar = progress::bar(self.progress, (subjects.len() * runs + folds.len() * rounds) as u64);
        let mut measured = Measurements::default();
        for subject in subjects {
            let jobs: Vec<Job> = variants.iter().map(|&variant| job(subject, variant)).collect();
            let mut counts = Ok(String::new());
            if takes_counts {
                bar.set_message(format!("{}: edges", subject.name));
                bar.inc(1);
                counts = self.edge_counts(subject)?;
            }
            let outcomes = self.take_turns(&jobs, &counts, |job| {
                bar.set_message(format!("{}: {}", subject.name, job.variant.name()));
                bar.inc(1);
            })?;
            if subject.arithmetic == Arithmetic::Fp {
                measured.floating.insert(subject.name.clone());
            }
            measured.programs.push((subject.name.clone(), variants.iter().copied().zip(outcomes).collect()));
        }
        let jobs: Vec<Job> = folds.iter().map(|(_, job)| job.clone()).collect();
        let outcomes = self.take_turns(&jobs, &Ok(String::new()), |job| {
            bar.set_message(format!("a strand of another length: {}", job.variant.name()));
            bar.inc(1);
        })?;
        bar.finish_and_clear();
        measured.folds = folds.iter().zip(outcomes).map(|((at, job), outcome)| (*at, job.variant, outcome)).collect();
        Ok(measured)
    }

    /// The figures of every program's whole path, one run each.
    pub fn whole_paths(&self, subjects: &[Subject]) -> Result<WholePaths, Interrupted> {
        let bar = progress::bar(self.progress, subjects.len() as u64);
        let mut measured = Vec::new();
        for subject in subjects {
            bar.set_message(format!("{}: whole path", subject.name));
            let request = Request::WholePath(job(subject, Variant::Plain));
            measured.push((subject.name.clone(), self.ask(&request, "")?));
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(measured)
    }

    /// Counts of a base run of a program, for the input of jobs that take them; or the program's fault.
    fn edge_counts(&self, subject: &Subject) -> Result<Result<String, String>, Interrupted> {
        let counts = self.ask::<EdgeCounts>(&Request::Base(job(subject, Variant::Plain)), "")?;
        Ok(counts.map(|counts| counts.text()).map_err(|fault| format!("in the run that counts edges: {fault}")))
    }

    fn take_turns(
        &self,
        jobs: &[Job],
        counts: &Result<String, String>,
        before: impl Fn(&Job),
    ) -> Result<Vec<Outcome>, Interrupted> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; jobs.len()];
        for round in 0..self.rounds.get() {
            for (job, outcome) in jobs.iter().zip(&mut outcomes) {
                if round > 0 && !job.variant.is_timed() {
                    continue;
                }
                before(job);
                if matches!(outcome, Some(Err(_))) {
                    continue;
                }
                let job = Job { figures: job.figures && round == 0, ..job.clone() };
                let answer = match job.variant.takes_frequencies() {
                    true => match counts {
                        Ok(counts) => self.ask(&Request::Run(job), counts)?,
                        Err(fault) => Err(fault.clone()),
                    },
                    false => self.ask(&Request::Run(job), "")?,
                };
                *outcome = Some(joined(outcome.take(), answer));
            }
        }
        Ok(outcomes.into_iter().map(|outcome| outcome.expect("there is at least one round")).collect())
    }

    /// Asks a child process, with something on its standard input.
    fn ask<T: DeserializeOwned>(&self, request: &Request, input: &str) -> Result<Result<T, String>, Interrupted> {
        answer((self.executable, "reproduce"), request, input, self.children)
    }
}

/// The run of a program in a variant, with the figures of its profile.
fn job(subject: &Subject, variant: Variant) -> Job {
    let Subject { code, size, output, .. } = subject.clone();
    Job { program: code, size, output, replaced: None, variant, figures: true }
}

/// The outcome of a job after one more run.
fn joined(before: Option<Outcome>, answer: Result<Answer, String>) -> Outcome {
    let Answer { seconds, whole_seconds, printed, specialized, figures, probes, hardware } = answer?;
    let mut joined = match before {
        Some(before) => before?,
        None => {
            Measured { seconds: Vec::new(), whole_seconds: Vec::new(), printed, specialized, figures, probes, hardware }
        }
    };
    joined.seconds.push(seconds);
    joined.whole_seconds.push(whole_seconds);
    Ok(joined)
}

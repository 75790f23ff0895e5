//! A specialized loop of a version in use: what it should save, and how many of its iterations may fail.
//!
//! In: a proposal, later guard reports, and the measured gain of a version that has this loop alone. Out: figures for
//! decisions and events. Invariant: a measured gain only adds to the failures that pay, as it is a part of the program's
//! time, and a larger one of the loop's.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_jit::VersionId;

use crate::gain::{gain_at, measured_break_even};
use crate::{LoopGuards, Proposal, Settings};

/// A specialized loop, and how it does.
#[derive(Clone, Debug)]
pub(crate) struct LoopInUse {
    pub(crate) proposal: Arc<Proposal>,
    /// Iterations and failures of each version of the plan up to its last report.
    seen: BTreeMap<VersionId, (u64, u64)>,
    /// Iterations when they were last told.
    pub(crate) told: u64,
    /// The part of iterations that may fail: as expected, or as measured where that is more.
    pub(crate) break_even: f64,
    /// The measured gain, and the part of iterations that failed then.
    measured: Option<(f64, f64)>,
}

impl LoopInUse {
    pub(crate) fn new(proposal: Arc<Proposal>, settings: &Settings) -> LoopInUse {
        let break_even = proposal.estimate.break_even(settings.guard_penalty);
        LoopInUse { proposal, seen: BTreeMap::new(), told: 0, break_even, measured: None }
    }

    /// The version was measured to save `gain` of the program's time, with the failures that were seen. It is a larger
    /// part of the loop's time, so a smaller gain than expected is no reason to bear fewer failures.
    pub(crate) fn gained(&mut self, gain: f64, penalty: f64) {
        let measured = measured_break_even(gain, self.rate(), self.proposal.estimate.ratio(), penalty);
        self.break_even = self.break_even.max(measured);
        self.measured = Some((gain, self.rate()));
    }

    /// The part of the program's time that it saved in all, by what was measured: iterations that failed later cost what
    /// the measurement did not see.
    pub(crate) fn gained_in_all(&self, penalty: f64) -> Option<f64> {
        let (gain, rate) = self.measured?;
        Some(gain - (self.rate() - rate) * (1.0 + penalty - self.proposal.estimate.ratio()))
    }

    /// The part of its loop's time that it saved, by the failures that were seen.
    pub(crate) fn gain_seen(&self, penalty: f64) -> f64 {
        gain_at(self.proposal.estimate.ratio(), penalty, self.rate())
    }

    /// Takes a report of a version; gives the iterations and failures since the one before, if they are so many.
    pub(crate) fn report(&mut self, version: VersionId, guards: &LoopGuards, least: u64) -> Option<(u64, u64)> {
        let seen = self.seen.entry(version).or_default();
        let (iterations, failures) = (guards.iterations.saturating_sub(seen.0), guards.failures.saturating_sub(seen.1));
        if iterations < least {
            return None;
        }
        *seen = (guards.iterations, guards.failures);
        Some((iterations, failures))
    }

    /// Iterations and failures of all versions, up to the last reports.
    pub(crate) fn seen(&self) -> (u64, u64) {
        self.seen.values().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }

    /// The part of iterations that failed, up to the last reports.
    pub(crate) fn rate(&self) -> f64 {
        let (iterations, failures) = self.seen();
        if iterations > 0 { failures as f64 / iterations as f64 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_proposal::proposal;

    #[test]
    fn a_gain_that_was_measured_pays_for_more_failures_than_were_expected() {
        let proposal = proposal(0.9, 1.0, 2.0);
        assert!((proposal.estimate.gain(1.0) - 0.35).abs() < 1e-9, "nine tenths save a half, one costs as much again");
        let mut in_use = LoopInUse::new(Arc::new(proposal), &Settings::background());
        let expected = in_use.break_even;
        in_use.seen = [(VersionId(1), (1_000, 330))].into();
        in_use.gained(0.001, 1.0);
        assert_eq!(in_use.break_even, expected, "so little is no reason to bear less");
        in_use.gained(0.15, 1.0);
        assert!((in_use.break_even - 0.43).abs() < 1e-9, "{} instead of {expected}", in_use.break_even);
    }
}

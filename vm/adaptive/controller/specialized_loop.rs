//! A specialized loop of a version: what it should save, and how many of its iterations may fail.
//!
//! In: the candidate of a profile, later the measured gain of a version that has this loop alone. Out: figures for decisions and events. Invariant: a
//! measured gain only adds to the failures that pay, as it is a part of the program's time, and a larger one of the loop's.

use std::collections::BTreeMap;

use holloway_jit::VersionId;

use crate::adaptive::decide::{break_even, gain_at, measured_break_even};
use crate::adaptive::input::{LoopCandidate, LoopGuards};
use crate::adaptive::settings::HOT_EXIT;
use crate::adaptive::specialization::{LoopPlan, Specialization};

/// A specialized loop of a plan, and how it does.
#[derive(Clone, Debug)]
pub(super) struct SpecializedLoop {
    pub(super) plan: LoopPlan,
    pub(super) lines: Vec<u32>,
    pub(super) coverage: f64,
    pub(super) cost: f64,
    pub(super) general_cost: f64,
    /// Iterations and failures of each version of the plan up to its last report.
    seen: BTreeMap<VersionId, (u64, u64)>,
    /// The part of iterations that failed in the last report.
    last_rate: f64,
    /// Iterations when they were last told.
    pub(super) told: u64,
    /// Reports in a row in which far more iterations failed than the profile said.
    pub(super) hot: u32,
    /// The part of iterations that may fail: as expected, or as measured where that is more.
    pub(super) break_even: f64,
    /// The measured gain, and the part of iterations that failed then.
    measured: Option<(f64, f64)>,
}

impl SpecializedLoop {
    /// The loop that a profile found; a trace with the rate of failures that it can bear.
    pub(super) fn of(candidate: &LoopCandidate, penalty: f64) -> SpecializedLoop {
        let mut specialized = SpecializedLoop {
            plan: candidate.plan.clone(),
            lines: candidate.lines.clone(),
            coverage: candidate.coverage,
            cost: candidate.cost,
            general_cost: candidate.general_cost,
            seen: BTreeMap::new(),
            last_rate: 1.0 - candidate.coverage,
            told: 0,
            hot: 0,
            break_even: 0.0,
            measured: None,
        };
        specialized.break_even = break_even(specialized.ratio(), penalty);
        if let Specialization::Trace(trace) = &mut specialized.plan.specialization {
            trace.break_even = specialized.break_even;
        }
        specialized
    }

    /// It, as a profile of what it did in the last report would find it.
    pub(super) fn as_it_is(&self) -> LoopCandidate {
        LoopCandidate {
            plan: self.plan.clone(),
            coverage: 1.0 - self.last_rate,
            cost: self.cost,
            general_cost: self.general_cost,
            lines: self.lines.clone(),
        }
    }

    /// The part of its loop's time that it should save, if as many iterations fail as were not covered.
    pub(super) fn gain(&self, penalty: f64) -> f64 {
        gain_at(self.ratio(), penalty, 1.0 - self.coverage)
    }

    /// The version was measured to save `gain` of the program's time, with the failures that were seen. It is a larger part of the loop's time, so a
    /// smaller gain than expected is no reason to bear fewer failures.
    pub(super) fn gained(&mut self, gain: f64, penalty: f64) {
        let measured = measured_break_even(gain, self.rate(), self.ratio(), penalty);
        self.break_even = self.break_even.max(measured);
        self.measured = Some((gain, self.rate()));
    }

    /// The part of the program's time that it saved in all, by what was measured: iterations that failed later cost what the measurement did not see.
    pub(super) fn gained_in_all(&self, penalty: f64) -> Option<f64> {
        let (gain, rate) = self.measured?;
        Some(gain - (self.rate() - rate) * (1.0 + penalty - self.ratio()))
    }

    /// Takes a report of a version; gives the iterations and failures since the one before, if they are so many.
    pub(super) fn report(&mut self, version: VersionId, guards: &LoopGuards, least: u64) -> Option<(u64, u64)> {
        let seen = self.seen.entry(version).or_default();
        let (iterations, failures) = (guards.iterations.saturating_sub(seen.0), guards.failures.saturating_sub(seen.1));
        if iterations < least {
            return None;
        }
        *seen = (guards.iterations, guards.failures);
        self.last_rate = failures as f64 / iterations as f64;
        let is_hot = self.last_rate >= 1.0 - self.coverage + HOT_EXIT;
        self.hot = if is_hot { self.hot + 1 } else { 0 };
        Some((iterations, failures))
    }

    /// Iterations and failures of all versions, up to the last reports.
    pub(super) fn seen(&self) -> (u64, u64) {
        self.seen.values().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }

    /// The part of iterations that failed, up to the last reports.
    pub(super) fn rate(&self) -> f64 {
        let (iterations, failures) = self.seen();
        if iterations > 0 { failures as f64 / iterations as f64 } else { 0.0 }
    }

    /// Time of an iteration in it, by that of a general one.
    pub(super) fn ratio(&self) -> f64 {
        if self.general_cost > 0.0 { self.cost / self.general_cost } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::specialization::{TracePlan, TraceSource};
    use holloway_jit::trace::Layout;
    use holloway_lang::ir::Block;

    #[test]
    fn a_gain_that_was_measured_pays_for_more_failures_than_were_expected() {
        let header = Block::from_u32(1);
        let trace = TracePlan {
            header,
            traces: vec![vec![vec![header]]],
            collapsed: Vec::new(),
            layout: Layout::Apart,
            constants: Vec::new(),
            source: TraceSource::Forest,
            break_even: 0.0,
        };
        let plan = LoopPlan::from(Specialization::Trace(trace));
        let candidate = LoopCandidate { plan, coverage: 0.9, cost: 1.0, general_cost: 2.0, lines: Vec::new() };
        let mut specialized = SpecializedLoop::of(&candidate, 1.0);
        assert!((specialized.gain(1.0) - 0.35).abs() < 1e-9, "nine tenths save a half, one costs as much again");
        let expected = specialized.break_even;
        specialized.seen = [(VersionId(1), (1_000, 330))].into();
        specialized.gained(0.001, 1.0);
        assert_eq!(specialized.break_even, expected, "so little is no reason to bear less");
        specialized.gained(0.15, 1.0);
        assert!((specialized.break_even - 0.43).abs() < 1e-9, "{} instead of {expected}", specialized.break_even);
    }
}

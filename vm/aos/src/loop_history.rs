//! The history of a loop: by it its next profile is put off, and its traces are judged. Back-off: K doubles with each
//! trace whose guards failed before it paid, up to a limit, and starts anew with one that did pay. A loop whose profile
//! finds nothing, or whose trace gains nothing, rests, twice as long each time, and less is expected of the next.

use std::collections::BTreeMap;

use holloway_ir::Block;
use holloway_jit::VersionId;

use crate::event::{DropReason, Episode};
use crate::gain::measured_break_even;
use crate::settings::{FRUITLESS, LEAST_SAVING};
use crate::{Estimate, LoopGuards, Micros, Settings};

#[derive(Clone, Debug, Default)]
pub(crate) struct LoopHistory {
    pub(crate) doublings: u32,
    /// Number of consecutive profiles that led to nothing: they found nothing, or what they found did not pay.
    pub(crate) fruitless: u32,
    pub(crate) rest_until: Micros,
    /// No profile ever, or until it is forgotten.
    pub(crate) settled: bool,
    /// Part of its time that its last trace was expected to save.
    pub(crate) last_gain: Option<f64>,
    pub(crate) dropped: BTreeMap<Vec<Block>, u32>,
    /// Its last profile, and what became of that.
    pub(crate) episode: Option<Episode>,
    /// Iterations and failures of each version with its present traces, up to its last report.
    seen: BTreeMap<VersionId, (u64, u64)>,
    /// Iterations when they were last told.
    pub(crate) told: u64,
    /// The part of iterations that may fail: as expected, or as measured where that is more.
    pub(crate) break_even: f64,
    /// The measured gain of a version that has this loop alone, and the part of iterations that failed then.
    measured: Option<(f64, f64)>,
}

/// Consequences of a drop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Setback {
    pub(crate) times: u32,
    /// The next K; `None` if the loop stays general.
    pub(crate) next_k: Option<u64>,
}

impl LoopHistory {
    pub(crate) fn k(&self, settings: &Settings) -> u64 {
        settings.k << self.doublings
    }

    pub(crate) fn is_ready(&self, now: Micros) -> bool {
        !self.settled && now >= self.rest_until
    }

    /// The part of its time that a trace is expected to save.
    pub(crate) fn expected_gain(&self) -> f64 {
        let prior = self.last_gain.unwrap_or(LEAST_SAVING);
        prior * FRUITLESS.powi(self.fruitless as i32)
    }

    /// A profile found nothing, or its trace did not pay: it rests, longer each time.
    pub(crate) fn found_nothing(&mut self, now: Micros, settings: &Settings) {
        self.rest(now.after(Micros(settings.rest.0 << self.fruitless.min(16))));
        self.fruitless += 1;
    }

    /// A profile found what would pay in a longer run only. The next finds it, too, once as much time is at stake.
    pub(crate) fn came_early(&mut self, now: Micros, settings: &Settings) {
        self.rest(now.after(settings.rest));
    }

    fn rest(&mut self, until: Micros) {
        self.rest_until = until;
        if let Some(episode) = &mut self.episode {
            episode.rest_until = Some(until);
        }
    }

    /// Profiles of the same loop led to nothing, in the function itself or where that is inlined.
    pub(crate) fn rests_like(&mut self, copy: &LoopHistory) {
        self.rest_until = self.rest_until.max(copy.rest_until);
        self.fruitless = self.fruitless.max(copy.fruitless);
    }

    pub(crate) fn specialized(&mut self, estimate: &Estimate, penalty: f64) {
        (self.seen, self.told, self.measured) = (BTreeMap::new(), 0, None);
        self.break_even = estimate.break_even(penalty);
    }

    /// Its version, which has no other loop, was measured to save `gain` of the program's time, with the failures seen.
    /// It is a larger part of the loop's, so a smaller gain than expected is no reason to bear fewer failures.
    pub(crate) fn measured(&mut self, gain: f64, estimate: &Estimate, penalty: f64) {
        let measured = measured_break_even(gain, self.rate(), estimate.ratio(), penalty);
        self.break_even = self.break_even.max(measured);
        self.measured = Some((gain, self.rate()));
    }

    /// The part of the program's time that it saved, less what iterations cost that failed after it was measured.
    pub(crate) fn gained_in_all(&self, estimate: &Estimate, penalty: f64) -> Option<f64> {
        let (gain, rate) = self.measured?;
        Some(gain - (self.rate() - rate) * (1.0 + penalty - estimate.ratio()))
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

    pub(crate) fn found(&mut self, gain: f64) {
        self.last_gain = Some(gain);
    }

    /// Its trace was measured, and gains so much.
    pub(crate) fn gained(&mut self, gain: f64) {
        self.fruitless = 0;
        self.last_gain = Some(gain);
    }

    pub(crate) fn set_back(
        &mut self,
        trace: &[Block],
        (reason, paid): (DropReason, bool),
        now: Micros,
        settings: &Settings,
    ) -> Setback {
        // What comes after a trace whose guards fail is another phase, of which its small gain says nothing; of the
        // phase of one that gains nothing its estimate says nothing.
        self.last_gain = match reason {
            DropReason::NoGain => None,
            _ => self.last_gain.filter(|gain| *gain > LEAST_SAVING),
        };
        let times = self.dropped.entry(trace.to_vec()).or_default();
        *times += 1;
        let times = *times;
        match paid {
            true => (self.doublings, self.fruitless) = (0, 0),
            // A longer run of equal iterations would gain as little.
            false if reason == DropReason::NoGain => {}
            false if self.doublings >= settings.doublings => self.settled = true,
            false => self.doublings += 1,
        }
        if !paid {
            self.found_nothing(now, settings);
        }
        Setback { times, next_k: (!self.settled).then(|| self.k(settings)) }
    }

    /// As good as new, but for its record of traces.
    pub(crate) fn forget(&mut self) {
        (self.doublings, self.fruitless, self.rest_until, self.settled) = (0, 0, Micros(0), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_proposal::proposal;

    #[test]
    fn a_gain_that_was_measured_pays_for_more_failures_than_were_expected() {
        let estimate = proposal(0.9, 1.0, 2.0).estimate;
        assert!((estimate.gain(1.0) - 0.35).abs() < 1e-9, "nine tenths save a half, one costs as much again");
        let mut history = LoopHistory::default();
        history.specialized(&estimate, Settings::background().guard_penalty);
        let expected = history.break_even;
        history.seen = [(VersionId(1), (1_000, 330))].into();
        history.measured(0.001, &estimate, 1.0);
        assert_eq!(history.break_even, expected, "so little is no reason to bear less");
        history.measured(0.15, &estimate, 1.0);
        assert!((history.break_even - 0.43).abs() < 1e-9, "{} instead of {expected}", history.break_even);
    }

    #[test]
    fn a_loop_that_alternates_is_left_alone_after_a_few_tries() {
        let settings = Settings::synchronous();
        let mut history = LoopHistory::default();
        let trace = [Block::from_u32(1)];
        let mut windows = vec![history.k(&settings)];
        while let Some(k) = history.set_back(&trace, (DropReason::GuardsFail, false), Micros(0), &settings).next_k {
            windows.push(k);
        }
        assert_eq!(windows, [1_024, 2_048, 4_096, 8_192, 16_384]);
        assert!(!history.is_ready(Micros(u64::MAX)));
        assert_eq!(history.dropped[trace.as_slice()], 5);
        history.forget();
        assert!(history.is_ready(Micros(0)));
        assert_eq!(history.k(&settings), 1_024);
    }

    #[test]
    fn a_trace_that_paid_starts_the_back_off_anew() {
        let settings = Settings::synchronous();
        let mut history = LoopHistory::default();
        let trace = [Block::from_u32(1)];
        assert_eq!(
            history.set_back(&trace, (DropReason::GuardsFail, false), Micros(0), &settings),
            Setback { times: 1, next_k: Some(2_048) }
        );
        assert_eq!(
            history.set_back(&trace, (DropReason::GuardsFail, false), Micros(0), &settings),
            Setback { times: 2, next_k: Some(4_096) }
        );
        assert_eq!(
            history.set_back(&trace, (DropReason::GuardsFail, true), Micros(0), &settings),
            Setback { times: 3, next_k: Some(1_024) }
        );
    }

    #[test]
    fn a_fruitless_loop_rests_longer_each_time_and_promises_less() {
        let settings = Settings::synchronous();
        let mut history = LoopHistory::default();
        let mut rests = Vec::new();
        for _ in 0..3 {
            history.found_nothing(Micros(0), &settings);
            rests.push(history.rest_until.0 / settings.rest.0);
        }
        assert_eq!(rests, [1, 2, 4]);
        assert_eq!(history.expected_gain(), LEAST_SAVING * FRUITLESS.powi(3));
        let mut copy = LoopHistory::default();
        copy.rests_like(&history);
        assert_eq!((copy.rest_until, copy.fruitless), (history.rest_until, 3));
        copy.rests_like(&LoopHistory::default());
        assert_eq!((copy.rest_until, copy.fruitless), (history.rest_until, 3), "what was found here stays known");
        history.came_early(Micros(1_000), &settings);
        assert_eq!((history.rest_until, history.fruitless), (Micros(1_000).after(settings.rest), 3));
        history.found(0.8);
        assert_eq!(history.expected_gain(), 0.8 * FRUITLESS.powi(3), "what profiles say counts as much as they led to");
        history.gained(0.3);
        assert_eq!(history.expected_gain(), 0.3);
    }
}

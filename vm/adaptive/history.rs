//! Fate of each version, and knowledge of each loop: the memory that decisions rest on.
//!
//! In: installations, ticks, guard reports, drops. Out: [`VersionRecord`]s for tables and stories, [`LoopHistory`]s for back-off.
//! Back-off: a loop's K doubles with each trace that was dropped before it paid, and starts anew with one that did pay; past
//! the limit the loop stays general for good. A loop whose profile finds nothing rests, twice as long each time.
//! Invariant: a record is never removed, so that a run can be told to its end.

use std::collections::BTreeMap;

use holloway_jit::{Leaving, VersionId};
use holloway_lang::ir::{Block, FuncRef};

use super::directive::{CompilationId, Entry};
use super::event::{DropReason, Kind};
use super::input::Micros;
use super::settings::{Settings, VAIN_MARGIN};

/// Groups versions that are the same code entered at different places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generation(pub u32);

/// One version of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct VersionRecord {
    /// Its number.
    pub id: VersionId,
    /// Kind of its code.
    pub kind: Kind,
    /// Entry that leads to it.
    pub entry: Entry,
    /// The code it is one of.
    pub generation: Generation,
    /// The compilation; `None` of what was there first.
    pub compilation: Option<CompilationId>,
    /// Why it was made.
    pub why: String,
    /// When it was installed last.
    pub installed: Micros,
    /// Time that compiling was expected to take, in microseconds.
    pub estimate: f64,
    /// Time that compiling took.
    pub compile: Micros,
    /// Bytes of code.
    pub code_bytes: u64,
    /// Ticks that fell on it.
    pub ticks: u64,
    /// The time they stand for, in microseconds.
    pub time: f64,
    /// Iterations begun on its traces.
    pub iterations: u64,
    /// Number of them that failed.
    pub failures: u64,
    /// Time that its calls took which its profile kept it from inlining, in microseconds.
    pub lost: f64,
    /// Activations that came to it by on-stack replacement.
    pub arrivals: u64,
    /// Functions that are inlined in it.
    pub inlined: Vec<FuncRef>,
    /// True iff it counts iterations, so that its speed can be compared.
    pub counts: bool,
    /// Places at which it can be left while it runs.
    pub leaving: Leaving,
    /// The headers of its own loops that are specialized.
    pub specialized: Vec<Block>,
    /// True iff its inlining was judged, or is.
    pub judged: bool,
    /// State of its use.
    pub state: VersionState,
}

/// States of the use of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionState {
    /// Its entry leads to it.
    Live,
    /// It was replaced and its code is kept.
    Retired,
    /// It is not wanted any more.
    Dropped(DropReason),
    /// Its code is gone.
    Freed(DropReason),
}

/// Knowledge of a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopHistory {
    /// Number of times K was doubled.
    pub(super) doublings: u32,
    /// Number of consecutive profiles that led to nothing: they found nothing, or what they found did not pay.
    pub(super) fruitless: u32,
    /// No profile before this.
    pub(super) rest_until: Micros,
    /// No profile ever, or until it is forgotten.
    pub(super) settled: bool,
    /// Part of its time that its last trace was expected to save.
    pub(super) last_gain: Option<f64>,
    /// Number of times each trace was dropped.
    pub(super) dropped: BTreeMap<Vec<Block>, u32>,
    /// The part of its time that a specialization was expected to save which measured no gain; the greatest of them.
    pub(super) vain_gain: Option<f64>,
    /// Number of times that its traces were left to grow.
    pub(super) grown: u32,
    /// True iff a loop of its frequent paths was measured, and gained nothing. Which of them are the most frequent changes from profile to profile.
    pub(super) alternates_in_vain: bool,
}

/// Consequences of a drop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Setback {
    /// Number of times this very trace was dropped.
    pub(super) times: u32,
    /// The next K; `None` if the loop stays general.
    pub(super) next_k: Option<u64>,
}

impl LoopHistory {
    /// K of its next profile.
    pub(super) fn k(&self, settings: &Settings) -> u64 {
        settings.k << self.doublings
    }

    /// The history of a loop that nothing is known of, but that a trace is expected to save so much.
    pub(super) fn expecting(gain: f64) -> LoopHistory {
        LoopHistory { last_gain: Some(gain), ..LoopHistory::default() }
    }

    /// True iff it may be profiled.
    pub(super) fn is_ready(&self, now: Micros) -> bool {
        !self.settled && now >= self.rest_until
    }

    /// The part of its time that a trace is expected to save.
    pub(super) fn expected_gain(&self, settings: &Settings) -> f64 {
        let prior = self.last_gain.unwrap_or(settings.prior_gain);
        prior * 0.5_f64.powi(self.fruitless as i32)
    }

    /// A profile found nothing.
    pub(super) fn found_nothing(&mut self, now: Micros, settings: &Settings) {
        self.was_fruitless(now, settings.vain_rest);
    }

    /// Another profile led to nothing: it rests so long after the first.
    fn was_fruitless(&mut self, now: Micros, rest: Micros) {
        self.rest_until = now.after(Micros(rest.0 << self.fruitless.min(16)));
        self.fruitless += 1;
    }

    /// Profiles of the same loop led to nothing, in the function itself or where that is inlined.
    pub(super) fn rests_like(&mut self, copy: &LoopHistory) {
        self.rest_until = self.rest_until.max(copy.rest_until);
        self.fruitless = self.fruitless.max(copy.fruitless);
    }

    /// A profile found a trace.
    pub(super) fn found(&mut self, gain: f64) {
        self.last_gain = Some(gain);
    }

    /// A specialization that should save so much was measured, and gains nothing.
    pub(super) fn gained_nothing(&mut self, expected: f64) {
        self.vain_gain = Some(self.vain_gain.map_or(expected, |known| known.max(expected)));
    }

    /// True iff a specialization that should save as much, or little less, measured no gain.
    pub(super) fn is_vain(&self, expected: f64) -> bool {
        self.vain_gain.is_some_and(|known| expected < VAIN_MARGIN * known)
    }

    /// Its trace was measured, and gains so much.
    pub(super) fn gained(&mut self, gain: f64) {
        self.fruitless = 0;
        self.vain_gain = None;
        self.last_gain = Some(gain);
    }

    /// Its trace was dropped.
    pub(super) fn set_back(&mut self, trace: &[Block], paid: bool, now: Micros, settings: &Settings) -> Setback {
        let times = self.dropped.entry(trace.to_vec()).or_default();
        *times += 1;
        let times = *times;
        match paid {
            true => (self.doublings, self.fruitless) = (0, 0),
            false if self.doublings >= settings.doublings => self.settled = true,
            false => self.doublings += 1,
        }
        if !paid {
            self.was_fruitless(now, settings.rest);
        }
        Setback { times, next_k: (!self.settled).then(|| self.k(settings)) }
    }

    /// An exit of its traces is hot: another profile, as long as the last one, should find as good ones of all that it does by now.
    pub(super) fn grow(&mut self, trace: &[Block], gain: f64, settings: &Settings) -> Setback {
        let times = self.dropped.entry(trace.to_vec()).or_default();
        *times += 1;
        let times = *times;
        self.grown += 1;
        (self.fruitless, self.rest_until) = (0, Micros(0));
        self.found(gain);
        Setback { times, next_k: Some(self.k(settings)) }
    }

    /// As good as new, but for its record of traces.
    pub(super) fn forget(&mut self) {
        *self = Self { dropped: std::mem::take(&mut self.dropped), last_gain: self.last_gain, ..Self::default() };
    }
}

impl VersionRecord {
    /// A version that was just installed, and that no compilation is known of.
    pub(super) fn new(
        id: VersionId,
        kind: Kind,
        entry: Entry,
        generation: Generation,
        why: String,
        installed: Micros,
    ) -> Self {
        Self {
            id,
            kind,
            entry,
            generation,
            compilation: None,
            why,
            installed,
            estimate: 0.0,
            compile: Micros(0),
            code_bytes: 0,
            ticks: 0,
            time: 0.0,
            iterations: 0,
            failures: 0,
            lost: 0.0,
            arrivals: 0,
            inlined: Vec::new(),
            counts: false,
            leaving: Leaving::AtHeaders,
            specialized: Vec::new(),
            judged: false,
            state: VersionState::Live,
        }
    }

    /// True iff its entry leads to it.
    pub fn is_live(&self) -> bool {
        self.state == VersionState::Live
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_alternates_is_left_alone_after_a_few_tries() {
        let settings = Settings::synchronous();
        let mut history = LoopHistory::default();
        let trace = [Block::from_u32(1)];
        let mut windows = vec![history.k(&settings)];
        while let Some(k) = history.set_back(&trace, false, Micros(0), &settings).next_k {
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
        assert_eq!(history.set_back(&trace, false, Micros(0), &settings), Setback { times: 1, next_k: Some(2_048) });
        assert_eq!(history.set_back(&trace, false, Micros(0), &settings), Setback { times: 2, next_k: Some(4_096) });
        assert_eq!(history.set_back(&trace, true, Micros(0), &settings), Setback { times: 3, next_k: Some(1_024) });
    }

    #[test]
    fn a_fruitless_loop_rests_longer_each_time_and_promises_less() {
        let settings = Settings::synchronous();
        let mut history = LoopHistory::default();
        let mut rests = Vec::new();
        for _ in 0..3 {
            history.found_nothing(Micros(0), &settings);
            rests.push(history.rest_until.0 / settings.vain_rest.0);
        }
        assert_eq!(rests, [1, 2, 4]);
        assert_eq!(history.expected_gain(&settings), settings.prior_gain / 8.0);
        let mut copy = LoopHistory::default();
        copy.rests_like(&history);
        assert_eq!((copy.rest_until, copy.fruitless), (history.rest_until, 3));
        copy.rests_like(&LoopHistory::default());
        assert_eq!((copy.rest_until, copy.fruitless), (history.rest_until, 3), "what was found here stays known");
        history.found(0.8);
        assert_eq!(history.expected_gain(&settings), 0.1, "what profiles say counts as much as they led to");
        history.gained(0.3);
        assert_eq!(history.expected_gain(&settings), 0.3);
    }

    #[test]
    fn what_measured_no_gain_is_tried_again_if_more_is_expected() {
        let mut history = LoopHistory::default();
        assert!(!history.is_vain(0.0));
        history.gained_nothing(0.2);
        history.gained_nothing(0.1);
        assert_eq!([0.1, 0.2, 0.24, 0.26].map(|gain| history.is_vain(gain)), [true, true, true, false]);
        history.gained(0.1);
        assert!(!history.is_vain(0.2), "it gained meanwhile");
        history.gained_nothing(0.2);
        history.forget();
        assert!(!history.is_vain(0.2));
    }
}

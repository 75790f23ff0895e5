//! Traces that grow: if iterations leave them far more often than the profile said, what they do then gets traces of its own, as exits of a trace tree do
//! in [GF06].
//!
//! In: the rates at which a version's only specialized loop fails, while the version still pays. Out: the version is left for another profile, of which the
//! loop gets traces of all that it repeats by now. What follows an exit is not known before.
//! Invariants: a loop's traces grow a few times and then no more until its history is forgotten; a version that is being compared stays.
//!
//! [GF06] A. Gal, M. Franz, "Incremental Dynamic Code Generation with Trace Trees", TR ICS-TR-06-16, UC Irvine 2006.

use holloway_lang::ir::FuncRef;

use super::specialized_loop::SpecializedLoop;
use super::{Controller, Directive};
use crate::adaptive::decide::{Prospect, decide, gain_at};
use crate::adaptive::event::{Choice, DropReason, Kind};
use crate::adaptive::input::Micros;
use crate::adaptive::settings::{HOT_REPORTS, MOST_GROWN};

impl Controller {
    /// Leaves a version for another profile. If that finds nothing for any loop, the loop has again what it had.
    pub(super) fn leave_to_grow(&mut self, now: Micros, func: FuncRef) -> Vec<Directive> {
        let watched = self.watched_mut(func);
        watched.before = watched.current.loops.first().map(SpecializedLoop::as_it_is);
        self.back_to_general(now, func, DropReason::ExitHot)
    }

    /// True iff the only specialized loop of a version, which fails `rate` of its iterations, is worth another profile.
    pub(super) fn should_grow(&self, now: Micros, func: FuncRef, specialized: &SpecializedLoop, rate: f64) -> bool {
        let watched = self.watched(func);
        let (at, expected) = (specialized.plan.at(), 1.0 - specialized.coverage);
        let is_compared = self.comparison.as_ref().is_some_and(|one| one.func == func);
        let has_grown = watched.loops.get(&at).is_none_or(|history| history.grown >= MOST_GROWN);
        if specialized.hot < HOT_REPORTS || watched.current.loops.len() != 1 || is_compared || has_grown {
            return false;
        }
        let is_possible = ![Kind::Profiled, Kind::Specialized].iter().any(|kind| watched.impossible.contains(kind));
        let is_worth = watched.worth_profiling(now, &self.settings).iter().any(|(worth, _)| *worth == at);
        let share = watched.share_of(&specialized.plan, now, self.settings.half_life);
        let gain_at = |rate: f64| gain_at(specialized.ratio(), self.settings.guard_penalty, rate);
        let gain = share * (gain_at(expected) - gain_at(rate)) / (1.0 - gain_at(rate));
        if !is_possible || !is_worth || gain < self.settings.least_saving || !self.may_spend(now) {
            return false;
        }
        let prospect = Prospect { gain, window: self.profile_cost(func, &[at]) };
        decide(&self.situation(now, func, Ok(prospect))).choice == Choice::Profile
    }
}

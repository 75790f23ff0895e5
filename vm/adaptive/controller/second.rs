//! The second choice of a profile: a loop that another one, which promised more, took the place of. It has its turn if that one is declined, or its version left.
//!
//! In: such candidates. Out: a `considered` event, and perhaps the version of the best of them, without another profile.
//! An inner loop may well take the same way each time where the path of the loop around changes with a parameter.

use holloway_lang::ir::FuncRef;

use super::profiling::Promising;
use super::{Controller, Directive};
use crate::adaptive::event::{Choice, DropReason, Trigger};
use crate::adaptive::input::{LoopCandidate, Micros};

impl Controller {
    /// Leaves a specialized version, so many loops of which fell, for general code, and that for the second choice. Beside a loop that did well
    /// there would be another profile.
    pub(super) fn leave_specialized(
        &mut self,
        now: Micros,
        func: FuncRef,
        reason: DropReason,
        fell: usize,
    ) -> Vec<Directive> {
        let current = &mut self.watched_mut(func).current;
        let (second, all_fell) = (std::mem::take(&mut current.second), fell == current.loops.len());
        let mut directives = self.back_to_general(now, func, reason);
        if all_fell {
            directives.extend(self.specialize_second(now, func, &second));
        }
        directives
    }

    /// Specializes the best of other loops, if that pays.
    fn specialize_second(&mut self, now: Micros, func: FuncRef, second: &[LoopCandidate]) -> Option<Directive> {
        // Without general code from before, that comes first.
        if self.watched(func).next.is_some() {
            return None;
        }
        let best = self.best_second(now, func, second)?;
        let decision = self.decide_on(now, func, Ok(best.saved()));
        self.tell_choice(now, func, Trigger::VersionLeft, &decision);
        let pays = decision.choice == Choice::Specialize;
        pays.then(|| self.specialize(now, func, (vec![best], Vec::new()), 0.0, decision.reason))
    }

    /// The loop that promises most of those that others took the place of.
    pub(super) fn best_second(&mut self, now: Micros, func: FuncRef, second: &[LoopCandidate]) -> Option<Promising> {
        let promising = second.iter().filter_map(|candidate| self.promise(now, func, candidate).ok());
        promising.max_by(|a, b| a.saved().total_cmp(&b.saved()))
    }
}

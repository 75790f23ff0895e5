//! The second choice of a profile: a loop that was not specialized since another one promised more, and whose version was then left.
//!
//! In: the candidates that the version took the place of. Out: a `considered` event, and perhaps the version of the best of them, without another profile.
//! An inner loop may well take the same way each time where the path of the loop around changes with a parameter.

use holloway_lang::ir::FuncRef;

use super::profiling::Promising;
use super::{Controller, Directive};
use crate::adaptive::event::{Choice, Trigger};
use crate::adaptive::input::{LoopCandidate, Micros};

impl Controller {
    /// Specializes the best of other loops, if that pays.
    pub(super) fn specialize_second(
        &mut self,
        now: Micros,
        func: FuncRef,
        second: Vec<LoopCandidate>,
    ) -> Option<Directive> {
        // Without general code from before, that comes first.
        if self.watched(func).next.is_some() {
            return None;
        }
        let best = self.best_second(now, func, &second)?;
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

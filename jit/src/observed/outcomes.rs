//! The outcomes of a branch, and how well a branch predictor does with them.
//!
//! In: the cell in which baseline code notes how a branch goes: the latest outcomes, looked at now and then, and how
//! often one was another than that before. Out: whether the branch is foreseen.
//!
//! Counts of edges cannot tell a branch that alternates, or that goes one way for a thousand iterations and then the
//! other, from one that follows random data. Predictors can: they look at what followed the same outcomes before. So
//! does [`Outcomes`], after the two-level adaptive predictor with local histories [YP91], with a table of its own for
//! each look, so that nothing is kept between.
//!
//! [YP91] T.-Y. Yeh, Y. N. Patt, "Two-Level Adaptive Training Branch Prediction", MICRO 1991.

use crate::settings::outcomes::{HISTORY, LEARNED, MISSED};

/// Words of a cell: the last 64 outcomes, the latest in the lowest bit, and the number of changes from one outcome to
/// the next.
pub const OUTCOME_WORDS: usize = 2;

/// Outcomes that predictors would have missed: one that goes by a history, of those that were looked at; one that
/// foresees the last outcome again, of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    judged: u32,
    missed: u32,
    changes: u64,
}

impl Outcomes {
    /// Looks at the last 64 outcomes of a branch, the latest in the lowest bit.
    pub fn look(&mut self, outcomes: u64) {
        let mut followed = [None; 1 << HISTORY];
        for at in (0..u64::BITS - HISTORY).rev() {
            let outcome = outcomes >> at & 1;
            let history = (outcomes >> (at + 1)) as usize & (followed.len() - 1);
            // Where a history is new, the branch is taken to do what it did last.
            let foreseen = followed[history].unwrap_or(history as u64 & 1);
            if at < u64::BITS - HISTORY - LEARNED {
                self.judged += 1;
                self.missed += u32::from(foreseen != outcome);
            }
            followed[history] = Some(outcome);
        }
    }

    /// Adds the number of changes since the branch was compiled.
    #[must_use]
    pub fn with_changes(self, changes: u64) -> Outcomes {
        Outcomes { changes, ..self }
    }

    /// True iff one of the predictors gets the branch, executed so often, right so often that it needs no help.
    pub fn are_foreseen(&self, executions: u64) -> bool {
        let by_history = f64::from(self.missed) < MISSED * f64::from(self.judged);
        let by_the_last = (self.changes as f64) < MISSED * executions as f64;
        by_history || by_the_last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreseen(mut outcome: impl FnMut(u64) -> bool) -> bool {
        let mut outcomes = Outcomes::default();
        for look in 0..4 {
            outcomes.look((0..64).fold(0, |word, at| word << 1 | u64::from(outcome(1000 * look + at))));
        }
        outcomes.with_changes(u64::MAX).are_foreseen(256)
    }

    #[test]
    fn long_runs_and_short_periods_are_foreseen() {
        assert!(foreseen(|_| true));
        assert!(foreseen(|at| at % 64 < 30));
        for period in 2..10 {
            assert!(foreseen(|at| at % period < period / 2), "period {period}");
        }
    }

    #[test]
    fn random_outcomes_are_not() {
        for rarer in [20, 30, 50] {
            let mut state = 1_u64;
            let random = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % 100 < rarer
            };
            assert!(!foreseen(random), "{rarer}%");
        }
    }

    #[test]
    fn runs_are_foreseen_even_if_the_looks_fell_on_noise() {
        let mut outcomes = Outcomes::default();
        outcomes.look(0x6a09_e667_f3bc_c908);
        assert!(!outcomes.with_changes(300).are_foreseen(1000));
        assert!(outcomes.with_changes(100).are_foreseen(1000));
        assert!(!Outcomes::default().with_changes(300).are_foreseen(1000), "nobody looked");
    }
}

//! The outcomes of a branch, and how well a branch predictor does with them.
//!
//! In: the word that baseline code shifts the outcomes of a branch into, looked at now and then. Out: whether the branch is foreseen.
//!
//! Counts of edges cannot tell a branch that alternates, or that goes one way for a thousand iterations and then the other, from one
//! that follows random data. Predictors can: they look at what followed the same outcomes before. So does [`Outcomes`], after the
//! two-level adaptive predictor with local histories [YP91], with a table of its own for each look, so that nothing is kept between.
//!
//! [YP91] T.-Y. Yeh, Y. N. Patt, "Two-Level Adaptive Training Branch Prediction", MICRO 1991.

use crate::settings::outcomes::{HISTORY, LEARNED, MISSED};

/// How many of the outcomes that were looked at a predictor would have missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    judged: u32,
    missed: u32,
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

    /// True iff a predictor gets the branch right so often that it needs no help; not before it was looked at.
    pub fn are_foreseen(&self) -> bool {
        self.judged > 0 && f64::from(self.missed) < MISSED * f64::from(self.judged)
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
        outcomes.are_foreseen()
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
        assert!(!Outcomes::default().are_foreseen());
    }
}

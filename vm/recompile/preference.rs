//! Choice among candidates: which specialization of a loop, and of which loops, where they cannot stand together.
//!
//! In: candidates as they were weighed. Out: the best of each loop, and why others are left. Invariant: what is preferred is the part of the time that
//! it should save, less what failing guards cost.

use super::settings::{LEAST_OF_FREQUENT, SPLIT_TRUST};
use crate::adaptive::{LoopCandidate, LoopFindings, NoCandidate, Specialization, gain_at};
use holloway_lang::ir::Block;
use std::collections::BTreeSet;

/// A measure of candidates.
#[derive(Clone, Copy)]
pub(super) struct Preference {
    /// Cost of a failing guard besides the iteration, as a part of a general one.
    pub(super) guard_penalty: f64,
}

impl Preference {
    /// True if a candidate should save enough to be one.
    pub(super) fn is_enough(self, candidate: &LoopCandidate) -> bool {
        !candidate.plan.is_of_several_paths() || self.saved(candidate) >= LEAST_OF_FREQUENT
    }

    /// The part that a candidate should save, for choosing among those of one loop.
    pub(super) fn of(self, candidate: &LoopCandidate) -> f64 {
        match candidate.plan.specialization {
            Specialization::Trace(_) => self.saved(candidate),
            Specialization::Split(_) => SPLIT_TRUST * self.saved(candidate),
        }
    }

    /// Code with a loop that is split has no traces beside it: where one is a candidate, only the best of all candidates stays.
    pub(super) fn leave_one_split(self, loops: &mut [LoopFindings]) {
        let candidates = || loops.iter().filter_map(|found| found.candidate.as_ref().ok());
        if candidates().any(|candidate| matches!(candidate.plan.specialization, Specialization::Split(_))) {
            let best = candidates().map(|candidate| self.saved(candidate)).fold(f64::MIN, f64::max);
            for found in loops {
                if found.candidate.as_ref().is_ok_and(|candidate| self.saved(candidate) < best) {
                    leave_second(found);
                }
            }
        }
    }

    /// Traces that pass the same loops cannot be formed in one body: of those that do only the best stays.
    pub(super) fn leave_apart(self, loops: &mut [LoopFindings]) {
        let mut by_gain: Vec<usize> = (0..loops.len()).filter(|at| loops[*at].candidate.is_ok()).collect();
        let saved_at =
            |loops: &[LoopFindings], at: usize| loops[at].candidate.as_ref().map_or(0.0, |one| self.saved(one));
        by_gain.sort_by(|a, b| saved_at(loops, *b).total_cmp(&saved_at(loops, *a)));
        let mut passed: BTreeSet<Block> = BTreeSet::new();
        for at in by_gain {
            let Ok(candidate) = &loops[at].candidate else { continue };
            let blocks = candidate.plan.blocks();
            if blocks.iter().any(|block| passed.contains(block)) {
                leave_second(&mut loops[at]);
            } else {
                passed.extend(blocks);
            }
        }
    }

    /// The part of a loop's time that a candidate should save.
    fn saved(self, candidate: &LoopCandidate) -> f64 {
        let ratio = candidate.cost / candidate.general_cost.max(f64::MIN_POSITIVE);
        gain_at(ratio, self.guard_penalty, 1.0 - candidate.coverage)
    }
}

/// Another loop is specialized instead.
fn leave_second(found: &mut LoopFindings) {
    found.second = std::mem::replace(&mut found.candidate, Err(NoCandidate::AnotherLoop)).ok();
}

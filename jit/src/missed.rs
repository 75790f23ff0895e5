//! Calls that optimized code makes because of its profile, while the profile may come to be out of date.
//!
//! In: a call that is not inlined because it was hardly ever made, or the one behind the failed test of an indirect call's usual target. Out: a cell in
//! which code counts it, and what it calls. Both are off the usual way, so what is hot carries nothing for them.
//! Invariant: a cell stays where it is as long as this lives, and code that counts in it keeps it alive.

use crate::observed::{TARGET_WORDS, TargetCell};
use holloway_lang::ir::{Block, FuncRef};
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a cell: those of the target, then how often the call was made, and how often its test held.
const WORDS: usize = TARGET_WORDS + 2;
const MISSES: usize = TARGET_WORDS;
const HITS: usize = TARGET_WORDS + 1;

/// Expectation that is not met when such a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The call is hardly ever made.
    Rare,
    /// It calls the function that is inlined instead.
    Target,
}

/// One such call.
#[derive(Debug)]
pub struct MissedCall {
    /// The expectation.
    pub expectation: Expectation,
    /// The blocks of the call and of the inlined calls around it, innermost first.
    pub blocks: Vec<(FuncRef, Block)>,
    /// The number of its instruction in the innermost block.
    pub inst: usize,
    cell: [AtomicU64; WORDS],
}

/// Counts of such a call since its code was compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissedCounts {
    /// Calls that were made.
    pub misses: u64,
    /// Tests that held, where they may well fail: elsewhere they are not counted.
    pub hits: u64,
}

impl MissedCounts {
    /// The counts since earlier ones.
    #[must_use]
    pub fn since(self, earlier: MissedCounts) -> MissedCounts {
        MissedCounts { misses: self.misses - earlier.misses, hits: self.hits - earlier.hits }
    }
}

impl MissedCall {
    /// A call that was not made yet.
    pub fn new(expectation: Expectation, blocks: Vec<(FuncRef, Block)>, inst: usize) -> MissedCall {
        MissedCall { expectation, blocks, inst, cell: Default::default() }
    }

    /// The counts so far.
    pub fn counts(&self) -> MissedCounts {
        let word = |at: usize| self.cell[at].load(Ordering::Relaxed);
        MissedCounts { misses: word(MISSES), hits: word(HITS) }
    }

    /// The functions that it called, if it is an indirect call.
    pub fn target(&self) -> TargetCell {
        TargetCell::of_words(std::array::from_fn(|at| self.cell[at].load(Ordering::Relaxed)))
    }

    /// The address of the words of its target.
    pub(crate) fn target_address(&self) -> usize {
        self.address(0)
    }

    /// The address of the count of calls.
    pub(crate) fn misses_address(&self) -> usize {
        self.address(MISSES)
    }

    /// The address of the count of tests that held.
    pub(crate) fn hits_address(&self) -> usize {
        self.address(HITS)
    }

    fn address(&self, at: usize) -> usize {
        self.cell[at].as_ptr().expose_provenance()
    }
}

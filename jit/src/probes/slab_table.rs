//! Tables of slabs: what compiled code and the runtime agree on.
//!
//! Code gathers the ids of paths in a word, a [slab](holloway_profiler::forest::slab), and counts each full one by its
//! *state*, which is what the slabs before it in the activation say about the sequences that it continues:
//!
//! ```text
//!   header | base | mask | periods ... |     slot | word | state | count | next state |
//!
//!   slot = base + (hash(word, state) & mask), then the slots behind it, until word and state are these (count += 1; state = next)
//!   or the word is 0: the runtime makes a slot
//! ```
//!
//! The search is in assembly (RuntimeCall::CountSlab, `jit/src/arch/x64/counting.rs`) and keeps all registers but for
//! the flags, so that counting costs a loop no register.
//!
//! All iterations of a loop with one path are one word, with what was gathered before: a [`Run`]. Of many iterations
//! only some are in it. In a k-slab forest places recur after k-1 equal ids, so from two such periods on each further
//! one counts the same nodes: they are counted apart, by [`split`].
//!
//! Functions with many paths have slabs of numbers, which paths get as they are executed ([`SlabTable::numbers`]).
//!
//! Paths of which no sequences are counted are slabs of one id each, always in the first state.
//! Invariant: a table moves only while the runtime is asked, so code keeps no address of a slot beyond.

use holloway_profiler::forest::slab::Packing;

/// Bytes of a slot.
pub const SLOT: u64 = 32;
/// Offset of the word; 0 in a free slot.
pub const WORD: i32 = 0;
/// Offset of the state in which it is counted.
pub const STATE: i32 = 8;
/// Offset of the count.
pub const COUNT: i32 = 16;
/// Offset of the state behind.
pub const NEXT: i32 = 24;

/// In the header, offset of the address of the first slot.
pub const BASE: i32 = 0;
/// In the header, offset of the mask for offsets of slots: the table's bytes less one slot.
pub const MASK: i32 = 8;
/// In the header, offset of the first counter of whole periods: one for each loop with one path.
pub const PERIODS: i32 = 16;

const _: () = assert!(SLOT == 32 && WORD == 0 && STATE == 8 && COUNT == 16 && NEXT == 24 && BASE == 0 && MASK == 8);

/// The state of an activation that starts.
pub const FIRST_STATE: u64 = 0;

/// In the hash of a slab, and of bits in a [`run_cell`](crate::probes::run_cell), the factor of a word mixed with the
/// product of its state, which is 0 in the first one.
pub const FACTOR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;
/// In the hash, the factor of a state.
pub const STATE_FACTOR: i64 = 0xd6e8_feb8_6659_fd93_u64 as i64;

/// Iterations of a loop that has one path, behind the first, and the ids gathered before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The ids before, that of the first iteration among them unless it has no number.
    pub slab: u64,
    /// Index of the loop.
    pub nth: u64,
    /// The number of other iterations.
    pub times: u64,
}

const RUN: u64 = 1 << 63;
/// Bits of the slab in the word of a run.
pub const RUN_SLAB: u32 = 36;
/// The position of the number of iterations in it; that of the loop's index is behind the slab.
pub const RUN_TIMES: u32 = 51;
/// Bound of the indices of loops.
pub const MOST_RUNS: usize = 1 << (RUN_TIMES - RUN_SLAB);
/// Periods that are equal ids at most in a run; three of them fit.
pub const MOST_PERIOD: u64 = ((1 << (63 - RUN_TIMES)) - 1) / 3;

impl Run {
    /// The run that a word stands for; `None` if it is a slab.
    pub fn of(word: u64) -> Option<Run> {
        let field = |from: u32, to: u32| word >> from & ((1 << (to - from)) - 1);
        let run = || Run { slab: field(0, RUN_SLAB), nth: field(RUN_SLAB, RUN_TIMES), times: field(RUN_TIMES, 63) };
        (word & RUN != 0).then(run)
    }

    /// The word.
    pub fn word(self) -> u64 {
        RUN | self.times << RUN_TIMES | self.nth << RUN_SLAB | self.slab
    }
}

/// The period in which places recur where sequences of up to `k` ids are counted.
pub fn period(k: u32) -> u64 {
    u64::from(k.saturating_sub(1)).max(1)
}

/// Splits a number of iterations into whole periods that are counted apart, and the rest.
pub fn split(times: u64, period: u64) -> (u64, u64) {
    let periods = times.saturating_sub(2 * period) / period;
    (periods, times - periods * period)
}

/// The table of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlabTable {
    /// The address of its header.
    pub header: usize,
    /// Length of the longest sequences that are counted.
    pub k: u32,
    /// The layout of its words.
    pub packing: Packing,
    /// The address of a byte for each id, if slabs are of numbers instead: the number of that id, or 0. Then an id
    /// without one is a word by itself, see [`alone`].
    pub numbers: Option<usize>,
}

impl SlabTable {
    /// Returns whether paths are counted one by one.
    pub fn is_tally(&self) -> bool {
        self.k == 1
    }
}

/// The word of one id that has no number.
const ALONE: u64 = 1 << 62;

/// The word of an id that has no number.
pub fn alone(id: u64) -> u64 {
    ALONE | id
}

/// The id that such a word stands for; `None` if it is a slab or a run.
pub fn id_alone(word: u64) -> Option<u64> {
    (word & (RUN | ALONE) == ALONE).then_some(word & !ALONE)
}

/// The hash of a word in a state: with the mask the offset of the slot where the search begins. The highest bits of a
/// product depend on all bits of its factors, and are the lowest of the hash: with others, long words that differ in
/// their first ids alone would collide.
pub fn hash(word: u64, state: u64) -> u64 {
    (word ^ state.wrapping_mul(STATE_FACTOR as u64)).wrapping_mul(FACTOR as u64).swap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_alone_is_neither_a_slab_nor_a_run() {
        let run = Run { slab: 5, nth: (1 << 11) - 1, times: MOST_PERIOD };
        assert_eq!([alone(70_000), 1 << 60, run.word()].map(id_alone), [Some(70_000), None, None]);
    }

    #[test]
    fn runs_are_read_back() {
        let most = Run { slab: (1 << RUN_SLAB) - 1, nth: MOST_RUNS as u64 - 1, times: 3 * MOST_PERIOD };
        for run in [most, Run { slab: 5, nth: 0, times: 1 }] {
            assert_eq!(Run::of(run.word()), Some(run));
        }
        assert_eq!(Run::of((1 << 63) - 1), None);
    }

    #[test]
    fn what_is_split_is_all_there() {
        for period in 1..5 {
            for times in 0..100 {
                let (periods, rest) = split(times, period);
                assert_eq!(periods * period + rest, times);
                assert!(rest < 3 * period && (periods == 0 || rest >= 2 * period));
            }
        }
    }
}

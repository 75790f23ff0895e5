//! Logs of words: what code that gathers path ids and the runtime agree on.
//!
//! Code gathers the ids of paths in a [word](holloway_profiler::forest::slab), and appends each full one, and the last of an activation, to
//! the log of its function:
//!
//! ```text
//!   header | next | periods ... |     entry | activation | word |
//! ```
//!
//! The activation is an address in its frame; its lowest bit says that the word is the last. All iterations of a loop with one path
//! are one entry behind that of the first: a [`Run`]. Of many iterations only some are in it; whole
//! [periods](holloway_profiler::forest::pairs::period) are counted apart.
//!
//! Appending is in assembly (RuntimeCall::Append, `jit/src/arch/x64/entries.rs`) and keeps all registers. The log fits a first-level
//! cache; where it is full, the runtime reads it.
//! Invariant: the entries start at a multiple of [`LOG_BYTES`], so that the address behind the last entry says that the log is full.

use holloway_profiler::forest::slab::Packing;

/// Bytes of a log.
pub const LOG_BYTES: usize = 4096;
/// Bytes of an entry.
pub const ENTRY: i32 = 16;

const _: () = assert!(LOG_BYTES == 4096 && ENTRY == 16 && ACTIVATION == 0 && WORD == 8 && NEXT == 0);

/// Offset of the activation.
pub const ACTIVATION: i32 = 0;
/// Offset of the word.
pub const WORD: i32 = 8;
/// Of the activation, the bit that says that the word is the last.
pub const LAST: u64 = 1;

/// In the header, offset of the address of the next entry.
pub const NEXT: i32 = 0;
/// In the header, offset of the first counter of whole periods: one for each loop with one path.
pub const PERIODS: i32 = 8;

/// The log of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlabLog {
    /// The address of its header.
    pub header: usize,
    /// The layout of its words.
    pub packing: Packing,
}

/// Iterations of a loop that has one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index of the loop.
    pub nth: u32,
    /// Number of iterations.
    pub times: u32,
}

const RUN: u64 = 1 << 63;
/// In the word of a run, the position of the loop's index.
const RUN_LOOP: u32 = 32;
/// Number of loops whose indices fit.
pub const MOST_RUNS: usize = 1 << (63 - RUN_LOOP);

impl Run {
    /// The run that a word stands for; `None` if it has ids.
    pub fn of(word: u64) -> Option<Run> {
        (word & RUN != 0).then_some(Run { nth: ((word & !RUN) >> RUN_LOOP) as u32, times: word as u32 })
    }

    /// The word.
    pub fn word(self) -> u64 {
        RUN | u64::from(self.nth) << RUN_LOOP | u64::from(self.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_back() {
        for run in [Run { nth: MOST_RUNS as u32 - 1, times: u32::MAX }, Run { nth: 0, times: 1 }] {
            assert_eq!(Run::of(run.word()), Some(run));
        }
        assert_eq!(Run::of((1 << 63) - 1), None);
    }
}

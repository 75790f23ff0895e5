//! Words of consecutive path ids of one activation, as code gathers them.
//!
//! In: ids in the order in which paths end. Out: a word once so many ids are together, and the ids of a word.
//!
//! ```text
//!   h = 10b or 11b                 no id yet: in the first word of an activation, or in a later one
//!   h = h << bits | id             a path ends
//!   h >> (bits * ids + 1) != 0     the word is full
//! ```
//!
//! `[DD13]` makes one hash operation for each slab of k-1 ids. A word has as many ids as fit, so that code does something only every so many
//! paths; whoever reads words cuts them into slabs ([`super::pairs`]).
//! Invariant: a word says how many ids are in it, and whether it is the first; its highest bit is left to others.

use crate::settings::slab::SHORT;

/// The layout of words, and of the slabs that they are cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bits of an id, at least 1.
    pub bits: u32,
    /// Ids of a full word, at least 1.
    pub ids: u32,
    /// Ids of a slab, at least 1: a multiple of k-1.
    pub slab: u32,
}

/// Bits of a word that are no ids: two say how many there are and which word it is, and the highest one is left to others.
const OTHER_BITS: u32 = 3;

/// Number of paths whose ids fit a word at most.
pub const MOST_PATHS: u64 = 1 << (u64::BITS - OTHER_BITS);

impl Packing {
    /// The word without ids at the start of an activation.
    pub const FIRST: u64 = 0b10;
    /// The word without ids behind a full one.
    pub const LATER: u64 = 0b11;

    /// The layout for sequences of up to `k` ids below `num_paths`, which are at most [`MOST_PATHS`].
    pub fn new(k: u32, num_paths: u64) -> Packing {
        assert!(num_paths <= MOST_PATHS, "an id fits a word");
        let bits = (u64::BITS - num_paths.saturating_sub(1).leading_zeros()).max(1);
        let fit = (u64::BITS - OTHER_BITS) / bits;
        let least = k.saturating_sub(1).max(1);
        let slab = least * (SHORT.min(fit) / least).max(1);
        // Whole slabs, so that they seldom begin in the middle of a word; or the larger part of one.
        let ids = match slab <= fit {
            true => fit / slab * slab,
            false => (fit.div_ceil(2)..=fit).rev().find(|ids| slab.is_multiple_of(*ids)).unwrap_or(fit),
        };
        Packing { bits, ids, slab }
    }

    /// Bits of the ids of a full word.
    pub fn width(self) -> u32 {
        self.bits * self.ids
    }

    /// The word with one more id.
    pub fn push(self, word: u64, id: u64) -> u64 {
        word << self.bits | id
    }

    /// Returns true if no further id fits.
    pub fn is_full(self, word: u64) -> bool {
        word >> (self.width() + 1) != 0
    }

    /// Returns true if the word has no id.
    pub fn is_empty(self, word: u64) -> bool {
        word == Packing::FIRST || word == Packing::LATER
    }

    /// Number of ids.
    pub fn len(self, word: u64) -> u32 {
        if self.is_full(word) { self.ids } else { (word.ilog2() - 1) / self.bits }
    }

    /// Returns true if the activation had no word before.
    pub fn is_first(self, word: u64) -> bool {
        word >> (word.ilog2() - 1) == Packing::FIRST
    }

    /// The ids alone, in as many bits as they need.
    pub fn packed(self, word: u64) -> u64 {
        word & low(self.bits * self.len(word))
    }

    /// The ids of a packed word with so many, the oldest first.
    pub fn unpacked(self, packed: u64, len: u32) -> impl Iterator<Item = u64> {
        (0..len).rev().map(move |nth| packed >> (nth * self.bits) & low(self.bits))
    }

    /// An id so many times, packed.
    pub fn repeated(self, id: u64, times: u32) -> u64 {
        (0..times).fold(0, |packed, _| packed << self.bits | id)
    }
}

/// A mask of so many low bits, fewer than there are.
pub(super) fn low(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        let cases = [(1, 1), (2, 2), (4, 3), (8, 5), (16, 2), (16, 100), (11, 1 << 40), (300, 4), (5, MOST_PATHS)];
        for (k, num_paths) in cases {
            let packing = Packing::new(k, num_paths);
            assert!(packing.ids >= 1 && packing.width() <= u64::BITS - OTHER_BITS, "{packing:?}");
            assert!(k == 1 || packing.slab.is_multiple_of(k - 1), "{packing:?}");
            let ids: Vec<u64> = (0..u64::from(packing.ids)).map(|nth| num_paths - 1 - nth % num_paths.min(7)).collect();
            for empty in [Packing::FIRST, Packing::LATER] {
                let mut word = empty;
                assert!(packing.is_empty(word));
                for (nth, id) in ids.iter().enumerate() {
                    assert_eq!((packing.len(word), packing.is_full(word)), (nth as u32, false));
                    word = packing.push(word, *id);
                    let read: Vec<u64> = packing.unpacked(packing.packed(word), nth as u32 + 1).collect();
                    assert_eq!((read.as_slice(), packing.is_first(word)), (&ids[..=nth], empty == Packing::FIRST));
                }
                assert!(packing.is_full(word) && word >> 63 == 0);
            }
        }
    }

    #[test]
    fn words_are_whole_slabs_if_these_fit() {
        assert_eq!(Packing::new(16, 4), Packing { bits: 2, ids: 30, slab: 15 });
        assert_eq!(Packing::new(3, 16), Packing { bits: 4, ids: 12, slab: 4 });
        assert_eq!(Packing::new(16, 1 << 10), Packing { bits: 10, ids: 5, slab: 15 });
    }
}

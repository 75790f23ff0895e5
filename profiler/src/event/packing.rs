//! Consecutive path ids of one activation, packed into a word of the event buffer.
//!
//! In: ids in the order in which paths end. Out: a word once so many ids are together, and the ids of a word.
//!
//! ```text
//!   h = 1                     an empty word: a sentinel above no id
//!   h = h << bits | id        a path ends
//!   h >> (bits * ids) != 0    the sentinel says that the word is full
//! ```
//!
//! Invariant: a word says how many ids are in it; it is never 0, which only a damaged stream has.

/// The layout of such a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bits of an id, at least 1.
    pub bits: u32,
    /// Ids of a full word, at least 1.
    pub ids: u32,
}

impl Packing {
    /// The word without ids.
    pub const EMPTY: u64 = 1;

    /// The layout for as many ids below `num_paths` as fit a word whose highest bit is free.
    pub fn widest(num_paths: u64) -> Packing {
        let bits = (u64::BITS - num_paths.saturating_sub(1).leading_zeros()).clamp(1, u64::BITS - 1);
        Packing { bits, ids: ((u64::BITS - 2) / bits).max(1) }
    }

    /// Bits of a full word below the sentinel.
    pub fn width(self) -> u32 {
        self.bits * self.ids
    }

    /// A word with the lowest bit of each id of a full word: times an id, the word of that id alone, less the sentinel.
    pub fn one_of_each(self) -> u64 {
        (0..self.ids).fold(0, |ones, _| ones << self.bits | 1)
    }

    /// The word with one more id.
    pub fn push(self, word: u64, id: u64) -> u64 {
        word << self.bits | id
    }

    /// Returns true if no further id fits.
    pub fn is_full(self, word: u64) -> bool {
        word >> self.width() != 0
    }

    /// Returns whether a word is one of ids.
    pub fn is_packed(word: u64) -> bool {
        word != 0
    }

    /// Number of ids; none of what is no such word.
    pub fn len(self, word: u64) -> u32 {
        word.checked_ilog2().unwrap_or(0) / self.bits
    }

    /// The ids, the oldest first.
    pub fn ids(self, word: u64) -> impl Iterator<Item = u64> {
        let mask = (1 << self.bits) - 1;
        (0..self.len(word)).rev().map(move |nth| word >> (nth * self.bits) & mask)
    }

    /// The word of the last `count` ids.
    pub fn suffix(self, word: u64, count: u32) -> u64 {
        let width = self.bits * count;
        word & ((1 << width) - 1) | 1 << width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        for num_paths in [1, 2, 3, 4, 5, 100, 1 << 40, u64::MAX >> 1] {
            let packing = Packing::widest(num_paths);
            assert!(packing.ids >= 1 && packing.width() < u64::BITS, "{packing:?}");
            let ids: Vec<u64> = (0..u64::from(packing.ids)).map(|nth| num_paths - 1 - nth % num_paths.min(7)).collect();
            let mut word = Packing::EMPTY;
            for (nth, id) in ids.iter().enumerate() {
                assert_eq!((packing.len(word), packing.is_full(word)), (nth as u32, false));
                word = packing.push(word, *id);
                assert_eq!(packing.ids(word).collect::<Vec<_>>(), ids[..=nth]);
            }
            assert!(packing.is_full(word));
            let last = packing.suffix(word, 1);
            assert_eq!(packing.ids(last).collect::<Vec<_>>(), ids[ids.len() - 1..]);
        }
    }
}

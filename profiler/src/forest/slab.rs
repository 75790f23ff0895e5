//! Slabs: consecutive path ids of one activation, packed into a word.
//!
//! In: ids in the order in which paths end. Out: a word once so many ids are together, and the ids of a word.
//!
//! ```text
//!   h = 1                     an empty slab: a sentinel above no id
//!   h = h << bits | id        a path ends
//!   h >> (bits * ids) != 0    the sentinel says that the slab is full
//! ```
//!
//! `[DD13]` makes one hash operation for k-1 ids, where a slab of the forest begins. So does code that counts a word of k-1 ids by the word
//! before it: as two of them hold every sequence of up to k ids.
//! Invariant: a word says how many ids are in it; it is never 0, which only a damaged stream has.

use crate::settings::slab::{MOST_NUMBERED, NUMBER_BITS, SHORT};

/// The layout of a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packing {
    /// Bits of an id, at least 1.
    pub bits: u32,
    /// Ids of a full slab, at least 1.
    pub ids: u32,
}

impl Packing {
    /// The word without ids.
    pub const EMPTY: u64 = 1;

    /// The most numbers of ids, from 1 on.
    pub const MOST_NUMBERS: usize = (1 << NUMBER_BITS) - 1;

    /// Bits of that word.
    pub const EMPTY_BITS: u32 = 1;

    /// The layout for sequences of up to `k` ids below `num_paths`.
    ///
    /// If k-1 ids fit a word, slabs begin where those of the forest do: then the word before is all that the counts of the next
    /// depend on. Otherwise a word is as long as it can be, if possible a divisor of k-1.
    pub fn new(k: u32, num_paths: u64) -> Packing {
        let bits = (u64::BITS - num_paths.saturating_sub(1).leading_zeros()).clamp(1, u64::BITS - 1);
        // The highest bit is left, as far as possible, to words of other kinds.
        let fit = ((u64::BITS - 2) / bits).max(1);
        let slab = k.saturating_sub(1).max(1);
        let ids = match slab <= fit {
            true => slab * (fit.min(SHORT) / slab).max(1),
            false => (fit.div_ceil(2)..=fit).rev().find(|ids| slab.is_multiple_of(*ids)).unwrap_or(fit),
        };
        Packing { bits, ids }
    }

    /// The layout for numbers of ids that were executed, if more of them fit a word than of the ids below `num_paths`.
    pub fn of_numbers(k: u32, num_paths: u64) -> Option<Packing> {
        let (ids, numbers) = (Packing::new(k, num_paths), Packing::new(k, 1 << NUMBER_BITS));
        (num_paths <= MOST_NUMBERED && numbers.ids > ids.ids).then_some(numbers)
    }

    /// The layout for as many ids below `num_paths` as fit a word whose highest bit is free.
    pub fn widest(num_paths: u64) -> Packing {
        let Packing { bits, .. } = Packing::new(2, num_paths);
        Packing { bits, ids: ((u64::BITS - 2) / bits).max(1) }
    }

    /// Bits of a full slab below the sentinel.
    pub fn width(self) -> u32 {
        self.bits * self.ids
    }

    /// A word with the lowest bit of each id of a full slab: times an id, the slab of that id alone, less the sentinel.
    pub fn one_of_each(self) -> u64 {
        (0..self.ids).fold(0, |ones, _| ones << self.bits | 1)
    }

    /// The slab with one more id.
    pub fn push(self, slab: u64, id: u64) -> u64 {
        slab << self.bits | id
    }

    /// Returns true if no further id fits.
    pub fn is_full(self, slab: u64) -> bool {
        slab >> self.width() != 0
    }

    /// Returns whether a word is a slab.
    pub fn is_slab(word: u64) -> bool {
        word != 0
    }

    /// Number of ids; none of what is no slab.
    pub fn len(self, slab: u64) -> u32 {
        slab.checked_ilog2().unwrap_or(0) / self.bits
    }

    /// The ids, the oldest first.
    pub fn ids(self, slab: u64) -> impl Iterator<Item = u64> {
        let mask = (1 << self.bits) - 1;
        (0..self.len(slab)).rev().map(move |nth| slab >> (nth * self.bits) & mask)
    }

    /// The slab of the last `count` ids.
    pub fn suffix(self, slab: u64, count: u32) -> u64 {
        let width = self.bits * count;
        slab & ((1 << width) - 1) | 1 << width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        for (k, num_paths) in
            [(1, 1), (2, 2), (4, 3), (8, 5), (16, 2), (16, 100), (11, 1 << 40), (300, 4), (5, u64::MAX >> 1)]
        {
            let packing = Packing::new(k, num_paths);
            assert!(packing.ids >= 1 && packing.width() < u64::BITS, "{packing:?}");
            let ids: Vec<u64> = (0..u64::from(packing.ids)).map(|nth| num_paths - 1 - nth % num_paths.min(7)).collect();
            let mut slab = Packing::EMPTY;
            for (nth, id) in ids.iter().enumerate() {
                assert_eq!((packing.len(slab), packing.is_full(slab)), (nth as u32, false));
                slab = packing.push(slab, *id);
                assert_eq!(packing.ids(slab).collect::<Vec<_>>(), ids[..=nth]);
            }
            assert!(packing.is_full(slab));
            let last = packing.suffix(slab, 1);
            assert_eq!(packing.ids(last).collect::<Vec<_>>(), ids[ids.len() - 1..]);
        }
    }

    #[test]
    fn numbers_are_for_functions_whose_ids_are_wide() {
        assert_eq!(Packing::of_numbers(4, 1 << 9), None);
        assert_eq!(Packing::of_numbers(4, 1 << 12), Some(Packing { bits: 7, ids: 6 }));
        assert_eq!(Packing::of_numbers(4, 1 << 40), None);
    }

    #[test]
    fn slabs_begin_where_those_of_the_forest_do_if_these_fit() {
        assert_eq!(Packing::new(16, 4), Packing { bits: 2, ids: 15 });
        assert_eq!(Packing::new(16, 1 << 5), Packing { bits: 5, ids: 12 });
        assert_eq!(Packing::new(16, 1 << 10), Packing { bits: 10, ids: 5 });
        assert!(Packing::new(3, 4).ids.is_multiple_of(2));
    }
}

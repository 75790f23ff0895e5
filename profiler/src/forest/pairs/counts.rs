//! Counts of pairs of codes: in an array as long as codes are small, beyond in a hash table.
//!
//! In: pairs, one by one. Out: each pair with its count. Invariant: a pair has one count.

use super::codes::Code;
use crate::settings::slab::{ARRAY_FIRST_BITS, ARRAY_MOST_BITS};
use hashbrown::HashMap;

/// Counts of pairs.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Codes of so many bits index the array.
    bits: u32,
    array: Vec<u64>,
    beyond: HashMap<(Code, Code), u64>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { bits: ARRAY_FIRST_BITS, array: vec![0; 1 << (2 * ARRAY_FIRST_BITS)], beyond: HashMap::new() }
    }
}

impl Counts {
    /// Counts a pair, if it has a counter.
    #[inline]
    pub(super) fn add(&mut self, before: Code, slab: Code) -> bool {
        if (before.0 | slab.0) >> self.bits == 0 {
            let index = (before.0 as usize) << self.bits | slab.0 as usize;
            if let Some(count) = self.array.get_mut(index) {
                *count += 1;
            }
            return true;
        }
        self.beyond.get_mut(&(before, slab)).map(|count| *count += 1).is_some()
    }

    /// Counts a pair that has no counter, if this and others take fewer bytes than the limit.
    #[cold]
    pub(super) fn add_new(&mut self, before: Code, slab: Code, others: usize, limit: usize) -> bool {
        if others + self.bytes() >= limit {
            return false;
        }
        let bits = u32::BITS - (before.0 | slab.0).leading_zeros();
        if bits <= ARRAY_MOST_BITS {
            self.widen(bits);
            return self.add(before, slab);
        }
        self.beyond.insert((before, slab), 1);
        true
    }

    fn widen(&mut self, bits: u32) {
        let mut array = vec![0; 1 << (2 * bits)];
        for (nth, row) in self.array.chunks(1 << self.bits).enumerate() {
            array[nth << bits..][..row.len()].copy_from_slice(row);
        }
        (self.bits, self.array) = (bits, array);
    }

    /// Each pair with its count, by the codes.
    pub(super) fn sorted(&self) -> Vec<(Code, Code, u64)> {
        let mask = (1 << self.bits) - 1;
        let code = |index: usize| Code(index as u32);
        let near = self.array.iter().enumerate().filter(|(_, count)| **count > 0);
        let near = near.map(|(index, count)| (code(index >> self.bits), code(index & mask), *count));
        let mut all: Vec<_> =
            near.chain(self.beyond.iter().map(|((before, slab), count)| (*before, *slab, *count))).collect();
        all.sort_unstable();
        all
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.array.as_slice()) + self.beyond.capacity() * (size_of::<((Code, Code), u64)>() + 1)
    }
}

//! Numbers of few bits for the ids of a function that has many paths: those that were executed, in the order in which they first were.
//!
//! In: an id. Out: its number, from 1 on, while there are numbers left; and the id of a number. Code looks numbers up in a table of bytes, where 0 is
//! an id without one. Invariant: a number has one id for as long as the table lives.
//!
//! Most of a function's paths are never executed, so that slabs of numbers hold more paths than slabs of ids.

use holloway_profiler::forest::slab::Packing;
use std::sync::atomic::{AtomicU8, Ordering};

const _: () = assert!(Packing::MOST_NUMBERS <= u8::MAX as usize);

/// The numbers of one function's paths.
#[derive(Debug)]
pub(super) struct PathNumbers {
    by_id: Box<[AtomicU8]>,
    ids: Vec<u64>,
}

impl PathNumbers {
    /// The bytes of the table for ids below `num_paths`.
    pub(super) fn bytes(num_paths: u64) -> usize {
        num_paths as usize * size_of::<AtomicU8>()
    }

    /// None given yet, for ids below `num_paths`.
    pub(super) fn new(num_paths: u64) -> PathNumbers {
        PathNumbers { by_id: (0..num_paths).map(|_| AtomicU8::new(0)).collect(), ids: Vec::new() }
    }

    /// The address of the table.
    pub(super) fn address(&self) -> usize {
        self.by_id.as_ptr().expose_provenance()
    }

    /// The number of an id; `None` if it has none and gets none.
    pub(super) fn number(&mut self, id: u64) -> Option<u64> {
        let known = self.by_id[id as usize].load(Ordering::Relaxed);
        if known > 0 {
            return Some(u64::from(known));
        }
        if self.ids.len() == Packing::MOST_NUMBERS {
            return None;
        }
        self.ids.push(id);
        self.by_id[id as usize].store(self.ids.len() as u8, Ordering::Relaxed);
        Some(self.ids.len() as u64)
    }

    /// The id that has a number.
    pub(super) fn id(&self, number: u64) -> u64 {
        self.ids[number as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_numbered_as_they_come_until_there_are_no_numbers() {
        let mut numbers = PathNumbers::new(1000);
        let given: Vec<Option<u64>> = [7, 900, 7].into_iter().map(|id| numbers.number(id)).collect();
        assert_eq!(given, [Some(1), Some(2), Some(1)]);
        assert_eq!((numbers.id(1), numbers.id(2)), (7, 900));
        assert!((100..225).all(|id| numbers.number(id).is_some()), "125 more");
        assert_eq!((numbers.number(300), numbers.number(900)), (None, Some(2)));
    }
}

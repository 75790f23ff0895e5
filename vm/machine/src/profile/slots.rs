//! Slots of a table that compiled code searches: open addressing, linear probing.
//!
//! In: the hash of what is looked for, and the contents of slots. Out: slots, and where code finds them. Invariant: one slot is free, so that
//! every search ends; slots are moved by nobody but the owner.

use super::settings::SPARSE;
use super::words::{AtOffset, Lines, address};
use holloway_jit::path_table::SLOT;
use holloway_jit::run_cell::SLOT_BYTES;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot.
pub(super) const WORDS: usize = SLOT as usize / size_of::<u64>();

const _: () = assert!(SLOT == SLOT_BYTES);

/// A table of slots.
#[derive(Debug)]
pub(super) struct Slots {
    words: Lines,
    used: usize,
    /// The offset of the word that says whether a slot is free, and that word then.
    free: (i32, u64),
}

impl Slots {
    /// So many free slots.
    pub(super) fn new(count: usize, free: (i32, u64)) -> Slots {
        let words = Lines::new(WORDS * count);
        words.chunks_exact(WORDS).for_each(|slot| slot.store_at(free.0, free.1));
        Slots { words, used: 0, free }
    }

    /// Their number.
    pub(super) fn count(&self) -> usize {
        self.words.len() / WORDS
    }

    /// The address of the first.
    pub(super) fn address(&self) -> u64 {
        address(&self.words) as u64
    }

    /// The mask of their offsets.
    pub(super) fn mask(&self) -> u64 {
        (self.count() as u64 - 1) * SLOT
    }

    /// Returns whether a search begins in the right slot mostly, with one more taken.
    pub(super) fn is_sparse(&self) -> bool {
        SPARSE * (self.used + 1) <= self.count()
    }

    /// Those that are taken.
    pub(super) fn taken(&self) -> impl Iterator<Item = &[AtomicU64]> {
        self.words.chunks_exact(WORDS).filter(|slot| !self.is_free(slot))
    }

    /// Those that are taken from where a search begins, up to the first free one.
    pub(super) fn searched(&self, hash: u64) -> impl Iterator<Item = &[AtomicU64]> {
        self.from(hash).take_while(|slot| !self.is_free(slot))
    }

    /// Takes a slot.
    pub(super) fn take(&mut self, hash: u64, contents: [u64; WORDS]) -> &[AtomicU64] {
        self.used += 1;
        let slot = self.from(hash).find(|slot| self.is_free(slot)).expect("one is free");
        slot.iter().zip(contents).for_each(|(word, to)| word.store(to, Ordering::Relaxed));
        slot
    }

    /// The same in so many slots, each by its hash.
    pub(super) fn resized(&self, count: usize, hash: impl Fn(&[AtomicU64]) -> u64) -> Slots {
        let mut slots = Slots::new(count, self.free);
        for slot in self.taken() {
            slots.take(hash(slot), std::array::from_fn(|nth| slot[nth].load(Ordering::Relaxed)));
        }
        slots
    }

    fn from(&self, hash: u64) -> impl Iterator<Item = &[AtomicU64]> {
        let (first, count) = ((hash / SLOT) as usize, self.count());
        (0..count).map(move |nth| &self.words[WORDS * ((first + nth) & (count - 1))..][..WORDS])
    }

    fn is_free(&self, slot: &[AtomicU64]) -> bool {
        slot.load_at(self.free.0) == self.free.1
    }
}

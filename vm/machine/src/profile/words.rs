//! Words that compiled code writes to in place: counters, and cells of registers of bits.
//!
//! In: how many, or a plan's registers. Out: their addresses; what cells hold, as events. Invariant: words stay where they are as
//! long as whoever owns them lives.
#![expect(unsafe_code, reason = "makes words of memory that is 0 already, and says how it is to be had")]

use cranelift_entity::{EntityRef, PrimaryMap};
use holloway_jit::probes::FOLD_WORDS;
use holloway_profiler::event::{Event, FunctionId};
use holloway_profiler::plan::BitRegister;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words at an address that does not change.
pub type Words = Box<[AtomicU64]>;

/// So many words of 0. Where they are many, memory is used as they are touched.
pub fn words(count: usize) -> Words {
    // SAFETY: a word whose bytes are all 0 is an atomic word of 0.
    unsafe { Box::new_zeroed_slice(count).assume_init() }
}

/// Their address.
pub fn address(words: &[AtomicU64]) -> usize {
    words.as_ptr().expose_provenance()
}

/// Words by the offsets at which code finds them.
pub(super) trait AtOffset {
    /// The word.
    fn at(&self, offset: i32) -> &AtomicU64;

    /// Its contents.
    fn load_at(&self, offset: i32) -> u64 {
        self.at(offset).load(Ordering::Relaxed)
    }

    /// Sets it.
    fn store_at(&self, offset: i32, to: u64) {
        self.at(offset).store(to, Ordering::Relaxed);
    }
}

impl AtOffset for [AtomicU64] {
    fn at(&self, offset: i32) -> &AtomicU64 {
        &self[offset as usize / size_of::<u64>()]
    }
}

/// Words of a line of the cache.
const LINE: usize = 8;

/// Words of a huge page. Accesses that lie far apart miss in the table of translations where pages are small: with k from
/// 11 on life, levenshtein and scheduler take a tenth to a quarter longer.
const HUGE_PAGE: usize = (2 << 20) / size_of::<u64>();

/// Words of which the first begins a line of the cache, or a huge page if they are so many.
#[derive(Debug)]
pub(super) struct Lines {
    words: Words,
    skipped: usize,
    alignment: usize,
}

impl Lines {
    /// So many words of 0.
    pub(super) fn new(count: usize) -> Lines {
        let alignment = if count < HUGE_PAGE { LINE } else { HUGE_PAGE };
        let words = words(count + alignment);
        let skipped = (alignment - address(&words) / size_of::<u64>() % alignment) % alignment;
        let lines = Lines { words, skipped, alignment };
        if alignment == HUGE_PAGE {
            let (start, bytes) = (lines.as_ptr().cast_mut().cast(), size_of_val::<[AtomicU64]>(&lines));
            // SAFETY: it says in which pages memory that this owns is to be had. Should it fail, they are small.
            unsafe { libc::madvise(start, bytes, libc::MADV_HUGEPAGE) };
        }
        lines
    }
}

impl Deref for Lines {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.words[self.skipped..][..self.words.len() - self.alignment]
    }
}

/// For each register of bits a count, and the bits that were seen so often in a row.
#[derive(Debug, Default)]
pub struct FoldCells(Vec<Words>);

impl FoldCells {
    /// Cells for registers of so many words.
    pub fn new(registers: &PrimaryMap<BitRegister, u32>) -> FoldCells {
        FoldCells(registers.values().map(|count| words(FOLD_WORDS + *count as usize)).collect())
    }

    /// Address of each.
    pub fn addresses(&self) -> Vec<usize> {
        self.0.iter().map(|cell| address(cell)).collect()
    }

    /// The runs of equal executions that are still counted in place, as events; they start anew.
    pub fn take(&self, function: FunctionId) -> Vec<u64> {
        let mut out = Vec::new();
        for (register, cell) in self.0.iter().enumerate() {
            let count = cell[0].swap(0, Ordering::Relaxed);
            let bits: Vec<u64> = cell[FOLD_WORDS..].iter().map(|word| word.load(Ordering::Relaxed)).collect();
            if count > 0 {
                let register = BitRegister::new(register);
                Event::Fold { function, register, count, bits: &bits }.write(&mut out);
            }
        }
        out
    }
}

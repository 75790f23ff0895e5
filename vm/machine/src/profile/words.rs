//! Words that compiled code writes to in place: counters, and cells of registers of bits.
//!
//! In: how many, or a plan's registers. Out: their addresses; what cells hold, as events. Invariant: words stay where they are as
//! long as whoever owns them lives.

use cranelift_entity::{EntityRef, PrimaryMap};
use holloway_jit::probes::FOLD_WORDS;
use holloway_profiler::event::{Event, FunctionId};
use holloway_profiler::plan::BitRegister;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words at an address that does not change.
pub type Words = Box<[AtomicU64]>;

/// So many words of 0.
pub fn words(count: usize) -> Words {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

/// Their address.
pub fn address(words: &[AtomicU64]) -> usize {
    words.as_ptr().expose_provenance()
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

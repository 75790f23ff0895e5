//! Cells in which compiled code folds executions, and the slots of their paths.
//!
//! In: regions, or the blocks where branch histories start; the first execution of a path that has no slot, by a runtime call. Out: cells
//! and slots, and when the profile is read, the [`Runs`] of each cell. The layout is that of `holloway_jit::run_cell`.
//! Invariant: cells stay where they are; a table has a slot for each path of a run that ended, and for that of the present one.

use super::settings::{FIRST_SLOTS, SPARSE};
use super::words::{Words, address, words};
use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_jit::run_cell::{
    BASE, BITS, CELL, CELL_WORDS, COUNT, FREE, INDEXED_SLOT, K, LEAST, LEFT, MASK, OR, PLACES, SELF, SHIFT, SLOT,
    SLOT_BITS, SLOT_BYTES, SLOT_EXECUTIONS, SLOT_PERSISTENT, SPAN, TAKEN,
};
use holloway_jit::slab_table::{FIRST_STATE, hash};
use holloway_profiler::persistence::{PathIndex, RunPath, Runs};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot of a table.
const SLOT_WORDS: usize = SLOT_BYTES as usize / size_of::<u64>();
/// Words of a slot behind a cell.
const INDEXED_WORDS: usize = (1 << INDEXED_SLOT) / size_of::<u64>();
/// Words of a line of the cache.
const LINE: usize = 8;

/// The cell of a region, or the cells of a function's blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellsId(u32);
entity_impl!(CellsId, "cells");

/// The cells of all functions.
#[derive(Debug, Default)]
pub struct RunCells {
    cells: PrimaryMap<CellsId, Cells>,
    /// By the address of each cell: which of which it is.
    by_address: HashMap<usize, (CellsId, usize)>,
}

#[derive(Debug)]
struct Cells {
    words: Words,
    /// Words before the first cell.
    skipped: usize,
    /// The index of paths, if slots are behind the cell, which is only one then.
    index: Option<Arc<PathIndex>>,
    tables: Vec<Table>,
}

/// A table of slots.
#[derive(Debug, Default)]
struct Table {
    slots: Words,
    used: usize,
}

impl RunCells {
    /// So many cells, one behind the other, whose executions have none of the bits `free`; gives the address of the first. A window has
    /// `k` executions.
    pub fn add(&mut self, count: usize, k: u64, free: u64) -> (CellsId, usize) {
        let cells = Cells::new(count, None);
        for nth in 0..count {
            cells.clear(nth, k, free);
        }
        self.push(cells)
    }

    /// A cell with a slot behind it for each index.
    pub fn add_indexed(&mut self, k: u64, index: Arc<PathIndex>) -> (CellsId, usize) {
        let (shift, places) = (index.shift, index.places());
        let cells = Cells::new(1, Some(index));
        cells.clear(0, k, u64::MAX);
        cells.set(0, SHIFT, u64::from(shift));
        cells.set(0, PLACES, places);
        self.push(cells)
    }

    fn push(&mut self, cells: Cells) -> (CellsId, usize) {
        let (first, count) = (cells.address(0), cells.tables.len());
        let id = self.cells.push(cells);
        self.by_address.extend((0..count).map(|nth| (first + CELL as usize * nth, (id, nth))));
        (id, first)
    }

    /// Makes the slot of the run that begins in a cell.
    pub fn make_slot(&mut self, cell: usize) {
        let (id, nth) = self.by_address[&cell];
        let cells = &mut self.cells[id];
        let count = cells.tables[nth].slot_count();
        if SPARSE * (cells.tables[nth].used + 1) > count {
            cells.resize(nth, (2 * count).max(FIRST_SLOTS));
        }
        let (bits, free) = (cells.get(nth, BITS), cells.get(nth, FREE));
        let table = &mut cells.tables[nth];
        let slot = table.take(bits, free);
        let slot = address(&table.slots[SLOT_WORDS * slot..]);
        cells.set(nth, SLOT, slot as u64);
    }

    /// Counts executions of a region with a single path.
    pub fn count(&self, cell: usize, times: u64) {
        let (id, nth) = self.by_address[&cell];
        self.cells[id].word(nth, COUNT).fetch_add(times, Ordering::Relaxed);
    }

    /// Executions of each cell; those of a region with a single path are the present run.
    pub fn runs(&self, id: CellsId) -> Vec<Runs> {
        let cells = &self.cells[id];
        (0..cells.tables.len()).map(|nth| cells.runs(nth)).collect()
    }
}

impl Cells {
    fn new(count: usize, index: Option<Arc<PathIndex>>) -> Cells {
        let indexed = index.as_ref().map_or(0, |index| INDEXED_WORDS * index.len());
        let words = words(CELL_WORDS * count + indexed + LINE);
        let skipped = (LINE - address(&words) / size_of::<u64>() % LINE) % LINE;
        Cells { words, skipped, index, tables: (0..count).map(|_| Table::default()).collect() }
    }

    fn clear(&self, nth: usize, k: u64, free: u64) {
        let contents = [(BITS, free), (LEFT, k), (LEAST, u64::MAX), (K, k), (FREE, free), (PLACES, u64::MAX)];
        contents.into_iter().for_each(|(offset, to)| self.set(nth, offset, to));
        self.set(nth, SELF, self.address(nth) as u64);
        // The search in a table without slots ends at once: the cell's own word is that of a free one.
        self.set(nth, BASE, (self.address(nth) + (FREE - SLOT_BITS) as usize) as u64);
    }

    fn resize(&mut self, nth: usize, count: usize) {
        let free = self.get(nth, FREE);
        let mut table = Table { slots: words(SLOT_WORDS * count), used: 0 };
        (0..count).for_each(|slot| table.word(slot, SLOT_BITS).store(free, Ordering::Relaxed));
        self.set(nth, BASE, address(&table.slots) as u64);
        self.set(nth, MASK, (count as u64 - 1) * SLOT_BYTES);
        for path in self.tables[nth].paths(free) {
            let slot = table.take(path.bits, free);
            table.word(slot, SLOT_EXECUTIONS).store(path.executions, Ordering::Relaxed);
            table.word(slot, SLOT_PERSISTENT).store(path.persistent, Ordering::Relaxed);
        }
        self.tables[nth] = table;
    }

    fn runs(&self, nth: usize) -> Runs {
        let paths = match &self.index {
            Some(index) => self.indexed_paths(index),
            None => self.tables[nth].paths(self.get(nth, FREE)).collect(),
        };
        let (least, span, places) = (self.get(nth, LEAST), self.get(nth, SPAN), self.get(nth, PLACES));
        Runs {
            executions: self.get(nth, K) - self.get(nth, LEFT),
            or: self.get(nth, OR) & places,
            bounds: (least < u64::MAX).then(|| (least, least + span)),
            taken: self.get(nth, TAKEN),
            paths: paths.into_iter().filter(|path| path.executions > 0).collect(),
            present: (self.get(nth, BITS) & places, self.get(nth, COUNT)),
        }
    }

    fn indexed_paths(&self, index: &PathIndex) -> Vec<RunPath> {
        let slots = self.words[self.skipped + CELL_WORDS..].chunks_exact(INDEXED_WORDS).take(index.len());
        let path = |(nth, slot): (usize, &[AtomicU64])| {
            let [executions, persistent] = [SLOT_EXECUTIONS, SLOT_PERSISTENT].map(|offset| load(slot, offset));
            Some(RunPath { bits: index.bits(nth)?, executions, persistent })
        };
        slots.enumerate().filter_map(path).collect()
    }

    fn address(&self, nth: usize) -> usize {
        address(&self.words[self.skipped + CELL_WORDS * nth..])
    }

    fn word(&self, nth: usize, offset: i32) -> &AtomicU64 {
        &self.words[self.skipped + CELL_WORDS * nth + offset as usize / size_of::<u64>()]
    }

    fn get(&self, nth: usize, offset: i32) -> u64 {
        self.word(nth, offset).load(Ordering::Relaxed)
    }

    fn set(&self, nth: usize, offset: i32, to: u64) {
        self.word(nth, offset).store(to, Ordering::Relaxed);
    }
}

impl Table {
    fn slot_count(&self) -> usize {
        self.slots.len() / SLOT_WORDS
    }

    /// Takes a free slot for bits that have none.
    fn take(&mut self, bits: u64, free: u64) -> usize {
        let count = self.slot_count();
        let first = (hash(bits, FIRST_STATE) / SLOT_BYTES) as usize;
        let is_free = |slot: &usize| self.word(*slot, SLOT_BITS).load(Ordering::Relaxed) == free;
        let slot = (0..count).map(|nth| (first + nth) & (count - 1)).find(is_free).expect("a table has free slots");
        self.word(slot, SLOT_BITS).store(bits, Ordering::Relaxed);
        self.used += 1;
        slot
    }

    fn paths(&self, free: u64) -> impl Iterator<Item = RunPath> {
        let path = |slot: &[AtomicU64]| RunPath {
            bits: load(slot, SLOT_BITS),
            executions: load(slot, SLOT_EXECUTIONS),
            persistent: load(slot, SLOT_PERSISTENT),
        };
        self.slots.chunks_exact(SLOT_WORDS).map(path).filter(move |path| path.bits != free)
    }

    fn word(&self, slot: usize, offset: i32) -> &AtomicU64 {
        &self.slots[SLOT_WORDS * slot + offset as usize / size_of::<u64>()]
    }
}

fn load(words: &[AtomicU64], offset: i32) -> u64 {
    words[offset as usize / size_of::<u64>()].load(Ordering::Relaxed)
}

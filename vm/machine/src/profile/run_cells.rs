//! Cells in which compiled code folds executions, and the slots of their paths.
//!
//! In: regions, or the blocks where branch histories start; the first execution of a path that has no slot, by a runtime call. Out: cells
//! and slots, and when the profile is read, the [`Runs`] of each cell. The layout is that of `holloway_jit::run_cell`.
//! Invariant: cells stay where they are; a table has a slot for each path of a run that ended, and for that of the present one.

use super::settings::FIRST_SLOTS;
use super::slots::Slots;
use super::words::{AtOffset, Lines, address};
use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_jit::path_table::hash;
use holloway_jit::run_cell::{
    BASE, BITS, CELL, CELL_WORDS, COUNT, FREE, INDEXED_SLOT, K, LEAST, LEFT, MASK, OR, PLACES, SELF, SHIFT, SLOT,
    SLOT_BITS, SLOT_EXECUTIONS, SLOT_PERSISTENT, SPAN, TAKEN,
};
use holloway_profiler::persistence::{PathIndex, RunPath, Runs};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot behind a cell.
const INDEXED_WORDS: usize = (1 << INDEXED_SLOT) / size_of::<u64>();

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
    words: Lines,
    /// The index of paths, if slots are behind the cell, which is only one then.
    index: Option<Arc<PathIndex>>,
    /// The slots of each cell.
    tables: Vec<Slots>,
}

impl RunCells {
    /// So many cells, one behind the other, whose executions have none of the bits `free`; gives the address of the first. A window has
    /// `k` executions.
    pub fn add(&mut self, count: usize, k: u64, free: u64) -> (CellsId, usize) {
        self.push(Cells::new(count, None, (k, free)))
    }

    /// A cell with a slot behind it for each index.
    pub fn add_indexed(&mut self, k: u64, index: Arc<PathIndex>) -> (CellsId, usize) {
        let (shift, places) = (index.shift, index.places());
        let cells = Cells::new(1, Some(index), (k, u64::MAX));
        cells.cell(0).store_at(SHIFT, u64::from(shift));
        cells.cell(0).store_at(PLACES, places);
        self.push(cells)
    }

    fn push(&mut self, cells: Cells) -> (CellsId, usize) {
        let (first, count) = (address(cells.cell(0)), cells.tables.len());
        let id = self.cells.push(cells);
        self.by_address.extend((0..count).map(|nth| (first + CELL as usize * nth, (id, nth))));
        (id, first)
    }

    /// Makes the slot of the run that begins in a cell.
    pub fn make_slot(&mut self, cell: usize) {
        let (id, nth) = self.by_address[&cell];
        let Cells { words, tables, .. } = &mut self.cells[id];
        let (cell, table) = (&words[CELL_WORDS * nth..], &mut tables[nth]);
        if !table.is_sparse() {
            let count = (2 * table.count()).max(FIRST_SLOTS);
            *table = table.resized(count, |slot| hash(slot.load_at(SLOT_BITS)));
            cell.store_at(BASE, table.address());
            cell.store_at(MASK, table.mask());
        }
        let bits = cell.load_at(BITS);
        let slot = table.take(hash(bits), [0, 0, bits, 0]);
        cell.store_at(SLOT, address(slot) as u64);
    }

    /// Counts executions of a region with a single path.
    pub fn count(&self, cell: usize, times: u64) {
        let (id, nth) = self.by_address[&cell];
        self.cells[id].cell(nth).at(COUNT).fetch_add(times, Ordering::Relaxed);
    }

    /// Executions of each cell; those of a region with a single path are the present run.
    pub fn runs(&self, id: CellsId) -> Vec<Runs> {
        let cells = &self.cells[id];
        (0..cells.tables.len()).map(|nth| cells.runs(nth)).collect()
    }
}

impl Cells {
    fn new(count: usize, index: Option<Arc<PathIndex>>, (k, free): (u64, u64)) -> Cells {
        let indexed = index.as_ref().map_or(0, |index| INDEXED_WORDS * index.len());
        let tables = (0..count).map(|_| Slots::new(0, (SLOT_BITS, free))).collect();
        let cells = Cells { words: Lines::new(CELL_WORDS * count + indexed), index, tables };
        for nth in 0..count {
            let cell = cells.cell(nth);
            let contents = [(BITS, free), (LEFT, k), (LEAST, u64::MAX), (K, k), (FREE, free), (PLACES, u64::MAX)];
            contents.into_iter().for_each(|(offset, to)| cell.store_at(offset, to));
            cell.store_at(SELF, address(cell) as u64);
            // The search in a table without slots ends at once: the cell's own word is that of a free one.
            cell.store_at(BASE, (address(cell) + (FREE - SLOT_BITS) as usize) as u64);
        }
        cells
    }

    fn cell(&self, nth: usize) -> &[AtomicU64] {
        &self.words[CELL_WORDS * nth..]
    }

    fn runs(&self, nth: usize) -> Runs {
        let of_slot = |(bits, slot): (u64, &[AtomicU64])| {
            let [executions, persistent] = [SLOT_EXECUTIONS, SLOT_PERSISTENT].map(|offset| slot.load_at(offset));
            RunPath { bits, executions, persistent }
        };
        let paths: Vec<RunPath> = match &self.index {
            Some(index) => {
                let slots = self.words[CELL_WORDS..].chunks_exact(INDEXED_WORDS).take(index.len()).enumerate();
                slots.filter_map(|(nth, slot)| Some(of_slot((index.bits(nth)?, slot)))).collect()
            }
            None => self.tables[nth].taken().map(|slot| of_slot((slot.load_at(SLOT_BITS), slot))).collect(),
        };
        let get = |offset| self.cell(nth).load_at(offset);
        let (least, span, places) = (get(LEAST), get(SPAN), get(PLACES));
        Runs {
            executions: get(K) - get(LEFT),
            or: get(OR) & places,
            bounds: (least < u64::MAX).then(|| (least, least + span)),
            taken: get(TAKEN),
            paths: paths.into_iter().filter(|path| path.executions > 0).collect(),
            present: (get(BITS) & places, get(COUNT)),
        }
    }
}

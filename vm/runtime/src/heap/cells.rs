//! Lists of free cells, and the sweep that finds them.
//!
//! In: a block and its marks. Out: a linked list of its free cells, lowest address first.
//! Invariant: the first word of a free cell is 0, which is no object's shape, and the second is the next free cell's
//! address or 0. An object's cell never has 0 in its first word. So, once a block is swept, "is this cell an object?"
//! is answered by the cell alone, also for cells that compiled code popped.
#![expect(unsafe_code, reason = "writes list links into free memory")]

use super::block::{GRANULE, Holds, Space};
use super::word;

/// Cells found free.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FreeCells {
    /// The first, or 0.
    pub(super) first: usize,
    /// Their number.
    pub(super) count: usize,
}

/// Treatment of the rest of a dead object in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dead {
    /// It is left.
    Left,
    /// It is overwritten, so that a use after the collection shows: for stress tests.
    Poisoned,
}

/// The byte that dead objects are overwritten with.
pub(super) const POISON: u8 = 0xdb;

/// Makes every unmarked cell of the block free.
pub(super) fn sweep(space: &Space, block: usize, dead: Dead) -> FreeCells {
    let Holds::Cells(class) = space.entry(block).holds else { panic!("block {block} has no cells") };
    let (entry, size, base) = (space.entry(block), class.cell_size(), space.address(block));
    let first = class.first_cell(block);
    let mut free = FreeCells::default();
    for at in (0..class.cells()).rev() {
        let offset = first + at * size;
        if !entry.is_marked(offset) {
            let cell = base + offset;
            // SAFETY: the cell lies in a block in use, and nothing reached it when marks were last set (or ever).
            unsafe {
                word::store(cell, 0);
                word::store(cell + 8, free.first as u64);
                if dead == Dead::Poisoned {
                    word::set_bytes(cell + GRANULE, POISON, size - GRANULE);
                }
            }
            free = FreeCells { first: cell, count: free.count + 1 };
        }
    }
    free
}

/// Makes every cell of a block just taken free. Old marks in its entry do not count.
pub(super) fn carve(space: &mut Space, block: usize) -> FreeCells {
    space.clear_marks_of(block);
    sweep(space, block, Dead::Left)
}

/// Takes the first cell off a list.
#[inline]
pub(super) fn pop(list: &mut usize) -> Option<usize> {
    let cell = *list;
    if cell == 0 {
        return None;
    }
    // SAFETY: lists hold free cells of blocks in use, by the invariant above.
    *list = unsafe { word::load(cell + 8) } as usize;
    Some(cell)
}

/// Puts a cell that holds no object onto a list.
pub(super) fn push(list: &mut usize, cell: usize) {
    // SAFETY: a cell just taken off a list lies in a block in use, and nothing else refers to it.
    unsafe {
        word::store(cell, 0);
        word::store(cell + 8, *list as u64);
    }
    *list = cell;
}

/// The start of the object that an address points to or into, if it does.
pub(super) fn object_at(space: &Space, address: usize) -> Option<usize> {
    let (block, offset) = space.locate(address)?;
    match space.entry(block).holds {
        Holds::Nothing => None,
        Holds::Large { .. } => Some(space.address(block)),
        Holds::MoreOf { back } => Some(space.address(block - back)),
        Holds::Cells(class) => {
            let first = class.first_cell(block);
            let at = offset.checked_sub(first)? / class.cell_size();
            let cell = space.address(block) + first + at * class.cell_size();
            // SAFETY: `at` is below the number of cells, so the cell lies in the block, which is in use.
            (at < class.cells() && unsafe { word::load(cell) } != 0).then_some(cell)
        }
    }
}

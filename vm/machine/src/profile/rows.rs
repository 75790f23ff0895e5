//! Rows of slots that lie across each other in memory.
//!
//! In: the slots of a row that are used, and its state. Out: its address, at which these slots are free; and the state of
//! the row at an address. Invariant: no two rows have one address, and slots stay where they are.
//!
//! Row displacement: R. E. Tarjan, A. C. Yao, "Storing a Sparse Table", CACM 1979. Rows are placed once, in the order in
//! which they are asked for; one that gets a slot which is another's is placed again.

use super::settings::{FIRST_ROWS, ROW_STRIDE};
use super::words::{AtOffset, Lines, address};
use cranelift_entity::entity_impl;
use holloway_jit::step_table::{SLOT, STATE};
use std::sync::atomic::AtomicU64;

/// Words of a slot.
const WORDS: usize = SLOT / size_of::<u64>();

/// A state, which has one row at a time, among those of its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StateId(u32);
entity_impl!(StateId, "state");

/// The first state of activations.
pub(super) const FIRST: StateId = StateId(0);

/// The slots of a function's rows.
#[derive(Debug)]
pub(super) struct Rows {
    /// Slots of a row.
    width: usize,
    /// The first has one row, whose slots are no other's.
    blocks: Vec<Block>,
    /// Rows of the last block.
    rows: usize,
    /// The place in the last block where the search for a row goes on.
    next: usize,
}

/// Rows that begin in one piece of memory.
#[derive(Debug)]
struct Block {
    slots: Lines,
    /// The state of each place where a row may begin; as numbers, so that memory of zeros is used as it is touched.
    states: Vec<u32>,
}

impl Block {
    fn new(rows: usize, slots: usize) -> Block {
        Block { slots: Lines::new(WORDS * slots), states: vec![0; rows.div_ceil(ROW_STRIDE)] }
    }

    /// The distance of an address from the first slot, in slots, if it is in this block.
    fn distance(&self, of: u64) -> Option<usize> {
        let offset = of.wrapping_sub(address(&self.slots) as u64);
        (offset < 8 * self.slots.len() as u64).then_some(offset as usize / SLOT)
    }
}

impl Rows {
    /// One row of so many slots, of a function's first state.
    pub(super) fn new(width: usize) -> Rows {
        Rows { width, blocks: vec![Block::new(1, width)], rows: 0, next: 0 }
    }

    /// The address of the first row.
    pub(super) fn first(&self) -> u64 {
        address(&self.blocks[0].slots) as u64
    }

    /// The slots of the first row, used or not.
    pub(super) fn of_first(&self) -> impl Iterator<Item = &[AtomicU64]> {
        self.blocks[0].slots.chunks_exact(WORDS)
    }

    /// The used slots of all others.
    pub(super) fn of_others(&self) -> impl Iterator<Item = &[AtomicU64]> {
        let slots = self.blocks[1..].iter().flat_map(|block| block.slots.chunks_exact(WORDS));
        slots.filter(|slot| slot.load_at(STATE) != 0)
    }

    /// The state of the row at an address.
    pub(super) fn state(&self, row: u64) -> StateId {
        let (block, nth) = self.find(row);
        StateId::from_u32(block.states[nth / ROW_STRIDE])
    }

    /// A slot of the row at an address.
    pub(super) fn slot(&self, row: u64, nth: u32) -> &[AtomicU64] {
        self.at(row + u64::from(nth) * SLOT as u64)
    }

    /// The slot at an address.
    pub(super) fn at(&self, slot: u64) -> &[AtomicU64] {
        let (block, nth) = self.find(slot);
        &block.slots[WORDS * nth..][..WORDS]
    }

    fn find(&self, slot: u64) -> (&Block, usize) {
        let found = self.blocks.iter().rev().find_map(|block| Some((block, block.distance(slot)?)));
        found.expect("a slot is in a block")
    }

    /// The address of one more row, of which these slots are free; `None` if that takes more than the bytes that are left.
    pub(super) fn place(&mut self, of: StateId, slots: &[u32], left: &mut usize) -> Option<u64> {
        loop {
            let last = self.blocks.len() - 1;
            while self.next < self.rows {
                let begin = self.next;
                let row = address(&self.blocks[last].slots) as u64 + (SLOT * begin) as u64;
                self.next += ROW_STRIDE;
                if slots.iter().all(|nth| self.slot(row, *nth).load_at(STATE) == 0) {
                    self.blocks[last].states[begin / ROW_STRIDE] = of.as_u32();
                    return Some(row);
                }
            }
            let rows = (2 * self.rows).max(FIRST_ROWS);
            let slots = rows + self.width;
            *left = left.checked_sub(SLOT * slots)?;
            self.blocks.push(Block::new(rows, slots));
            (self.rows, self.next) = (rows, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashbrown::HashSet;

    #[test]
    fn rows_have_addresses_of_their_own_and_their_slots_are_free() {
        let (mut rows, mut left) = (Rows::new(10), usize::MAX);
        let mut known: HashSet<u64> = [rows.first()].into_iter().collect();
        for nth in 0..1000_u32 {
            let slots: Vec<u32> = (0..10).filter(|slot| nth.wrapping_mul(2_654_435_761) >> slot & 3 == 0).collect();
            let row = rows.place(StateId::from_u32(nth), &slots, &mut left).expect("there is room");
            assert!(known.insert(row));
            assert_eq!(rows.state(row).as_u32(), nth);
            for slot in slots {
                assert_eq!(rows.slot(row, slot).load_at(STATE), 0);
                rows.slot(row, slot).store_at(STATE, row);
            }
        }
        let used: usize = rows.of_others().count();
        assert!(rows.of_first().all(|slot| slot.load_at(STATE) == 0) && used > 1000);
    }

    #[test]
    fn there_are_no_more_rows_than_bytes() {
        let (mut rows, mut left) = (Rows::new(10), SLOT * (FIRST_ROWS + 10) + 5);
        let placed = std::iter::from_fn(|| rows.place(StateId::from_u32(1), &[], &mut left)).count();
        assert_eq!((placed, left), (FIRST_ROWS.div_ceil(ROW_STRIDE), 5));
    }
}

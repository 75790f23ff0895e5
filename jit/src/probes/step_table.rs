//! Steps in k-iteration path forests: what compiled code and the runtime agree on.
//!
//! An activation is at a place of its function's forest, its *state*: the last k-1 paths at most. A path that ends is a step from there to another
//! place, and steps are what code counts. All iterations of a loop with one path are one step, too: an *item* is a path,
//! or such a loop with a number of iterations.
//!
//! ```text
//!   slot = state + SLOT * item      slot:  state | count | next state | item
//! ```
//!
//! Code has items as distances in a row: as multiples of [`SLOT`], where a row has a slot for each item.
//!
//! A state is the address of its row, which has a slot for every item. Rows are sparse and lie across each other, so a slot
//! says whose it is (R. E. Tarjan, A. C. Yao, "Storing a Sparse Table", CACM 1979). Where it is another's or nobody's, the
//! runtime counts and makes it (RuntimeCall::CountStep), and may move the row: the state is another address from then on, and
//! the old row stays for activations that have its address. The first state of activations has a row of its own that stays.
//!
//! In functions with many items a row has [`HASHED`] slots, and the slot has to have the item, too.
//!
//! Of many iterations only k are in an item. Each further one counts the sequence of k equal ids, and is counted apart.

use super::path_table::FACTOR;
use cranelift_entity::EntityRef;
use cranelift_entity::entity_impl;

/// Bytes of a slot, as a power of two.
pub const SLOT_SHIFT: u32 = 5;
/// Bytes of a slot.
pub const SLOT: usize = 1 << SLOT_SHIFT;
/// Offset of the state whose slot it is; 0 in a free one.
pub const STATE: i32 = 0;
/// Offset of the count.
pub const COUNT: i32 = 8;
/// Offset of the state behind.
pub const NEXT: i32 = 16;
/// Offset of the item.
pub const ITEM: i32 = 24;

/// Slots of a row, as a power of two, where items are hashed, by the highest bits of their product with [`FACTOR`];
/// functions with fewer items have a slot for each.
pub const HASHED_BITS: u32 = 12;
/// Slots of a row where items are hashed.
pub const HASHED: u64 = 1 << HASHED_BITS;

/// A loop with one path, by its index among those of the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RepeatedLoop(u32);
entity_impl!(RepeatedLoop, "loop");

/// The steps of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepTable {
    /// The state of an activation that starts.
    pub first: usize,
    /// The address of the counters of further iterations, one for each loop with one path.
    pub further: usize,
    /// Length of the longest sequences that are counted.
    pub k: u32,
    /// The number of paths; items from there on are loops.
    pub paths: u64,
    /// The number of loops with one path.
    pub loops: u32,
}

impl StepTable {
    /// Returns whether rows have a slot for each item.
    pub fn is_direct(&self) -> bool {
        self.items() <= HASHED
    }

    /// The factor of an item in code.
    pub fn scale(&self) -> u64 {
        if self.is_direct() { SLOT as u64 } else { 1 }
    }

    /// Slots of a row.
    pub fn row_slots(&self) -> u64 {
        self.items().min(HASHED)
    }

    /// The index of an item's slot in a row.
    pub fn slot(&self, item: u64) -> u64 {
        if self.is_direct() { item } else { item.wrapping_mul(FACTOR as u64) >> (u64::BITS - HASHED_BITS) }
    }

    /// The item that is no iteration of a loop with one path: others are this one and the number of iterations.
    pub fn loop_item(&self, of: RepeatedLoop) -> u64 {
        self.paths + of.index() as u64 * self.times()
    }

    /// The loop that an item is, with the number of iterations; `None` if it is a path.
    pub fn loop_of(&self, item: u64) -> Option<(RepeatedLoop, u64)> {
        let beyond = item.checked_sub(self.paths)?;
        Some((RepeatedLoop::new((beyond / self.times()) as usize), beyond % self.times()))
    }

    /// The bound of the iterations in an item.
    fn times(&self) -> u64 {
        u64::from(self.k) + 1
    }

    fn items(&self) -> u64 {
        self.paths + u64::from(self.loops) * self.times()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_read_back() {
        let table = StepTable { first: 64, further: 8, k: 4, paths: 20, loops: 3 };
        for nth in 0..3 {
            for times in 1..=4 {
                let item = table.loop_item(RepeatedLoop::new(nth)) + times;
                assert_eq!(table.loop_of(item), Some((RepeatedLoop::new(nth), times)));
                assert!(table.slot(item) < table.row_slots());
            }
        }
        assert_eq!(table.loop_of(19), None);
    }

    #[test]
    fn many_items_share_the_slots_of_a_row() {
        let few = StepTable { first: 64, further: 8, k: 2, paths: HASHED, loops: 0 };
        let many = StepTable { paths: 1 << 40, ..few };
        assert_eq!((few.is_direct(), few.slot(HASHED - 1)), (true, HASHED - 1));
        assert_eq!((many.is_direct(), many.row_slots()), (false, HASHED));
        assert!((0..1000).map(|nth| many.slot(nth << 30)).all(|slot| slot < HASHED));
    }
}

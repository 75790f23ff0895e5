//! Tables in which compiled code counts paths one by one.
//!
//! In: the first count of a path, by a runtime call. Out: its slot; and when the profile is read, every path with its count. The layout of
//! tables is that of `holloway_jit::path_table`.
//! Invariant: a path is counted in one slot. Paths are few, however long a program runs.

use super::settings::FIRST_SLOTS;
use super::slots::Slots;
use super::words::{AtOffset, Words, address, words};
use cranelift_entity::{PrimaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_ir::FuncRef;
use holloway_jit::path_table::{BASE, COUNT, HEADER_WORDS, MASK, PathTable, WORD, hash, id_of};
use std::sync::atomic::AtomicU64;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TableId(u32);
entity_impl!(TableId, "table");

/// The tables of functions.
#[derive(Debug, Default)]
pub struct PathTables {
    tables: PrimaryMap<TableId, Table>,
    /// By the address of the header.
    by_header: HashMap<usize, TableId>,
}

/// The table of one function.
#[derive(Debug)]
struct Table {
    func: FuncRef,
    header: Words,
    slots: Slots,
}

impl PathTables {
    /// A table for the paths of a function, in place of any it has.
    pub fn add(&mut self, func: FuncRef) -> PathTable {
        let mut table = Table { func, header: words(HEADER_WORDS), slots: Slots::new(0, (WORD, 0)) };
        table.resize(FIRST_SLOTS);
        let header = address(&table.header);
        self.by_header.insert(header, self.tables.push(table));
        PathTable { header }
    }

    /// The paths of a function, with their counts.
    pub fn counts(&self, func: FuncRef) -> Vec<(u64, u64)> {
        let Some(table) = self.tables.values().rfind(|table| table.func == func) else { return Vec::new() };
        table.slots.taken().map(|slot| (id_of(slot.load_at(WORD)), slot.load_at(COUNT))).collect()
    }

    /// Adds to the count of a path: the address of its slot.
    pub fn count(&mut self, header: usize, word: u64, count: u64) -> usize {
        let table = &mut self.tables[self.by_header[&header]];
        if table.find(word).is_none() {
            if !table.slots.is_sparse() {
                table.resize(2 * table.slots.count());
            }
            table.slots.take(hash(word), [word, 0, 0, 0]);
        }
        let slot = table.find(word).expect("it has a slot now");
        slot.store_at(COUNT, slot.load_at(COUNT) + count);
        address(slot)
    }
}

impl Table {
    fn find(&self, word: u64) -> Option<&[AtomicU64]> {
        self.slots.searched(hash(word)).find(|slot| slot.load_at(WORD) == word)
    }

    fn resize(&mut self, count: usize) {
        self.slots = self.slots.resized(count, |slot| hash(slot.load_at(WORD)));
        self.header.store_at(BASE, self.slots.address());
        self.header.store_at(MASK, self.slots.mask());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_counted_however_many_there_are() {
        let func = FuncRef::from_u32(3);
        let mut all = PathTables::default();
        let table = all.add(func);
        for id in (0..1000).map(|nth| nth << 40).chain([0, 5 << 40]) {
            let slot = all.count(table.header, holloway_jit::path_table::word_of(id), 2);
            assert_ne!(slot, 0);
        }
        let mut counts = all.counts(func);
        counts.sort_unstable();
        assert_eq!((counts.len(), counts[0], counts[1], counts[5]), (1000, (0, 4), (1 << 40, 2), (5 << 40, 4)));
    }
}

//! Tables in which code counts acyclic paths one by one.
//!
//! In: a path that is in no slot, by a runtime call. Out: its slot; and when the profile is read, each path with its count. The layout
//! of tables is that of `holloway_jit::tally_table`.
//! Invariant: a path is counted in one slot.

use super::settings::{FIRST_SLOTS, SPARSE};
use super::words::{Words, address, words};
use hashbrown::HashMap;
use holloway_jit::tally_table::{BASE, COUNT, MASK, SLOT, TallyTable, WORD, hash};
use holloway_lang::ir::FuncRef;
use std::sync::atomic::Ordering;

/// Words of a slot, and of a header.
const WORDS: usize = SLOT as usize / size_of::<u64>();

/// The tables of functions.
#[derive(Debug, Default)]
pub struct TallyTables {
    /// By the address of the header.
    tables: HashMap<usize, Table>,
    of: HashMap<FuncRef, usize>,
}

/// The table of one function.
#[derive(Debug)]
struct Table {
    header: Words,
    slots: Words,
    used: usize,
}

impl TallyTables {
    /// A table for a function, in place of any it has.
    pub fn add(&mut self, func: FuncRef) -> TallyTable {
        let mut table = Table { header: words(WORDS), slots: words(0), used: 0 };
        table.resize(FIRST_SLOTS);
        let header = address(&table.header);
        self.tables.insert(header, table);
        self.of.insert(func, header);
        TallyTable { header }
    }

    /// The paths of a function with their counts.
    pub fn counts(&self, func: FuncRef) -> Vec<(u64, u64)> {
        let Some(table) = self.of.get(&func).map(|header| &self.tables[header]) else { return Vec::new() };
        table.taken().map(|(word, count)| (word - 1, count)).collect()
    }

    /// Counts a word that has no slot yet.
    pub fn count(&mut self, header: usize, word: u64) {
        let table = self.tables.get_mut(&header).expect("code has the address of a header");
        if SPARSE * (table.used + 1) > table.slots.len() / WORDS {
            table.resize(2 * table.slots.len() / WORDS);
        }
        table.used += 1;
        table.put(word, 1);
    }
}

impl Table {
    fn taken(&self) -> impl Iterator<Item = (u64, u64)> {
        let slots = self.slots.chunks(WORDS);
        let field = |slot: &[_], offset: i32| -> u64 {
            let word: &std::sync::atomic::AtomicU64 = &slot[offset as usize / size_of::<u64>()];
            word.load(Ordering::Relaxed)
        };
        slots.map(move |slot| (field(slot, WORD), field(slot, COUNT))).filter(|(word, _)| *word != 0)
    }

    fn resize(&mut self, count: usize) {
        let old: Vec<(u64, u64)> = self.taken().collect();
        self.slots = words(WORDS * count);
        self.set_header(BASE, address(&self.slots) as u64);
        self.set_header(MASK, (count as u64 - 1) * SLOT);
        old.into_iter().for_each(|(word, count)| self.put(word, count));
    }

    /// Takes the free slot where a search for the word ends.
    fn put(&self, word: u64, count: u64) {
        let slots = self.slots.len() / WORDS;
        let searched = (hash(word) / SLOT) as usize..;
        let mut searched = searched.map(|nth| WORDS * (nth & (slots - 1)));
        let slot = searched.find(|slot| self.slots[*slot].load(Ordering::Relaxed) == 0).expect("one is free");
        for (offset, to) in [(WORD, word), (COUNT, count)] {
            self.slots[slot + offset as usize / size_of::<u64>()].store(to, Ordering::Relaxed);
        }
    }

    fn set_header(&self, offset: i32, to: u64) {
        self.header[offset as usize / size_of::<u64>()].store(to, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_their_counts_while_the_table_grows() {
        let (func, mut all) = (FuncRef::from_u32(3), TallyTables::default());
        let table = all.add(func);
        let ids: Vec<u64> = (0..500).map(|nth| nth * nth * 7919).collect();
        ids.iter().for_each(|id| all.count(table.header, id + 1));
        let mut counted = all.counts(func);
        counted.sort_unstable();
        assert_eq!(counted, ids.iter().map(|id| (*id, 1)).collect::<Vec<_>>());
        // Code finds each from the hash on.
        let table = &all.tables[&table.header];
        let mask = table.header[MASK as usize / 8].load(Ordering::Relaxed);
        for id in ids {
            let mut offset = hash(id + 1) & mask;
            while table.slots[offset as usize / 8].load(Ordering::Relaxed) != id + 1 {
                assert_ne!(table.slots[offset as usize / 8].load(Ordering::Relaxed), 0, "{id} is behind a free slot");
                offset = (offset + SLOT) & mask;
            }
        }
    }
}

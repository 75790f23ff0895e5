//! Tables in which compiled code counts slabs of path ids.
//!
//! In: the first count of a slab in a state, from a runtime call. Out: its slot, with the state behind; and when the profile is read, the
//! forest with every id counted at its node. The layout of tables is that of `holloway_jit::slab_table`.
//!
//! A state is a settled place of the function's k-slab forest. Where slabs begin with those of the forest, the last k-1 ids are the
//! place, and the forest is made when the profile is read. Elsewhere it grows with the states.
//! Invariants: a state has one place, and each slab is counted in one slot of its state. When memory is used up, slabs that were never
//! counted are lost: the number of their ids is kept, and the activation starts anew.

use super::settings::{FIRST_SLOTS, MOST_BYTES};
use super::words::{Words, address, words};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option::PackedOption};
use hashbrown::HashMap;
use holloway_jit::slab_table::{
    BASE, COUNT, FIRST_STATE, HEADER_WORDS, MASK, NEXT, REPEATED, SLOT, STATE, SlabTable, WORD, hash,
};
use holloway_lang::ir::FuncRef;
use holloway_profiler::forest::slab::Packing;
use holloway_profiler::forest::trie::TrieNode;
use holloway_profiler::forest::{Place, SlabForest};
use std::sync::atomic::Ordering;

/// Words of a slot.
const WORDS: usize = SLOT as usize / size_of::<u64>();
/// Words of a line of the cache, which a slot shares with another one.
const LINE: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TableId(u32);
entity_impl!(TableId, "table");

/// The tables of functions.
#[derive(Debug)]
pub struct SlabTables {
    tables: PrimaryMap<TableId, Table>,
    /// Slots that may still be used.
    left: usize,
}

/// The table of one function.
#[derive(Debug)]
struct Table {
    func: FuncRef,
    packing: Packing,
    /// What is counted in the table when it is read; empty where that is not needed to tell states apart.
    forest: SlabForest,
    states: States,
    header: Words,
    slots: Words,
    /// Words before the first slot.
    skipped: usize,
    used: usize,
    /// The slot for what is lost.
    lost: Words,
}

/// The places of states.
#[derive(Debug)]
enum States {
    /// All counts are of the first state.
    One,
    /// By the last k-1 ids, so many.
    ByIds(u32, HashMap<u64, u64>),
    /// By the settled place in the forest.
    ByPlace(SecondaryMap<TrieNode, PackedOption<StateIndex>>, PrimaryMap<StateIndex, Place>),
}

/// A state but for the first, which has no place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StateIndex(u32);
entity_impl!(StateIndex, "state");

/// The slabs of a function, read back.
#[derive(Debug)]
pub struct Slabs {
    /// The forest of their ids.
    pub forest: SlabForest,
    /// Operations on the table.
    pub operations: u64,
}

impl Default for SlabTables {
    fn default() -> SlabTables {
        SlabTables::with_slots(MOST_BYTES / SLOT as usize)
    }
}

impl SlabTables {
    /// No table yet, and so many slots for all.
    fn with_slots(left: usize) -> SlabTables {
        SlabTables { tables: PrimaryMap::new(), left }
    }

    /// A table for sequences of up to `k` paths of a function, in place of any it has.
    pub fn add(&mut self, func: FuncRef, k: u32, num_paths: u64) -> SlabTable {
        let packing = Packing::new(k, num_paths);
        let slab = k.saturating_sub(1);
        let states = match slab {
            0 => States::One,
            _ if packing.ids.is_multiple_of(slab) => States::ByIds(slab, HashMap::new()),
            _ => States::ByPlace(SecondaryMap::new(), PrimaryMap::new()),
        };
        self.push(func, packing, (SlabForest::new(k, num_paths), states))
    }

    /// A table for acyclic paths that are counted one by one.
    pub fn add_tally(&mut self, func: FuncRef, num_paths: u64) -> SlabTable {
        // Code without branches reports one id more where there is nothing to report.
        let packing = Packing { ids: 1, ..Packing::new(1, num_paths + 1) };
        self.push(func, packing, (SlabForest::new(1, num_paths), States::One))
    }

    fn push(&mut self, func: FuncRef, packing: Packing, (forest, states): (SlabForest, States)) -> SlabTable {
        let (header, lost) = (words(HEADER_WORDS), words(WORDS));
        let table = Table { func, packing, forest, states, header, slots: words(0), skipped: 0, used: 0, lost };
        let number = self.tables.push(table);
        self.resize(number, FIRST_SLOTS);
        SlabTable { header: address(&self.tables[number].header), number: number.index() as u32, packing }
    }

    /// The slabs of a function as counted so far, in a forest.
    pub fn slabs(&self, func: FuncRef) -> Option<Slabs> {
        let table = self.tables.values().rfind(|table| table.func == func)?;
        let mut forest = table.forest.clone();
        let places = table.places(&mut forest);
        let mut operations = 0;
        for slot in table.taken() {
            let [word, state, count] = [WORD, STATE, COUNT].map(|offset| table.get(slot, offset));
            let mut at = places[state as usize];
            for id in table.packing.ids(word) {
                at = forest.follow(at, id);
                forest.add_at(at, count);
            }
            operations += count;
        }
        // Slabs that were counted together took one operation.
        operations -= table.header[REPEATED as usize / size_of::<u64>()].load(Ordering::Relaxed);
        Some(Slabs { forest, operations })
    }

    /// The paths of a function that were counted one by one, with their counts.
    pub fn tallied(&self, func: FuncRef) -> Vec<(u64, u64)> {
        let Some(table) = self.tables.values().rfind(|table| table.func == func) else { return Vec::new() };
        let counted = |slot| (table.packing.ids(table.get(slot, WORD)).next(), table.get(slot, COUNT));
        table.taken().map(counted).map(|(id, count)| (id.expect("a slab has an id"), count)).collect()
    }

    /// The address of the slot of a slab that code found none for.
    pub fn slot(&mut self, number: u64, state: u64, word: u64) -> usize {
        let id = TableId::new(number as usize);
        if 2 * (self.tables[id].used + 1) > self.tables[id].slot_count() {
            let doubled = 2 * self.tables[id].slot_count();
            // Acyclic paths are few, however long a program runs.
            if self.left >= doubled || matches!(self.tables[id].states, States::One) {
                self.resize(id, doubled);
            }
        }
        let table = &mut self.tables[id];
        match table.find(word, state) {
            Some(slot) => table.address_of(slot),
            None => {
                // One stays free, so that a search ends.
                if table.used + 1 >= table.slot_count() {
                    table.forest.lose(u64::from(table.packing.len(word)));
                    return address(&table.lost);
                }
                let slot = table.take(word, state);
                table.address_of(slot)
            }
        }
    }

    /// Counts a slab that an activation had not filled when a failure came.
    pub fn count(&mut self, number: u32, state: u64, word: u64) -> u64 {
        self.add_count(number, (state, word), 1)
    }

    /// Counts all iterations of a loop that has one path, after what was gathered before: the slab and the state behind.
    pub fn count_repeated(
        &mut self,
        number: u32,
        (state, slab): (u64, u64),
        ids: impl Iterator<Item = (u64, u64)>,
    ) -> (u64, u64) {
        let packing = self.tables[TableId::from_u32(number)].packing;
        let (mut state, mut slab) = (state, slab);
        for (id, times) in ids {
            let mut left = times;
            while left > 0 {
                slab = packing.push(slab, id);
                left -= 1;
                if packing.is_full(slab) {
                    let after = self.add_count(number, (state, slab), 1);
                    if after == state && packing.repeated(id) == slab ^ 1 << packing.width() {
                        let whole = left / u64::from(packing.ids);
                        self.add_count(number, (state, slab), whole);
                        left -= whole * u64::from(packing.ids);
                    }
                    (state, slab) = (after, Packing::EMPTY);
                }
            }
        }
        (state, slab)
    }

    /// Adds to the count of a slab; the state behind.
    fn add_count(&mut self, number: u32, (state, word): (u64, u64), count: u64) -> u64 {
        self.slot(u64::from(number), state, word);
        let table = &self.tables[TableId::from_u32(number)];
        let Some(slot) = table.find(word, state) else { return FIRST_STATE };
        table.set(slot, COUNT, table.get(slot, COUNT) + count);
        table.get(slot, NEXT)
    }

    /// Gives a table so many slots.
    fn resize(&mut self, id: TableId, count: usize) {
        let table = &mut self.tables[id];
        let old: Vec<[u64; WORDS]> =
            table.taken().map(|slot| [WORD, STATE, COUNT, NEXT].map(|offset| table.get(slot, offset))).collect();
        self.left = (self.left + table.slot_count()).saturating_sub(count);
        table.slots = words(WORDS * count + LINE);
        table.skipped = (LINE - address(&table.slots) / size_of::<u64>() % LINE) % LINE;
        let base = address(&table.slots) + size_of::<u64>() * table.skipped;
        table.set_header(BASE, base as u64);
        table.set_header(MASK, (count as u64 - 1) * SLOT);
        for slot in old {
            let [word, state, ..] = slot;
            let there = table.free(word, state);
            [WORD, STATE, COUNT, NEXT].into_iter().zip(slot).for_each(|(offset, to)| table.set(there, offset, to));
        }
    }
}

impl Table {
    fn slot_count(&self) -> usize {
        self.slots.len().saturating_sub(LINE) / WORDS
    }

    fn taken(&self) -> impl Iterator<Item = usize> {
        (0..self.slot_count()).filter(|slot| self.get(*slot, WORD) != 0)
    }

    /// The slots where a slab may be, in order.
    fn searched(&self, word: u64, state: u64) -> impl Iterator<Item = usize> + use<> {
        let count = self.slot_count();
        let first = (hash(word, state) / SLOT) as usize;
        (0..count).map(move |nth| (first + nth) & (count - 1))
    }

    fn find(&self, word: u64, state: u64) -> Option<usize> {
        self.searched(word, state)
            .take_while(|slot| self.get(*slot, WORD) != 0)
            .find(|slot| (self.get(*slot, WORD), self.get(*slot, STATE)) == (word, state))
    }

    fn free(&self, word: u64, state: u64) -> usize {
        self.searched(word, state).find(|slot| self.get(*slot, WORD) == 0).expect("one is free")
    }

    /// Takes a slot for a slab, which has none.
    fn take(&mut self, word: u64, state: u64) -> usize {
        let next = self.behind(word, state);
        let slot = self.free(word, state);
        self.used += 1;
        let contents = [(WORD, word), (STATE, state), (COUNT, 0), (NEXT, next)];
        contents.into_iter().for_each(|(offset, to)| self.set(slot, offset, to));
        slot
    }

    /// The state behind a slab.
    fn behind(&mut self, word: u64, state: u64) -> u64 {
        // Only the last slab of an activation is not full.
        if !self.packing.is_full(word) {
            return FIRST_STATE;
        }
        match &mut self.states {
            States::One => FIRST_STATE,
            States::ByIds(count, known) => {
                let next = known.len() as u64 + 1;
                *known.entry(self.packing.suffix(word, *count)).or_insert(next)
            }
            States::ByPlace(known, places) => {
                let mut at = place(places, state);
                for id in self.packing.ids(word) {
                    at = self.forest.follow(at, id);
                }
                let settled = self.forest.settle(at);
                let node = settled.node().expect("a full slab has ids");
                let index = known[node].expand().unwrap_or_else(|| places.push(settled));
                known[node] = index.into();
                index.index() as u64 + 1
            }
        }
    }

    /// The place of each state.
    fn places(&self, forest: &mut SlabForest) -> Vec<Place> {
        let mut all = vec![Place::default()];
        match &self.states {
            States::One => {}
            States::ByIds(_, known) => {
                let mut sorted: Vec<(u64, u64)> = known.iter().map(|(ids, state)| (*state, *ids)).collect();
                sorted.sort_unstable();
                let follow = |ids| self.packing.ids(ids).fold(Place::default(), |at, id| forest.follow(at, id));
                all.extend(sorted.into_iter().map(|(_, ids)| ids).map(follow));
            }
            States::ByPlace(_, places) => all.extend(places.values()),
        }
        all
    }

    fn set_header(&self, offset: i32, to: u64) {
        self.header[offset as usize / size_of::<u64>()].store(to, Ordering::Relaxed);
    }

    fn address_of(&self, slot: usize) -> usize {
        address(&self.slots[self.skipped + WORDS * slot..])
    }

    fn get(&self, slot: usize, offset: i32) -> u64 {
        self.slots[self.skipped + WORDS * slot + offset as usize / size_of::<u64>()].load(Ordering::Relaxed)
    }

    fn set(&self, slot: usize, offset: i32, to: u64) {
        self.slots[self.skipped + WORDS * slot + offset as usize / size_of::<u64>()].store(to, Ordering::Relaxed);
    }
}

fn place(places: &PrimaryMap<StateIndex, Place>, state: u64) -> Place {
    match state {
        FIRST_STATE => Place::default(),
        state => places[StateIndex::new(state as usize - 1)],
    }
}

#[cfg(test)]
#[path = "slab_tables_tests.rs"]
mod tests;

//! Tables in which compiled code counts slabs of path ids.
//!
//! In: the first count of a slab in a state, by a runtime call. Out: its slot, with the state behind; and when the profile is read, the
//! forest with every id counted at its node. The layout of tables is that of `holloway_jit::slab_table`.
//!
//! A state is a settled place of the function's k-slab forest, which grows with the states. Paths of which no sequences are counted have
//! the first state alone.
//! Invariants: a state has one place, and each slab is counted in one slot of its state. When memory is used up, slabs that were never
//! counted are lost: the number of their ids is kept, and the activation starts anew.

use super::path_numbers::PathNumbers;
use super::settings::{FIRST_SLOTS, MOST_BYTES};
use super::slots::{Slots, WORDS};
use super::words::{AtOffset, Words, address, words};
use crate::collector::Iterations;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option::PackedOption};
use hashbrown::HashMap;
use holloway_ir::FuncRef;
use holloway_jit::slab_table::{
    BASE, COUNT, FIRST_STATE, MASK, NEXT, PERIODS, RUN_SLAB, Run, SLOT, STATE, SlabTable, WORD, alone, hash, id_alone,
    period, split,
};
use holloway_profiler::forest::slab::Packing;
use holloway_profiler::forest::trie::TrieNode;
use holloway_profiler::forest::{ForestPosition, SlabForest};
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a header before the counters of whole periods.
const FIRST_PERIODS: usize = PERIODS as usize / size_of::<u64>();

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TableId(u32);
entity_impl!(TableId, "table");

/// The tables of functions.
#[derive(Debug)]
pub struct SlabTables {
    tables: PrimaryMap<TableId, Table>,
    /// By the address of the header.
    by_header: HashMap<usize, TableId>,
    /// Bytes that slots, and numbers of paths, may still take.
    left: usize,
}

/// The table of one function.
#[derive(Debug)]
struct Table {
    func: FuncRef,
    packing: Packing,
    /// The forest of the states, into which the table is counted when it is read.
    forest: SlabForest,
    /// By the settled place in the forest.
    states: SecondaryMap<TrieNode, PackedOption<StateIndex>>,
    places: PrimaryMap<StateIndex, ForestPosition>,
    header: Words,
    slots: Slots,
    /// The slot for what is lost.
    lost: Words,
    /// The ids of loops with one path.
    repeated: Vec<u64>,
    /// The numbers of which its slabs are, if they are not of ids.
    numbers: Option<PathNumbers>,
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
        SlabTables::with_bytes(MOST_BYTES)
    }
}

impl SlabTables {
    /// No table yet, and so many bytes for all.
    fn with_bytes(left: usize) -> SlabTables {
        SlabTables { tables: PrimaryMap::new(), by_header: HashMap::new(), left }
    }

    /// A table for sequences of up to `k` paths of a function, in place of any it has. Its slabs are of ids, too, where there is no room for
    /// numbers. With a `k` of 1 each path is a slab of its own.
    ///
    /// `repeated` are the ids of loops with one path.
    pub fn add(&mut self, func: FuncRef, k: u32, num_paths: u64, repeated: Vec<u64>) -> SlabTable {
        let bytes = PathNumbers::bytes(num_paths);
        let (packing, numbers) = match Packing::of_numbers(k, num_paths).filter(|_| k > 1 && bytes <= self.left) {
            Some(packing) => {
                self.left -= bytes;
                (packing, Some(PathNumbers::new(num_paths)))
            }
            // Code without branches reports one id more where there is nothing to report.
            None if k == 1 => (Packing { ids: 1, ..Packing::new(1, num_paths + 1) }, None),
            None => (Packing::new(k, num_paths), None),
        };
        let repeated = if k == 1 { Vec::new() } else { repeated };
        let table = Table {
            func,
            packing,
            forest: SlabForest::new(k, num_paths),
            states: SecondaryMap::new(),
            places: PrimaryMap::new(),
            header: words(FIRST_PERIODS + repeated.len()),
            slots: Slots::new(0, (WORD, 0)),
            lost: words(WORDS),
            repeated,
            numbers,
        };
        let (header, numbers) = (address(&table.header), table.numbers.as_ref().map(PathNumbers::address));
        let id = self.tables.push(table);
        self.resize(id, FIRST_SLOTS);
        self.by_header.insert(header, id);
        SlabTable { header, k, packing, numbers }
    }

    /// The slabs of a function as counted so far, in a forest.
    pub fn slabs(&self, func: FuncRef) -> Option<Slabs> {
        let table = self.tables.values().rfind(|table| table.func == func)?;
        let mut forest = table.forest.clone();
        let mut operations = 0;
        for slot in table.slots.taken() {
            let [word, state, count] = [WORD, STATE, COUNT].map(|offset| slot.load_at(offset));
            let mut at = table.place(state);
            for (id, times) in table.ids(word) {
                let (passed, last) = forest.follow_repeated(at, id, times);
                passed.into_iter().for_each(|(place, passes)| forest.add_at(place, count * passes));
                at = last;
            }
            operations += count;
        }
        for (nth, id) in table.repeated.iter().enumerate() {
            count_periods(&mut forest, *id, table.header.load_at(PERIODS + 8 * nth as i32));
        }
        Some(Slabs { forest, operations })
    }

    /// The paths of a function that were counted one by one, with their counts.
    pub fn tallied(&self, func: FuncRef) -> Vec<(u64, u64)> {
        let Some(table) = self.tables.values().rfind(|table| table.func == func) else { return Vec::new() };
        let id = |slot: &[AtomicU64]| table.packing.ids(slot.load_at(WORD)).next().expect("a slab has an id");
        table.slots.taken().map(|slot| (id(slot), slot.load_at(COUNT))).collect()
    }

    /// Puts one more id into a slab, as its number if it has or gets one; otherwise counts both. Gives the state and the slab from then on.
    pub fn put(&mut self, header: usize, (state, slab): (u64, u64), id: u64) -> (u64, u64) {
        let table = &mut self.tables[self.by_header[&header]];
        let number = table.numbers.as_mut().map_or(Some(id), |numbers| numbers.number(id));
        if let Some(number) = number {
            return (state, table.packing.push(slab, number));
        }
        let state = if slab == Packing::EMPTY { state } else { self.count(header, (state, slab), 1).1 };
        (self.count(header, (state, alone(id)), 1).1, Packing::EMPTY)
    }

    /// Adds to the count of a slab in a state: the address of its slot, and the state behind.
    pub fn count(&mut self, header: usize, (state, word): (u64, u64), count: u64) -> (usize, u64) {
        let id = self.by_header[&header];
        if self.tables[id].find(word, state).is_none() && self.make_room(id) {
            self.tables[id].take(word, state);
        }
        let table = &mut self.tables[id];
        let Some(slot) = table.find(word, state) else {
            let ids: u64 = table.ids(word).into_iter().map(|(_, times)| times).sum();
            table.forest.lose(count * ids);
            return (address(&table.lost), FIRST_STATE);
        };
        slot.store_at(COUNT, slot.load_at(COUNT) + count);
        (address(slot), slot.load_at(NEXT))
    }

    /// Returns whether the table has room for one more slab.
    fn make_room(&mut self, id: TableId) -> bool {
        let table = &self.tables[id];
        let count = table.slots.count();
        // Single paths are few, however long a program runs.
        let may_grow = self.left >= 2 * count * SLOT as usize || table.is_tally();
        if !table.slots.is_sparse() && may_grow {
            self.resize(id, 2 * count);
        }
        self.tables[id].slots.has_room()
    }

    /// Counts iterations of a loop that has one path, after what was gathered before.
    pub fn count_run(&mut self, header: usize, (state, slab): (u64, u64), Iterations { first, id, times }: Iterations) {
        let table = &self.tables[self.by_header[&header]];
        if table.is_tally() {
            let [first, other] = [first, id].map(|id| table.packing.push(Packing::EMPTY, id));
            self.count(header, (FIRST_STATE, first), 1);
            if times > 1 {
                self.count(header, (FIRST_STATE, other), times - 1);
            }
            return;
        }
        let nth = table.repeated.iter().position(|known| *known == id).expect("the loop is one of those");
        let (periods, times) = split(times - 1, period(table.forest.k()));
        table.header.at(PERIODS + 8 * nth as i32).fetch_add(periods, Ordering::Relaxed);
        let (mut state, mut slab) = self.put(header, (state, slab), first);
        if slab >> RUN_SLAB != 0 || times == 0 && slab != Packing::EMPTY {
            (_, state) = self.count(header, (state, slab), 1);
            slab = Packing::EMPTY;
        }
        if times > 0 {
            self.count(header, (state, Run { slab, nth: nth as u64, times }.word()), 1);
        }
    }

    /// Gives a table so many slots.
    fn resize(&mut self, id: TableId, count: usize) {
        let table = &mut self.tables[id];
        self.left = (self.left + table.slots.count() * SLOT as usize).saturating_sub(count * SLOT as usize);
        table.slots = table.slots.resized(count, |slot| hash(slot.load_at(WORD), slot.load_at(STATE)));
        table.header.store_at(BASE, table.slots.address());
        table.header.store_at(MASK, table.slots.mask());
    }
}

impl Table {
    fn find(&self, word: u64, state: u64) -> Option<&[AtomicU64]> {
        let mut searched = self.slots.searched(hash(word, state));
        searched.find(|slot| (slot.load_at(WORD), slot.load_at(STATE)) == (word, state))
    }

    /// Takes a slot for a slab, which has none.
    fn take(&mut self, word: u64, state: u64) {
        let next = self.behind(word, state);
        self.slots.take(hash(word, state), [word, state, 0, next]);
    }

    /// The state behind a slab.
    fn behind(&mut self, word: u64, state: u64) -> u64 {
        if self.is_tally() {
            return FIRST_STATE;
        }
        let (ids, from) = (self.ids(word), self.place(state));
        let at = ids.into_iter().fold(from, |at, (id, times)| self.forest.follow_repeated(at, id, times).1);
        let settled = self.forest.settle(at);
        let node = settled.node().expect("a word has ids");
        let index = self.states[node].expand().unwrap_or_else(|| self.places.push(settled));
        self.states[node] = index.into();
        index.index() as u64 + 1
    }

    /// Returns whether paths are counted one by one.
    fn is_tally(&self) -> bool {
        self.forest.k() == 1
    }

    /// The place of a state.
    fn place(&self, state: u64) -> ForestPosition {
        match state {
            FIRST_STATE => ForestPosition::default(),
            state => self.places[StateIndex::new(state as usize - 1)],
        }
    }

    /// The ids of a word, each with its number of repetitions.
    fn ids(&self, word: u64) -> Vec<(u64, u64)> {
        if let Some(id) = id_alone(word).filter(|_| self.numbers.is_some()) {
            return vec![(id, 1)];
        }
        let id = |number| self.numbers.as_ref().map_or(number, |numbers| numbers.id(number));
        let once = |slab| self.packing.ids(slab).map(|number| (id(number), 1));
        match Run::of(word).filter(|_| !self.repeated.is_empty()) {
            None => once(word).collect(),
            Some(Run { slab, nth, times }) => once(slab).chain([(self.repeated[nth as usize], times)]).collect(),
        }
    }
}

/// Equal ids, each of whose periods passes the same places once.
fn count_periods(forest: &mut SlabForest, id: u64, count: u64) {
    if count == 0 {
        return;
    }
    let period = period(forest.k());
    let (_, from) = forest.follow_repeated(ForestPosition::default(), id, 2 * period);
    let (passed, _) = forest.follow_repeated(from, id, period);
    passed.into_iter().for_each(|(place, passes)| forest.add_at(place, count * passes));
}

#[cfg(test)]
#[path = "slab_tables_tests.rs"]
mod tests;

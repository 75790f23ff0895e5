//! Forests of path sequences that compiled code steps through.
//!
//! In: the first path that takes a step, from a callout. Out: the slot of that step, with a table for those that follow; and when the
//! profile is read, the forest with every step counted at its node. What slots and symbols are: `holloway_jit::steps`.
//!
//! ```text
//!   row: a settled place of a forest     table: the slots of the steps from there that are at hand
//! ```
//!
//! A table holds each symbol at the place that its hash says. Two that want the same place make it grow; where it should not
//! grow further, the one that came first is set aside with its count.
//! Invariants: tables are never freed, since code may have a slot of one at hand; one that was outgrown holds no symbol, so
//! that whoever comes there asks, and is led on. Each step's count is in one place: its slot, or set aside. When memory is
//! used up, steps that were never taken are lost: their number is kept, and the activation starts anew.

use crate::machine::{Iterations, Unreported};
use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_jit::steps::{
    COUNT, MASK, MOST_SLOTS, NO_PATH, NO_SYMBOL, SLOT, SYMBOL, Symbol, TABLE, hash, period, split,
};
use holloway_lang::ir::FuncRef;
use holloway_profiler::forest::SlabForest;
use holloway_profiler::forest::place::Place;
use holloway_profiler::forest::trie::TrieNode;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot.
const WORDS: usize = SLOT as usize / size_of::<u64>();
/// Slots that are allocated together.
const CHUNK: usize = 1 << 13;
/// A table grows while it has less slots than this many times its symbols.
const SPARSE: u32 = 8;
/// Slots of all tables together: 2 GiB.
const MOST: usize = (2 << 30) / SLOT as usize;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RowId(u32);
entity_impl!(RowId, "row");

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ForestId(u32);
entity_impl!(ForestId, "forest");

/// A step by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StepId(u32);
entity_impl!(StepId, "step");

/// The forests of functions, as tables of steps.
#[derive(Debug)]
pub struct Transitions {
    forests: PrimaryMap<ForestId, Stepped>,
    rows: PrimaryMap<RowId, Row>,
    steps: PrimaryMap<StepId, Step>,
    aside: HashMap<(RowId, u64), Aside>,
    chunks: Vec<Box<[AtomicU64]>>,
    /// Slots used in the last chunk.
    used: usize,
    /// Slots that may still be used.
    left: usize,
}

/// The forest of one function.
#[derive(Debug)]
struct Stepped {
    func: FuncRef,
    forest: SlabForest,
    /// The slot where activations start, and start anew.
    root: Table,
    /// The row of activations that start.
    start: PackedOption<RowId>,
    rows: SecondaryMap<TrieNode, PackedOption<RowId>>,
    /// The ids of loops with one path, each with a slot that counts whole periods.
    repeated: Vec<u64>,
    periods: Table,
}

#[derive(Debug)]
struct Row {
    forest: ForestId,
    place: Place,
    table: Table,
    symbols: u32,
    /// The last step that leads here; the slot where activations start is none.
    into: PackedOption<StepId>,
}

/// A step from a row, and another one that leads to the same row.
#[derive(Debug)]
struct Step {
    from: RowId,
    symbol: u64,
    other: PackedOption<StepId>,
}

/// A step that has no slot at present.
#[derive(Debug)]
struct Aside {
    count: u64,
    to: RowId,
}

/// So many slots in a chunk.
#[derive(Clone, Copy, Debug)]
struct Table {
    chunk: u32,
    first: u32,
    slots: u32,
}

impl Default for Transitions {
    fn default() -> Transitions {
        Transitions::with_slots(MOST)
    }
}

impl Transitions {
    /// No forest yet, and so many slots for all.
    fn with_slots(left: usize) -> Transitions {
        let (forests, rows, steps, chunks) = Default::default();
        Transitions { forests, rows, steps, aside: HashMap::new(), chunks, used: 0, left }
    }

    /// A forest for a function, in place of any it has: the address of the slot where activations start, and for each of the
    /// ids of loops with one path that of the counter for whole periods.
    pub fn add(&mut self, func: FuncRef, forest: SlabForest, repeated: &[i64]) -> (usize, Vec<usize>) {
        let root = self.new_table(1);
        let periods = self.new_table(repeated.len() as u32);
        let repeated: Vec<u64> = repeated.iter().map(|id| *id as u64).collect();
        let rows = SecondaryMap::new();
        let addresses = (0..repeated.len()).map(|nth| self.address(periods) as usize + nth * SLOT as usize).collect();
        let id = self.forests.push(Stepped { func, forest, root, start: None.into(), rows, repeated, periods });
        let row = self.row(id, Place::default());
        self.lead(root, 0, row);
        (self.address(root) as usize, addresses)
    }

    /// The forest of a function as counted so far.
    pub fn forest(&self, func: FuncRef) -> Option<SlabForest> {
        let (id, stepped) = self.forests.iter().rfind(|(_, stepped)| stepped.func == func)?;
        let mut forest = stepped.forest.clone();
        for row in self.rows.values().filter(|row| row.forest == id) {
            for slot in 0..row.table.slots as usize {
                let symbol = self.get(row.table, slot, SYMBOL);
                if symbol != NO_SYMBOL {
                    count_step(&mut forest, row.place, symbol, self.get(row.table, slot, COUNT));
                }
            }
        }
        for ((row, symbol), aside) in self.aside.iter().filter(|((row, _), _)| self.rows[*row].forest == id) {
            count_step(&mut forest, self.rows[*row].place, *symbol, aside.count);
        }
        for (nth, id) in stepped.repeated.iter().enumerate() {
            count_periods(&mut forest, *id, self.get(stepped.periods, nth, COUNT));
        }
        Some(forest)
    }

    /// The address of the slot of a step from a row, which was not where code looked for it; `from` is the word of a slot that
    /// names the row.
    pub fn find(&mut self, from: u64, symbol: u64) -> usize {
        let row = named(from);
        let (table, slot) = match self.slot(row, symbol) {
            Some(slot) => (self.rows[row].table, slot),
            None => (self.forests[self.rows[row].forest].root, 0),
        };
        self.address(table) as usize + slot * SLOT as usize
    }

    /// Takes the steps for what loops with one path had not reported when a failure came.
    pub fn leave(&mut self, unreported: Unreported) {
        let mut from = unreported.from;
        let Some(Iterations { first, id, times }) = unreported.iterations else {
            self.step(from, unreported.carried | NO_PATH as u64);
            return;
        };
        from = self.step(from, unreported.carried | first);
        let forest = self.rows[named(from)].forest;
        let (periods, times) = split(times - 1, period(self.forests[forest].forest.k()));
        let Stepped { repeated, periods: counters, .. } = &self.forests[forest];
        let nth = repeated.iter().position(|known| *known == id).expect("the loop has a counter");
        self.set(*counters, nth, COUNT, self.get(*counters, nth, COUNT) + periods);
        self.step(from, Symbol::Repeated { first: None, id, times, last: None }.word());
    }

    /// Takes a step; the word that names the row behind it.
    fn step(&mut self, from: u64, symbol: u64) -> u64 {
        let row = named(from);
        let (table, slot) = match self.slot(row, symbol) {
            Some(slot) => (self.rows[row].table, slot),
            None => (self.forests[self.rows[row].forest].root, 0),
        };
        self.set(table, slot, COUNT, self.get(table, slot, COUNT).wrapping_add(1));
        self.get(table, slot, MASK)
    }

    /// The place of a step in a row's table, where it is put if it is not there; none if there is no room for it.
    fn slot(&mut self, row: RowId, symbol: u64) -> Option<usize> {
        loop {
            let Row { table, symbols, .. } = self.rows[row];
            let slot = slot_of(table, symbol);
            let there = self.get(table, slot, SYMBOL);
            if there == symbol {
                return Some(slot);
            }
            if self.left < 2 * table.slots as usize {
                let ids: u64 = runs(symbol).into_iter().map(|(_, times)| times).sum();
                self.forests[self.rows[row].forest].forest.lose(ids);
                return None;
            }
            if there != NO_SYMBOL && table.slots < SPARSE * (symbols + 1) && (table.slots as usize) < MOST_SLOTS {
                self.grow(row);
                continue;
            }
            if there != NO_SYMBOL {
                self.set_aside(row, slot, there);
            }
            self.fill(row, slot, symbol);
            return Some(slot);
        }
    }

    fn fill(&mut self, row: RowId, slot: usize, symbol: u64) {
        let (count, to) = match self.aside.remove(&(row, symbol)) {
            Some(aside) => (aside.count, aside.to),
            None => (0, self.first_taken(row, symbol)),
        };
        self.rows[row].symbols += 1;
        let table = self.rows[row].table;
        self.set(table, slot, COUNT, count);
        self.set(table, slot, SYMBOL, symbol);
        self.lead(table, slot, to);
    }

    /// Where a step leads that was never taken.
    fn first_taken(&mut self, from: RowId, symbol: u64) -> RowId {
        let Row { forest, place, .. } = self.rows[from];
        let nodes = &mut self.forests[forest].forest;
        let behind = match Symbol::of(symbol) {
            Symbol::Path(id) => nodes.follow(place, id),
            Symbol::Repeated { .. } => {
                runs(symbol).into_iter().fold(place, |at, (id, times)| nodes.follow_repeated(at, id, times).1)
            }
        };
        let settled = nodes.settle(behind);
        let to = self.row(forest, settled);
        let other = self.rows[to].into;
        self.rows[to].into = self.steps.push(Step { from, symbol, other }).into();
        to
    }

    fn set_aside(&mut self, row: RowId, slot: usize, symbol: u64) {
        let table = self.rows[row].table;
        let aside = Aside { count: self.get(table, slot, COUNT), to: named(self.get(table, slot, MASK)) };
        self.aside.insert((row, symbol), aside);
        self.rows[row].symbols -= 1;
    }

    /// The row of a settled place.
    fn row(&mut self, forest: ForestId, place: Place) -> RowId {
        let stepped = &mut self.forests[forest];
        let known = match place.node() {
            Some(node) => &mut stepped.rows[node],
            None => &mut stepped.start,
        };
        if let Some(row) = known.expand() {
            return row;
        }
        let row = self.rows.next_key();
        *known = row.into();
        let table = self.new_table(1);
        self.rows.push(Row { forest, place, table, symbols: 0, into: None.into() })
    }

    /// Gives a row twice as many slots. Symbols that had different places have different places then.
    fn grow(&mut self, row: RowId) {
        let old = self.rows[row].table;
        let new = self.new_table(2 * old.slots);
        for slot in 0..old.slots as usize {
            let symbol = self.get(old, slot, SYMBOL);
            if symbol != NO_SYMBOL {
                let there = slot_of(new, symbol);
                for word in [COUNT, SYMBOL, TABLE, MASK] {
                    self.set(new, there, word, self.get(old, slot, word));
                }
                self.set(old, slot, SYMBOL, NO_SYMBOL);
            }
        }
        self.rows[row].table = new;
        let mut into = self.rows[row].into;
        while let Some(step) = into.expand() {
            let Step { from, symbol, other } = self.steps[step];
            let table = self.rows[from].table;
            let slot = slot_of(table, symbol);
            if self.get(table, slot, SYMBOL) == symbol {
                self.lead(table, slot, row);
            }
            into = other;
        }
        let stepped = &self.forests[self.rows[row].forest];
        if stepped.start == row.into() {
            self.lead(stepped.root, 0, row);
        }
    }

    /// Lets a slot lead to a row.
    fn lead(&self, table: Table, slot: usize, to: RowId) {
        let there = self.rows[to].table;
        self.set(table, slot, TABLE, self.address(there));
        self.set(table, slot, MASK, ((u64::from(there.slots) - 1) * SLOT) | ((to.index() as u64) << 32));
    }

    /// So many slots without symbols.
    fn new_table(&mut self, slots: u32) -> Table {
        let count = slots as usize;
        if self.chunks.last().is_none_or(|last| self.used + count > last.len() / WORDS) {
            let words = WORDS * count.max(CHUNK);
            self.chunks.push((0..words).map(|_| AtomicU64::new(NO_SYMBOL)).collect());
            self.used = 0;
        }
        let table = Table { chunk: self.chunks.len() as u32 - 1, first: self.used as u32, slots };
        self.used += count;
        self.left = self.left.saturating_sub(count);
        (0..count).for_each(|slot| self.set(table, slot, COUNT, 0));
        table
    }

    fn address(&self, table: Table) -> u64 {
        self.chunks[table.chunk as usize][WORDS * table.first as usize..].as_ptr().expose_provenance() as u64
    }

    fn word(&self, table: Table, slot: usize, offset: i32) -> &AtomicU64 {
        let word = WORDS * (table.first as usize + slot) + offset as usize / size_of::<u64>();
        &self.chunks[table.chunk as usize][word]
    }

    fn get(&self, table: Table, slot: usize, offset: i32) -> u64 {
        self.word(table, slot, offset).load(Ordering::Relaxed)
    }

    fn set(&self, table: Table, slot: usize, offset: i32, to: u64) {
        self.word(table, slot, offset).store(to, Ordering::Relaxed);
    }
}

/// The row that a slot's word names.
fn named(word: u64) -> RowId {
    RowId::from_u32((word >> 32) as u32)
}

/// Where in a table a symbol belongs.
fn slot_of(table: Table, symbol: u64) -> usize {
    (hash(symbol) / SLOT) as usize & (table.slots as usize - 1)
}

/// What a symbol stands for: ids, each with how often it comes in a row.
fn runs(symbol: u64) -> Vec<(u64, u64)> {
    match Symbol::of(symbol) {
        Symbol::Path(id) => vec![(id, 1)],
        Symbol::Repeated { first, id, times, last } => {
            let once = |id: u64| (id, 1);
            first.map(once).into_iter().chain([(id, times)]).chain(last.map(once)).collect()
        }
    }
}

fn count_step(forest: &mut SlabForest, from: Place, symbol: u64, count: u64) {
    let mut at = from;
    for (id, times) in runs(symbol) {
        let (passed, last) = forest.follow_repeated(at, id, times);
        passed.into_iter().filter(|_| count > 0).for_each(|(place, passes)| forest.add_at(place, count * passes));
        at = last;
    }
}

/// Equal ids, each of whose periods passes the same places once.
fn count_periods(forest: &mut SlabForest, id: u64, count: u64) {
    if count == 0 {
        return;
    }
    let period = period(forest.k());
    let (_, from) = forest.follow_repeated(Place::default(), id, 2 * period);
    let (passed, _) = forest.follow_repeated(from, id, period);
    passed.into_iter().for_each(|(place, passes)| forest.add_at(place, count * passes));
}

#[cfg(test)]
#[path = "transitions_tests.rs"]
mod tests;

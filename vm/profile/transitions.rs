//! Forests of path sequences that compiled code steps through.
//!
//! In: the first path that takes a step, from a runtime call. Out: the slot of that step, with a table for those that follow; and when the
//! profile is read, the forest with every step counted at its node. What slots and symbols are: `holloway_jit::steps`.
//!
//! ```text
//!   row: a settled place of a forest     table: the slots of the steps from there that are at hand
//! ```
//!
//! A table holds each symbol at the place that its hash says. Two that want the same place make it grow; where it should not
//! grow further, the one that comes later has a slot aside of it, which code has to ask for each time. One that is asked for
//! often makes the table grow after all.
//! Invariants: an activation that called another has a slot at hand, so a slot is never freed, and never becomes another
//! step's: it always leads to the row behind its step. A table that was outgrown holds no symbol, so that whoever comes
//! there asks, and is led on. Each step's count is in one slot. When memory is used up, steps that were never taken are lost:
//! their number is kept, and the activation starts anew.

use super::settings::{CHUNK, MOST_BYTES, PATIENCE, SPARSE};
use crate::machine::{Iterations, Unreported};
use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashMap;
use holloway_jit::steps::{
    COUNT, MASK, MOST_SLOTS, NO_PATH, NO_SYMBOL, SLOT, SYMBOL, Symbol, TABLE, hash, period, split,
};
use holloway_lang::ir::FuncRef;
use holloway_profiler::forest::trie::TrieNode;
use holloway_profiler::forest::{Place, SlabForest};
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a slot.
const WORDS: usize = SLOT as usize / size_of::<u64>();
/// Slots that a step never taken before needs beside its own: its row, its node, and the way back to its slot.
const BESIDE: usize = 4;

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
    /// Steps whose place in the table another one has.
    aside: Option<Box<HashMap<u64, Aside>>>,
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

/// A step that has a slot of its own.
#[derive(Debug)]
struct Aside {
    at: Spot,
    /// Number of lookups.
    asked: u32,
}

/// So many slots in a chunk.
#[derive(Clone, Copy, Debug)]
struct Table {
    chunk: u32,
    first: u32,
    slots: u32,
}

/// A slot of a table.
#[derive(Clone, Copy, Debug)]
struct Spot {
    table: Table,
    slot: usize,
}

impl Default for Transitions {
    fn default() -> Transitions {
        Transitions::with_slots(MOST_BYTES / SLOT as usize)
    }
}

impl Transitions {
    /// No forest yet, and so many slots for all.
    fn with_slots(left: usize) -> Transitions {
        let (forests, rows, steps, chunks) = Default::default();
        Transitions { forests, rows, steps, chunks, used: 0, left }
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
        self.lead(Spot { table: root, slot: 0 }, row);
        (self.address(root) as usize, addresses)
    }

    /// The forest of a function as counted so far.
    pub fn forest(&self, func: FuncRef) -> Option<SlabForest> {
        let stepped = self.forests.values().rfind(|stepped| stepped.func == func)?;
        let mut forest = stepped.forest.clone();
        let rows = stepped.rows.values().chain([&stepped.start]).filter_map(|row| row.expand());
        for row in rows.map(|row| &self.rows[row]) {
            let beside = row.aside.iter().flat_map(|aside| aside.values()).map(|aside| aside.at);
            for at in (0..row.table.slots as usize).map(|slot| Spot { table: row.table, slot }).chain(beside) {
                let symbol = self.get(at, SYMBOL);
                if symbol != NO_SYMBOL {
                    count_step(&mut forest, row.place, symbol, self.get(at, COUNT));
                }
            }
        }
        for (nth, id) in stepped.repeated.iter().enumerate() {
            count_periods(&mut forest, *id, self.get(Spot { table: stepped.periods, slot: nth }, COUNT));
        }
        Some(forest)
    }

    /// The address of the slot of a step from a row, which was not where code looked for it; `from` is the word of a slot that
    /// names the row.
    pub fn find(&mut self, from: u64, symbol: u64) -> usize {
        let at = self.behind(named(from), symbol);
        self.address(at.table) as usize + at.slot * SLOT as usize
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
        let at = Spot { table: *counters, slot: nth };
        self.set(at, COUNT, self.get(at, COUNT) + periods);
        self.step(from, Symbol::Repeated { first: None, id, times, last: None }.word());
    }

    /// Takes a step; the word that names the row behind it.
    fn step(&mut self, from: u64, symbol: u64) -> u64 {
        let at = self.behind(named(from), symbol);
        self.set(at, COUNT, self.get(at, COUNT).wrapping_add(1));
        self.get(at, MASK)
    }

    /// The slot of a step; that where activations start if there is no room for it.
    fn behind(&mut self, row: RowId, symbol: u64) -> Spot {
        let root = Spot { table: self.forests[self.rows[row].forest].root, slot: 0 };
        self.known(row, symbol).or_else(|| self.take_first(row, symbol)).unwrap_or(root)
    }

    /// The slot of a step that was taken before.
    fn known(&mut self, row: RowId, symbol: u64) -> Option<Spot> {
        let Row { table, aside, .. } = &mut self.rows[row];
        let table = *table;
        if let Some(aside) = aside.as_mut().and_then(|aside| aside.get_mut(&symbol)) {
            aside.asked += 1;
            let at = aside.at;
            if !aside.asked.is_multiple_of(PATIENCE) || !self.may_grow(table) {
                return Some(at);
            }
            self.grow(row);
            return self.known(row, symbol);
        }
        let at = Spot { table, slot: slot_of(table, symbol) };
        (self.get(at, SYMBOL) == symbol).then_some(at)
    }

    /// Gives a step a slot; none if there is no room.
    fn take_first(&mut self, row: RowId, symbol: u64) -> Option<Spot> {
        // A slot aside, and one for the row behind.
        if self.left < BESIDE + 2 {
            let ids: u64 = runs(symbol).into_iter().map(|(_, times)| times).sum();
            self.forests[self.rows[row].forest].forest.lose(ids);
            return None;
        }
        let at = loop {
            let Row { table, symbols, .. } = self.rows[row];
            let at = Spot { table, slot: slot_of(table, symbol) };
            if self.get(at, SYMBOL) == NO_SYMBOL {
                self.rows[row].symbols += 1;
                break at;
            }
            if table.slots >= SPARSE * (symbols + 1) || !self.may_grow(table) {
                let at = Spot { table: self.new_table(1), slot: 0 };
                self.rows[row].aside.get_or_insert_default().insert(symbol, Aside { at, asked: 0 });
                break at;
            }
            self.grow(row);
        };
        self.left = self.left.saturating_sub(BESIDE);
        let to = self.first_taken(row, symbol);
        self.set(at, SYMBOL, symbol);
        self.lead(at, to);
        Some(at)
    }

    fn may_grow(&self, table: Table) -> bool {
        (table.slots as usize) < MOST_SLOTS && self.left >= 2 * table.slots as usize + BESIDE + 2
    }

    /// Target of a step that was never taken.
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
        self.rows.push(Row { forest, place, table, symbols: 0, aside: None, into: None.into() })
    }

    /// Gives a row twice as many slots. Symbols that had different places have different places then; some that had none
    /// may have one.
    fn grow(&mut self, row: RowId) {
        let old = self.rows[row].table;
        let new = self.new_table(2 * old.slots);
        for at in (0..old.slots as usize).map(|slot| Spot { table: old, slot }) {
            let symbol = self.get(at, SYMBOL);
            if symbol != NO_SYMBOL {
                self.move_step(at, Spot { table: new, slot: slot_of(new, symbol) });
            }
        }
        let aside = self.rows[row].aside.take().unwrap_or_default();
        let mut kept: HashMap<u64, Aside> = HashMap::new();
        for (symbol, aside) in *aside {
            let there = Spot { table: new, slot: slot_of(new, symbol) };
            if self.get(there, SYMBOL) == NO_SYMBOL {
                self.move_step(aside.at, there);
                self.rows[row].symbols += 1;
            } else {
                kept.insert(symbol, aside);
            }
        }
        self.rows[row].aside = (!kept.is_empty()).then(|| Box::new(kept));
        self.rows[row].table = new;
        self.lead_all(row);
    }

    /// Moves a step and its count. The slot it had goes on leading where it led.
    fn move_step(&self, from: Spot, to: Spot) {
        for word in [COUNT, SYMBOL, TABLE, MASK] {
            self.set(to, word, self.get(from, word));
        }
        self.set(from, SYMBOL, NO_SYMBOL);
    }

    /// Lets all steps to a row lead to its present table.
    fn lead_all(&self, row: RowId) {
        let mut into = self.rows[row].into;
        while let Some(step) = into.expand() {
            let Step { from, symbol, other } = self.steps[step];
            let Row { table, aside, .. } = &self.rows[from];
            let beside = aside.as_ref().and_then(|aside| aside.get(&symbol)).map(|aside| aside.at);
            self.lead(beside.unwrap_or(Spot { table: *table, slot: slot_of(*table, symbol) }), row);
            into = other;
        }
        let stepped = &self.forests[self.rows[row].forest];
        if stepped.start == row.into() {
            self.lead(Spot { table: stepped.root, slot: 0 }, row);
        }
    }

    /// Lets a slot lead to a row.
    fn lead(&self, at: Spot, to: RowId) {
        let there = self.rows[to].table;
        self.set(at, TABLE, self.address(there));
        self.set(at, MASK, ((u64::from(there.slots) - 1) * SLOT) | ((to.index() as u64) << 32));
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
        (0..count).for_each(|slot| self.set(Spot { table, slot }, COUNT, 0));
        table
    }

    fn address(&self, table: Table) -> u64 {
        self.chunks[table.chunk as usize][WORDS * table.first as usize..].as_ptr().expose_provenance() as u64
    }

    fn word(&self, at: Spot, offset: i32) -> &AtomicU64 {
        let word = WORDS * (at.table.first as usize + at.slot) + offset as usize / size_of::<u64>();
        &self.chunks[at.table.chunk as usize][word]
    }

    fn get(&self, at: Spot, offset: i32) -> u64 {
        self.word(at, offset).load(Ordering::Relaxed)
    }

    fn set(&self, at: Spot, offset: i32, to: u64) {
        self.word(at, offset).store(to, Ordering::Relaxed);
    }
}

/// The row that a slot's word names.
fn named(word: u64) -> RowId {
    RowId::from_u32((word >> 32) as u32)
}

/// Index of a symbol in a table.
fn slot_of(table: Table, symbol: u64) -> usize {
    (hash(symbol) / SLOT) as usize & (table.slots as usize - 1)
}

/// Meaning of a symbol: ids, each with its number of repetitions.
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

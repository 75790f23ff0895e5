//! Steps in k-iteration path forests that compiled code counts.
//!
//! In: the first count of a step, by a runtime call. Out: its slot, with the state behind; and when the profile is read,
//! the forest with every id counted at its node. The layout of rows is that of `holloway_jit::step_table`.
//!
//! A state is a settled place of the function's forest, which grows with the steps.
//! Invariants: a state has one place, and one row at a time, to which every slot before it leads; counts of rows that it
//! had stay where they are.
//!
//! Paths without a pattern would need as many states as there are paths. A function that has [`MOST_STATES`] gets no
//! further ones: a step leads to the state of the last ids that has one, so that cold sequences are counted shorter than
//! they could be, while counts of single ids stay exact. When memory is used up, steps that were never counted are lost,
//! and the activation starts anew. The number of ids that are missing in counts of longer sequences is told.

use super::rows::{FIRST, Rows, StateId};
use super::settings::{MOST_BYTES, MOST_STATES};
use super::words::{AtOffset, Words, address, words};
use crate::collector::Iterations;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl, packed_option::PackedOption};
use hashbrown::HashMap;
use holloway_ir::FuncRef;
use holloway_jit::step_table::{COUNT, ITEM, NEXT, RepeatedLoop, STATE, StepTable};
use holloway_profiler::forest::suffix::{Place, SuffixForest};
use holloway_profiler::forest::trie::TrieNode;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TableId(u32);
entity_impl!(TableId, "table");

/// The steps of functions.
#[derive(Debug)]
pub struct StepTables {
    tables: PrimaryMap<TableId, Table>,
    /// By the first state.
    by_first: HashMap<usize, TableId>,
    /// Bytes that rows may still take.
    left: usize,
    /// States that a function may have.
    most_states: usize,
}

/// The steps of one function.
#[derive(Debug)]
struct Table {
    func: FuncRef,
    layout: StepTable,
    most_states: usize,
    /// The forest of the states, into which steps are counted when they are read.
    forest: SuffixForest,
    /// By the settled place in the forest.
    by_node: SecondaryMap<TrieNode, PackedOption<StateId>>,
    states: PrimaryMap<StateId, State>,
    /// Rows that states have or had.
    rows: Rows,
    /// Steps whose slots of a row are other items', which are counted here.
    beside: HashMap<(StateId, u64), u64>,
    /// A counter for each loop with one path.
    further: Words,
    /// The ids of loops with one path.
    repeated: PrimaryMap<RepeatedLoop, u64>,
}

#[derive(Debug)]
struct State {
    place: Place,
    row: u64,
    /// Those of its row that are used.
    slots: SmallVec<[u32; 2]>,
    /// The addresses of the slots that lead to it.
    before: SmallVec<[u64; 2]>,
}

impl Default for StepTables {
    fn default() -> StepTables {
        StepTables::bounded(MOST_BYTES, MOST_STATES)
    }
}

impl StepTables {
    /// None yet, so many bytes for all, and so many states for each function.
    fn bounded(left: usize, most_states: usize) -> StepTables {
        StepTables { tables: PrimaryMap::new(), by_first: HashMap::new(), left, most_states }
    }

    /// Steps for sequences of up to `k` paths of a function, in place of any it has; `repeated` are the ids of loops with one path.
    pub fn add(&mut self, func: FuncRef, k: u32, paths: u64, repeated: Vec<u64>) -> StepTable {
        let further = words(repeated.len());
        let unplaced = StepTable { first: 0, further: address(&further), k, paths, loops: repeated.len() as u32 };
        let rows = Rows::new(unplaced.row_slots() as usize);
        let layout = StepTable { first: rows.first() as usize, ..unplaced };
        let mut table = Table {
            func,
            layout,
            most_states: self.most_states,
            forest: SuffixForest::new(k),
            by_node: SecondaryMap::new(),
            states: PrimaryMap::new(),
            rows,
            beside: HashMap::new(),
            further,
            repeated: repeated.into_iter().collect(),
        };
        table.push_state(Place::default(), layout.first as u64);
        self.by_first.insert(layout.first, self.tables.push(table));
        layout
    }

    /// The forest of a function's paths as counted so far.
    pub fn forest(&self, func: FuncRef) -> Option<SuffixForest> {
        self.tables.values().rfind(|table| table.func == func).map(Table::counted)
    }

    /// Counts a step that has no slot, with the item as code has it; gives the state behind.
    pub fn count(&mut self, first: usize, state: u64, item: u64) -> u64 {
        let table = &mut self.tables[self.by_first[&first]];
        table.count(state, item / table.layout.scale(), &mut self.left)
    }

    /// Counts iterations of a loop that has one path, with ids as code has them.
    pub fn count_run(&mut self, first: usize, state: u64, Iterations { first: id, id: other, times }: Iterations) {
        let table = &mut self.tables[self.by_first[&first]];
        let scale = table.layout.scale();
        let begun = table.count(state, id / scale, &mut self.left);
        let of = table.repeated.iter().find(|(_, known)| **known == other / scale).expect("the loop is one of those").0;
        let rest = (times - 1).min(u64::from(table.layout.k));
        table.further[of.index()].fetch_add(times - 1 - rest, Ordering::Relaxed);
        if rest > 0 {
            table.count(begun, table.layout.loop_item(of) + rest, &mut self.left);
        }
    }
}

impl Table {
    fn count(&mut self, row: u64, item: u64, left: &mut usize) -> u64 {
        let (state, nth) = (self.rows.state(row), self.layout.slot(item) as u32);
        let current = self.states[state].row;
        let slot = self.rows.slot(current, nth);
        if slot.load_at(STATE) != current {
            if self.take(state, (nth, item), left).is_none() {
                self.forest.lose(self.ids(item).1);
                return self.layout.first as u64;
            }
        } else if slot.load_at(ITEM) != item {
            *self.beside.entry((state, item)).or_default() += 1;
            return self.behind(state, item, left).map_or(self.layout.first as u64, |behind| self.states[behind].row);
        }
        let slot = self.rows.slot(self.states[state].row, nth);
        slot.store_at(COUNT, slot.load_at(COUNT) + 1);
        slot.load_at(NEXT)
    }

    /// Takes a slot of a state, which has none for the item; `None` if there is no room.
    fn take(&mut self, state: StateId, (nth, item): (u32, u64), left: &mut usize) -> Option<()> {
        let behind = self.behind(state, item, left)?;
        let is_free = self.rows.slot(self.states[state].row, nth).load_at(STATE) == 0;
        self.states[state].slots.push(nth);
        if !is_free && self.move_row(state, left).is_none() {
            self.states[state].slots.pop();
            return None;
        }
        self.fill((self.states[state].row, nth), behind, item);
        Some(())
    }

    /// Makes a slot one of a row, which leads to a state.
    fn fill(&mut self, (row, nth): (u64, u32), behind: StateId, item: u64) {
        let (slot, next) = (self.rows.slot(row, nth), self.states[behind].row);
        [(STATE, row), (NEXT, next), (ITEM, item)].into_iter().for_each(|(offset, to)| slot.store_at(offset, to));
        self.states[behind].before.push(address(slot) as u64);
    }

    /// Gives a state a row in which its slots are free, and leads all before it there; `None` if there is no room.
    fn move_row(&mut self, state: StateId, left: &mut usize) -> Option<()> {
        let State { row: before, slots, .. } = &self.states[state];
        let (before, slots) = (*before, slots.clone());
        let row = self.rows.place(state, &slots, left)?;
        // The last is the one that it is moved for.
        for nth in &slots[..slots.len() - 1] {
            let [next, item] = [NEXT, ITEM].map(|offset| self.rows.slot(before, *nth).load_at(offset));
            self.fill((row, *nth), self.rows.state(next), item);
        }
        self.states[state].row = row;
        self.states[state].before.iter().for_each(|slot| self.rows.at(*slot).store_at(NEXT, row));
        Some(())
    }

    /// The state behind a step; `None` if there is no room for it.
    fn behind(&mut self, state: StateId, item: u64, left: &mut usize) -> Option<StateId> {
        let (id, times) = self.ids(item);
        let from = self.states[state].place;
        let last = match times {
            1 => self.forest.follow(from, id),
            _ => self.forest.follow_repeated(from, id, times).last().expect("a step has ids").0,
        };
        let settled = self.forest.settled(last.into()).expect("it has ids");
        if let Some(known) = self.by_node[settled].expand() {
            return Some(known);
        }
        if self.states.len() >= self.most_states {
            return Some(self.longest_known(&self.forest, settled));
        }
        let row = self.rows.place(self.states.next_key(), &[], left)?;
        let behind = self.push_state(settled.into(), row);
        self.by_node[settled] = behind.into();
        Some(behind)
    }

    /// The state of the last ids of a place in a forest that has all nodes of this one, as many as have one.
    fn longest_known(&self, forest: &SuffixForest, place: TrieNode) -> StateId {
        let shorter = std::iter::successors(Some(place), |node| forest.link(*node));
        shorter.into_iter().find_map(|node| self.by_node[node].expand()).unwrap_or(FIRST)
    }

    fn push_state(&mut self, place: Place, row: u64) -> StateId {
        self.states.push(State { place, row, slots: SmallVec::new(), before: SmallVec::new() })
    }

    /// The id of an item, and how often it stands for it.
    fn ids(&self, item: u64) -> (u64, u64) {
        self.layout.loop_of(item).map_or((item, 1), |(of, times)| (self.repeated[of], times))
    }

    /// The forest with every id counted at its node.
    fn counted(&self) -> SuffixForest {
        let mut forest = self.forest.clone();
        let counted = |slot: &[AtomicU64]| slot.load_at(COUNT);
        let of_first = self.rows.of_first().enumerate().filter(|(_, slot)| counted(slot) > 0);
        // Code may have counted in a slot that nobody took, where the row has one for each item.
        let of_first = of_first.map(|(nth, slot)| match self.layout.is_direct() {
            true => (FIRST, nth as u64, counted(slot)),
            false => (FIRST, slot.load_at(ITEM), counted(slot)),
        });
        let of_others = self.rows.of_others();
        let of_others = of_others.map(|slot| (self.rows.state(slot.load_at(STATE)), slot.load_at(ITEM), counted(slot)));
        let beside = self.beside.iter().map(|((state, item), count)| (*state, *item, *count));
        let (mut total, mut missing) = (0, 0);
        for (state, item, count) in of_first.chain(of_others).chain(beside).filter(|(.., count)| *count > 0) {
            let (id, times) = self.ids(item);
            let passed = forest.follow_repeated(self.states[state].place, id, times);
            let last = passed.last().map(|(node, _)| *node);
            passed.into_iter().for_each(|(node, passes)| forest.add(node, count * passes));
            total += count * times;
            let settled = forest.settled(last.into()).expand().filter(|_| self.states.len() >= self.most_states);
            if let Some(settled) = settled {
                let known = self.states[self.longest_known(&forest, settled)].place;
                // As many ids behind are counted at sequences that are too short.
                missing += count * u64::from(forest.length(settled.into()) - forest.length(known));
            }
        }
        forest.lose(missing.min(total));
        for (of, id) in &self.repeated {
            let count = self.further[of.index()].load(Ordering::Relaxed);
            if count > 0 {
                let passed = forest.follow_repeated(Place::default(), *id, u64::from(forest.k()));
                let (longest, _) = passed.last().expect("k is above 1");
                forest.add(*longest, count);
            }
        }
        forest
    }
}

#[cfg(test)]
#[path = "step_tables_tests.rs"]
mod tests;

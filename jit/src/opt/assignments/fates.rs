//! Fates, read off the record.
//!
//! In: a function after a pass, and its record. Out: homes for instructions that were moved, the name of the pass at each
//! assignment that is gone, and at the end the list of assignments.
//!
//! Copies of a block that a test keeps for the case that fails are cold; where there are others, they are left out.

use super::record::{Home, Segment};
use super::{Assignment, AssignmentId, ExecutedAt, Fate, Known, Means, Position, Record, When};
use crate::opt::cfg::Edges;
use crate::opt::ssa::{Block, Def, Func, Inst, Op, Value};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::Local;

/// The parts of a function that are executed.
struct Executed<'a> {
    func: &'a Func,
    record: &'a Record,
    /// Reachable blocks without those left out.
    blocks: Vec<Block>,
    /// The segments of each origin.
    copies: SecondaryMap<Block, Vec<Segment>>,
    /// Instructions of each assignment.
    insts: SecondaryMap<AssignmentId, Vec<(Block, Inst)>>,
    used: EntitySet<Value>,
}

impl Record {
    /// Notes what a pass did: homes for what it moved, its name at what it deleted.
    pub(crate) fn after(&mut self, func: &Func, pass: &'static str) {
        let edges = Edges::of(func);
        for block in &edges.rpo {
            self.settle(func, *block);
        }
        let executed = Executed::of(func, self, &edges.rpo);
        let gone: Vec<AssignmentId> = self
            .noted
            .keys()
            .filter(|id| self.noted[*id].deleted.is_none() && executed.places(*id).is_empty())
            .collect();
        for id in gone {
            self.noted[id].deleted = Some(pass);
        }
    }

    /// The assignments with their fates, after the last pass.
    pub(crate) fn assignments(&self, func: &Func) -> Vec<Assignment> {
        let executed = Executed::of(func, self, &Edges::of(func).rpo);
        let fate = |id: AssignmentId| match self.noted[id].deleted {
            Some(pass) => Fate::Deleted { pass, known: self.known(func, id) },
            None => Fate::Executed(executed.places(id)),
        };
        let listed = self.noted.iter().map(|(id, noted)| Assignment {
            local: noted.local,
            block: noted.block,
            index: noted.index,
            fate: fate(id),
        });
        listed.collect()
    }

    fn known(&self, func: &Func, id: AssignmentId) -> Option<Known> {
        match func.values[self.noted[id].value].def {
            Def::Const(constant) => Some(Known::Constant(constant)),
            Def::Inst(_) | Def::Param(..) => {
                let other = self.of_inst[func.def_inst(self.noted[id].value)?].expand()?;
                let is_there = self.noted[other].deleted.is_none();
                (other != id && is_there).then(|| Known::SameAs(other.index()))
            }
        }
    }

    /// Gives the instructions of a block that stand for assignments a home in it, unless they have one.
    fn settle(&mut self, func: &Func, block: Block) {
        let segments = self.segments[block].clone();
        let Some(last) = segments.last() else { return };
        let mut next = self.end(func, block, *last);
        let mut order = 0;
        let mut moved: Vec<(Inst, Home)> = Vec::new();
        for inst in func.blocks[block].insts.iter().rev() {
            let rank = |home: &Home| {
                let segment = segments.iter().position(|segment| *segment == home.segment);
                segment.map(|segment| (segment, home.index, home.order))
            };
            match self.home[*inst].filter(|home| rank(home).is_some()) {
                Some(home) if rank(&home) <= rank(&next) => (next, order) = (home, 0),
                _ if self.of_inst[*inst].is_some() => {
                    order += 1;
                    let ahead_of = if next.order == Position::ITSELF { LAST_AHEAD } else { next.order };
                    moved.push((*inst, Home { order: ahead_of - order, ..next }));
                }
                _ => {}
            }
        }
        for (inst, home) in moved {
            self.home[inst] = Some(home);
        }
    }

    /// The end of a segment that ends a block.
    fn end(&self, func: &Func, block: Block, segment: Segment) -> Home {
        let at = self.ir_block(segment);
        let (ends_in, index) = self.places[func.blocks[block].term_site as usize];
        let index = if ends_in == at { index } else { self.lengths[at] };
        Home { segment, index, order: Position::ITSELF }
    }
}

/// The order of the last instruction that is moved ahead of another one; those before it have less.
const LAST_AHEAD: u32 = Position::ITSELF / 2;

impl<'a> Executed<'a> {
    fn of(func: &'a Func, record: &'a Record, reachable: &[Block]) -> Executed<'a> {
        let mut warm: EntitySet<Block> = EntitySet::new();
        for block in reachable.iter().filter(|block| !func.blocks[**block].cold) {
            record.segments[*block].iter().for_each(|segment| {
                warm.insert(record.origin[*segment]);
            });
        }
        let counts = |block: &Block| {
            let elsewhere = |segment: &Segment| warm.contains(record.origin[*segment]);
            !func.blocks[*block].cold || !record.segments[*block].iter().all(elsewhere)
        };
        let blocks: Vec<Block> = reachable.iter().copied().filter(counts).collect();
        let mut executed = Executed {
            func,
            record,
            copies: SecondaryMap::new(),
            insts: SecondaryMap::new(),
            used: EntitySet::new(),
            blocks,
        };
        executed.scan();
        executed
    }

    fn scan(&mut self) {
        for block in self.blocks.clone() {
            for segment in &self.record.segments[block] {
                self.copies[self.record.origin[*segment]].push(*segment);
            }
            let data = &self.func.blocks[block];
            for inst in &data.insts {
                self.func.insts[*inst].args.iter().for_each(|arg| {
                    self.used.insert(*arg);
                });
                if let Some(id) = self.record.of_inst[*inst].expand() {
                    self.insts[id].push((block, *inst));
                }
            }
            let passed = data.term.targets().flat_map(|to| to.args.clone());
            data.term.operand().into_iter().chain(passed).for_each(|value| {
                self.used.insert(value);
            });
        }
    }

    /// The places that execute an assignment.
    fn places(&self, id: AssignmentId) -> Vec<ExecutedAt> {
        let noted = &self.record.noted[id];
        let here = Position { block: noted.block, index: noted.index, order: Position::ITSELF };
        let in_place = || vec![ExecutedAt { position: here, when: When::Always }];
        let is_there = !self.copies[noted.at].is_empty();
        match noted.means {
            Means::Copy if is_there && self.is_used(noted.value) => in_place(),
            Means::Copy if !is_there && self.is_selected(noted.local, noted.value) => in_place(),
            Means::Copy => Vec::new(),
            Means::Inst(_) => {
                let mut found: Vec<ExecutedAt> = Vec::new();
                for (block, inst) in &self.insts[id] {
                    let result = self.func.insts[*inst].result;
                    let chosen = !is_there && result.is_some_and(|value| self.is_selected(noted.local, value));
                    let places = if chosen { in_place() } else { self.place(id, *block, *inst).into_iter().collect() };
                    found.extend(places.into_iter().filter(|place| !found.contains(place)).collect::<Vec<_>>());
                }
                found.sort_by_key(|at| at.position);
                found
            }
        }
    }

    /// Constants have a value for each place where they are written, so that one nobody reads is seen to be gone.
    fn is_used(&self, value: Value) -> bool {
        self.func.as_const(value).is_none() || self.used.contains(value)
    }

    /// Returns whether a select decides if a local gets a value.
    fn is_selected(&self, local: Local, value: Value) -> bool {
        self.blocks.iter().flat_map(|block| &self.func.blocks[*block].insts).any(|inst| {
            let data = &self.func.insts[*inst];
            let merges = || data.result.and_then(|result| self.record.merges.get(&result));
            data.op == Op::Select
                && data.args[1..].iter().any(|arg| self.func.same(*arg, value))
                && merges().is_some_and(|locals| locals.contains(&local))
        })
    }

    fn place(&self, id: AssignmentId, block: Block, inst: Inst) -> Option<ExecutedAt> {
        let record = self.record;
        let home = record.home[inst].filter(|home| record.segments[block].contains(&home.segment));
        let Some(home) = home else {
            let entered = record.entered.get(&block)?;
            let position = Position { block: entered.first, index: 0, order: 0 };
            return Some(ExecutedAt { position, when: When::Entering(entered.blocks.clone()) });
        };
        let origin = record.origin[home.segment];
        let holds = |segment: &Segment| {
            let found = self.insts[id].iter().filter_map(|(_, inst)| record.home[*inst]);
            found.map(|home| home.segment).any(|home| home == *segment)
        };
        let when = if self.copies[origin].iter().all(holds) { When::Always } else { When::Sometimes };
        Some(ExecutedAt {
            position: Position { block: record.ir_block(home.segment), index: home.index, order: home.order },
            when,
        })
    }
}

//! Global value numbering over the dominator tree, with redundant checks and redundant loads.
//!
//! Requires: nothing. Preserves: effects in their order. A value computed, checked or loaded in a dominating position is not
//! computed, checked or loaded again. This is the dominator-based numbering of [BCS97] with one scope a block; equality is
//! pessimistic, so loops that compute the same side by side are not found, as [AWZ88] and [Click95] do.
//!
//! Loads are equal while their memory has the same version: each kind of place ([`Mem`]) gets a new one at a write that may touch
//! it. At a join it has the version that it had at the end of the dominator, unless some block between them writes there.
//!
//! [AWZ88] B. Alpern, M. N. Wegman, F. K. Zadeck, "Detecting Equality of Variables in Programs", POPL 1988.
//! [BCS97] P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997.
//! [Click95] C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995.

use super::Changed;
use super::alias::may_be_same;
use super::cfg::{Graph, homes};
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, Mem, Op, Term, Value};
use crate::settings::gvn::MOST_BETWEEN;
use cranelift_entity::{EntitySet, SecondaryMap};
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};
use holloway_lang::ir::{BinaryOp, Operand};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::hash::BuildHasher;
use std::rc::Rc;

/// The key under which two instructions are equal: operation, operands with constants by value, version of memory.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Numbers,
    version: u32,
}

/// The operands of most instructions, each by the value that stands for all that are equal to it.
type Numbers = SmallVec<[Value; 4]>;

/// Results of what was computed on the way to a block, in the order in which that was learnt.
#[derive(Default)]
struct Known {
    learnt: Vec<(u64, Key, Option<Value>)>,
    /// Places in that list, by the key.
    table: HashTable<usize>,
    hasher: DefaultHashBuilder,
}

impl Known {
    /// Learns what a key gives, and gives what it was known to.
    fn learn(&mut self, key: Key, result: Option<Value>) -> Option<Option<Value>> {
        let (learnt, hash) = (&mut self.learnt, self.hasher.hash_one(&key));
        match self.table.entry(hash, |at| learnt[*at].1 == key, |at| learnt[*at].0) {
            Entry::Occupied(entry) => Some(learnt[*entry.get()].2),
            Entry::Vacant(entry) => {
                entry.insert(learnt.len());
                learnt.push((hash, key, result));
                None
            }
        }
    }

    /// Forgets what was learnt since the list was so long.
    fn forget(&mut self, len: usize) {
        for at in (len..self.learnt.len()).rev() {
            if let Ok(entry) = self.table.find_entry(self.learnt[at].0, |other| *other == at) {
                entry.remove();
            }
        }
        self.learnt.truncate(len);
    }
}

/// Versions of memory: of all of it, and of what was written since, by kind of place and object.
#[derive(Clone, Default)]
struct Memory {
    all: u32,
    places: Vec<(Mem, Object, u32)>,
}

/// The object of a store; `None` where it is not the same one each time control gets there.
type Object = Option<Value>;

impl Memory {
    fn write(&mut self, mem: Mem, object: Object, version: u32) {
        match self.places.iter_mut().find(|(kind, known, _)| (*kind, *known) == (mem, object)) {
            Some((.., known)) => *known = version,
            None => self.places.push((mem, object, version)),
        }
    }
}

/// The effects of a block on memory.
#[derive(Clone, Default)]
struct Effects {
    stores: SmallVec<[Inst; 2]>,
    /// Something in it may write anywhere.
    writes: bool,
}

struct Numbering<'a> {
    func: &'a mut Func,
    graph: &'a Graph,
    known: Known,
    with: Replacements,
    /// The first of equal constants.
    constants: HashMap<Operand, Value>,
    at_end: SecondaryMap<Block, Option<Rc<Memory>>>,
    effects: SecondaryMap<Block, Effects>,
    /// The block each value is defined in, once that is asked for.
    home: OnceCell<SecondaryMap<Value, Option<Block>>>,
    /// References that were compared and found to be different, on the way here.
    different: HashSet<(Value, Value)>,
    next_version: u32,
    removed: bool,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::of(func);
    let mut numbering = Numbering {
        home: OnceCell::new(),
        with: Replacements::new(func),
        effects: effects(func, &graph),
        func,
        graph: &graph,
        different: HashSet::new(),
        known: Known::default(),
        constants: HashMap::new(),
        at_end: SecondaryMap::new(),
        next_version: 1,
        removed: false,
    };
    // A walk of the dominator tree; leaving a block forgets what was learnt in it.
    let entry = numbering.func.entry;
    numbering.at_end.resize(numbering.func.blocks.len());
    numbering.block(entry);
    let mut stack: Vec<(Block, Option<Block>, usize)> = vec![(entry, graph.first_child(entry), 0)];
    while let Some((block, next, learnt)) = stack.last_mut() {
        match *next {
            Some(child) => {
                *next = graph.next_sibling(child);
                let before = numbering.known.learnt.len();
                numbering.block(child);
                stack.push((child, graph.first_child(child), before));
            }
            None => {
                numbering.known.forget(*learnt);
                if let Some(pair) = numbering.compared(*block) {
                    numbering.different.remove(&pair);
                }
                stack.pop();
            }
        }
    }
    let Numbering { with, removed, .. } = numbering;
    let changed = Changed::when(removed || !with.is_empty());
    with.apply(func);
    changed
}

fn effects(func: &Func, graph: &Graph) -> SecondaryMap<Block, Effects> {
    let mut effects: SecondaryMap<Block, Effects> = SecondaryMap::new();
    effects.resize(func.blocks.len());
    for block in &graph.rpo {
        for inst in &func.blocks[*block].insts {
            match func.insts[*inst].op {
                Op::Store(_) => effects[*block].stores.push(*inst),
                op => effects[*block].writes |= op.writes(),
            }
        }
    }
    effects
}

impl Numbering<'_> {
    fn block(&mut self, block: Block) {
        let memory = match &self.graph.preds[block] {
            _ if self.func.is_handler(block) => None,
            [single] => self.at_end[*single].clone(),
            _ => self.where_ways_meet(block).map(Rc::new),
        };
        let mut memory = memory.unwrap_or_else(|| Rc::new(Memory { all: self.version(), places: Vec::new() }));
        if let Some(pair) = self.compared(block) {
            self.different.insert(pair);
        }
        let mut insts = std::mem::take(&mut self.func.blocks[block].insts);
        insts.retain(|inst| self.keep(*inst, &mut memory));
        self.func.blocks[block].insts = insts;
        self.at_end[block] = Some(memory);
    }

    /// The memory at the end of the dominator, with new versions of what is written on some way from there.
    fn where_ways_meet(&mut self, block: Block) -> Option<Memory> {
        let dominator = self.graph.idom(block)?;
        let mut memory = Memory::clone(self.at_end[dominator].as_ref()?);
        let mut between: EntitySet<Block> = EntitySet::new();
        let mut pending: SmallVec<[Block; 16]> = SmallVec::from_slice(&self.graph.preds[block]);
        let mut visited = 0;
        while let Some(at) = pending.pop() {
            if at == dominator || !between.insert(at) {
                continue;
            }
            visited += 1;
            // The graph's edge to a handler starts before the block that fails, whose writes would be missed.
            if visited > MOST_BETWEEN || self.effects[at].writes || self.func.is_handler(at) {
                return None;
            }
            for inst in &self.effects[at].stores {
                let Op::Store(mem) = self.func.insts[*inst].op else { unreachable!("stores stay what they are") };
                let object = self.object(*inst, mem);
                let home = self.home.get_or_init(|| homes(self.func, &self.graph.rpo));
                let is_here = |value: &Value| home[*value].is_none_or(|home| self.graph.dominates(home, dominator));
                memory.write(mem, object.filter(is_here), 0);
            }
            pending.extend_from_slice(&self.graph.preds[at]);
        }
        for (.., version) in memory.places.iter_mut().filter(|(.., version)| *version == 0) {
            self.next_version += 1;
            *version = self.next_version;
        }
        Some(memory)
    }

    /// The object of a place; places without one have none.
    fn object(&self, inst: Inst, mem: Mem) -> Object {
        match mem {
            Mem::Elem(_) | Mem::Field(..) | Mem::Len | Mem::Base => {
                Some(self.with.resolve(self.func.insts[inst].args[0]))
            }
            Mem::Global(_) | Mem::Slot(_) | Mem::State(_) => None,
        }
    }

    /// The version of a place that is loaded from.
    fn version_of(&self, memory: &Memory, mem: Mem, object: Object) -> u32 {
        if mem.is_constant() {
            return 0;
        }
        let touching =
            memory.places.iter().filter(|(kind, written, _)| *kind == mem && self.may_be_same(*written, object));
        touching.map(|(.., version)| *version).fold(memory.all, u32::max)
    }

    fn may_be_same(&self, a: Object, b: Object) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return true };
        may_be_same(self.func, a, b) && !self.different.contains(&(a.min(b), a.max(b)))
    }

    /// The references that differ in a block because of how it was reached.
    fn compared(&self, block: Block) -> Option<(Value, Value)> {
        let [single] = &self.graph.preds[block] else { return None };
        let Term::Branch { cond, then, otherwise } = &self.func.blocks[*single].term else { return None };
        if then.block == otherwise.block {
            return None;
        }
        let compare = &self.func.insts[self.func.def_inst(self.with.resolve(*cond))?];
        let differ = match compare.op {
            Op::Binary(BinaryOp::RefNe) => then.block == block,
            Op::Binary(BinaryOp::RefEq) => otherwise.block == block,
            _ => false,
        };
        let (a, b) = (self.with.resolve(*compare.args.first()?), self.with.resolve(*compare.args.get(1)?));
        differ.then_some((a.min(b), a.max(b)))
    }

    fn version(&mut self) -> u32 {
        self.next_version += 1;
        self.next_version
    }

    /// Returns whether an instruction stays; notes what it makes known.
    fn keep(&mut self, inst: Inst, memory: &mut Rc<Memory>) -> bool {
        let op = self.func.insts[inst].op;
        let result = self.func.insts[inst].result;
        let version = match op {
            Op::Load(mem) => self.version_of(memory, mem, self.object(inst, mem)),
            Op::Store(mem) => {
                let version = self.version();
                Rc::make_mut(memory).write(mem, self.object(inst, mem), version);
                self.note_store(inst, mem, version);
                return true;
            }
            op if op.is_pure() || op.is_check() || op.reads_strings() => 0,
            op => {
                if op.writes() {
                    *memory = Rc::new(Memory { all: self.version(), places: Vec::new() });
                }
                return true;
            }
        };
        let key = Key { op, args: self.numbers(inst, op), version };
        let Some(known) = self.known.learn(key, result) else { return true };
        if let (Some(value), Some(known)) = (result, known) {
            self.with.insert(value, known);
        }
        self.removed = true;
        false
    }

    /// A load of the place just written gives what was written.
    fn note_store(&mut self, inst: Inst, mem: Mem, version: u32) {
        let mut args = self.numbers(inst, Op::Store(mem));
        args.pop();
        let value = *self.func.insts[inst].args.last().expect("a store has a value");
        // The version is a new one, so nothing is known of it.
        self.known.learn(Key { op: Op::Load(mem), args, version }, Some(self.with.resolve(value)));
    }

    fn numbers(&mut self, inst: Inst, op: Op) -> Numbers {
        let Numbering { func, with, constants, .. } = self;
        let number = |arg: &Value| {
            let value = with.resolve(*arg);
            func.as_const(value).map_or(value, |constant| *constants.entry(constant).or_insert(value))
        };
        let mut numbers: Numbers = func.insts[inst].args.iter().map(number).collect();
        if is_commutative(op) {
            numbers.sort_unstable();
        }
        numbers
    }
}

fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::Binary(
            BinaryOp::IntAdd
                | BinaryOp::IntMul
                | BinaryOp::IntAnd
                | BinaryOp::IntOr
                | BinaryOp::IntXor
                | BinaryOp::IntEq
                | BinaryOp::IntNe
                | BinaryOp::IntMin
                | BinaryOp::IntMax
                | BinaryOp::FloatAdd
                | BinaryOp::FloatMul
                | BinaryOp::BoolAnd
                | BinaryOp::BoolOr
                | BinaryOp::BoolXor
                | BinaryOp::RefEq
                | BinaryOp::RefNe
        )
    )
}

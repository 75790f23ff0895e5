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
use super::cfg::{Graph, homes};
use super::ssa::{Block, Func, Inst, Mem, Op, Term, Value};
use super::sweep::replace;
use crate::settings::gvn::MOST_BETWEEN;
use cranelift_entity::{EntitySet, SecondaryMap};
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{BinaryOp, Operand};
use smallvec::SmallVec;

/// The key under which two instructions are equal: operation, operands with constants by value, version of memory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Numbers,
    version: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Number {
    Value(Value),
    Int(i64),
    Other(u64, u8),
}

/// The operands of most instructions.
type Numbers = SmallVec<[Number; 3]>;

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

struct Numbering<'a> {
    func: &'a mut Func,
    graph: &'a Graph,
    known: HashMap<Key, Option<Value>>,
    with: HashMap<Value, Value>,
    at_end: SecondaryMap<Block, Option<Memory>>,
    /// The block each value is defined in.
    home: SecondaryMap<Value, Option<Block>>,
    /// References that were compared and found to be different, on the way here.
    different: HashSet<(Value, Value)>,
    next_version: u32,
    removed: bool,
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let graph = Graph::compute(func);
    let children = graph.dominator_children();
    let home = homes(func, &graph.rpo);
    let mut numbering = Numbering {
        func,
        graph: &graph,
        home,
        different: HashSet::new(),
        known: HashMap::new(),
        with: HashMap::new(),
        at_end: SecondaryMap::new(),
        next_version: 1,
        removed: false,
    };
    // A walk of the dominator tree; leaving a block forgets what was learnt in it.
    let mut stack: Vec<(Block, usize, Vec<Key>)> = Vec::new();
    let entry = numbering.func.entry;
    let learnt = numbering.block(entry);
    stack.push((entry, 0, learnt));
    while let Some((block, next, _)) = stack.last_mut() {
        match children[*block].get(*next) {
            Some(child) => {
                *next += 1;
                let child = *child;
                let learnt = numbering.block(child);
                stack.push((child, 0, learnt));
            }
            None => {
                let (left, _, learnt) = stack.pop().expect("the stack is not empty");
                learnt.iter().for_each(|key| {
                    numbering.known.remove(key);
                });
                if let Some(pair) = numbering.compared(left) {
                    numbering.different.remove(&pair);
                }
            }
        }
    }
    let Numbering { with, removed, .. } = numbering;
    let changed = if removed || !with.is_empty() { Changed::Yes } else { Changed::No };
    replace(func, &with);
    changed
}

impl Numbering<'_> {
    fn block(&mut self, block: Block) -> Vec<Key> {
        let mut memory = match self.graph.preds[block].as_slice() {
            _ if self.func.is_handler(block) => None,
            [single] => self.at_end[*single].clone(),
            _ => self.where_ways_meet(block),
        };
        let memory = memory.get_or_insert_with(|| Memory { all: self.version(), places: Vec::new() });
        if let Some(pair) = self.compared(block) {
            self.different.insert(pair);
        }
        let mut learnt = Vec::new();
        let mut insts = std::mem::take(&mut self.func.blocks[block].insts);
        insts.retain(|inst| self.keep(*inst, memory, &mut learnt));
        self.func.blocks[block].insts = insts;
        self.at_end[block] = Some(memory.clone());
        learnt
    }

    /// The memory at the end of the dominator, with new versions of what is written on some way from there.
    fn where_ways_meet(&mut self, block: Block) -> Option<Memory> {
        let dominator = self.graph.idom(block)?;
        let mut memory = self.at_end[dominator].clone()?;
        let mut between: EntitySet<Block> = EntitySet::new();
        let mut pending: Vec<Block> = self.graph.preds[block].to_vec();
        let mut visited = 0;
        while let Some(at) = pending.pop() {
            if at == dominator || !between.insert(at) {
                continue;
            }
            visited += 1;
            // The graph's edge to a handler starts before the block that fails, whose writes would be missed.
            if visited > MOST_BETWEEN || self.func.is_handler(at) {
                return None;
            }
            for inst in &self.func.blocks[at].insts {
                match self.func.insts[*inst].op {
                    Op::Store(mem) => {
                        let object = self.object(*inst, mem);
                        let is_here =
                            |value: &Value| self.home[*value].is_none_or(|home| self.graph.dominates(home, dominator));
                        memory.write(mem, object.filter(is_here), 0);
                    }
                    op if op.writes() => return None,
                    _ => {}
                }
            }
            pending.extend(&self.graph.preds[at]);
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
            Mem::Elem(_) | Mem::Field(..) | Mem::Len => Some(self.resolve(self.func.insts[inst].args[0])),
            Mem::Global(_) | Mem::Slot(_) | Mem::State(_) => None,
        }
    }

    /// The version of a place that is loaded from.
    fn version_of(&self, memory: &Memory, mem: Mem, object: Object) -> u32 {
        if mem == Mem::Len {
            return 0;
        }
        let touching =
            memory.places.iter().filter(|(kind, written, _)| *kind == mem && self.may_be_same(*written, object));
        touching.map(|(.., version)| *version).fold(memory.all, u32::max)
    }

    fn may_be_same(&self, a: Object, b: Object) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return true };
        if a == b {
            return true;
        }
        let is_new = |value: Value| {
            let op = self.func.def_inst(value).map(|inst| self.func.insts[inst].op);
            matches!(op, Some(Op::NewArray(_) | Op::ArrayOf(_) | Op::NewRecord(_) | Op::Allocated))
        };
        let both_new = is_new(a) && is_new(b);
        !both_new && !self.different.contains(&(a.min(b), a.max(b)))
    }

    /// The references that differ in a block because of how it was reached.
    fn compared(&self, block: Block) -> Option<(Value, Value)> {
        let [single] = self.graph.preds[block].as_slice() else { return None };
        let Term::Branch { cond, then, otherwise } = &self.func.blocks[*single].term else { return None };
        if then.block == otherwise.block {
            return None;
        }
        let compare = &self.func.insts[self.func.def_inst(self.resolve(*cond))?];
        let differ = match compare.op {
            Op::Binary(BinaryOp::RefNe) => then.block == block,
            Op::Binary(BinaryOp::RefEq) => otherwise.block == block,
            _ => false,
        };
        let (a, b) = (self.resolve(*compare.args.first()?), self.resolve(*compare.args.get(1)?));
        differ.then_some((a.min(b), a.max(b)))
    }

    fn version(&mut self) -> u32 {
        self.next_version += 1;
        self.next_version
    }

    /// Returns whether an instruction stays; notes what it makes known.
    fn keep(&mut self, inst: Inst, memory: &mut Memory, learnt: &mut Vec<Key>) -> bool {
        let op = self.func.insts[inst].op;
        let result = self.func.insts[inst].result;
        let version = match op {
            Op::Load(mem) => self.version_of(memory, mem, self.object(inst, mem)),
            Op::Store(mem) => {
                let version = self.version();
                memory.write(mem, self.object(inst, mem), version);
                self.note_store(inst, mem, version, learnt);
                return true;
            }
            op if op.is_pure() || op.is_check() => 0,
            op => {
                if op.writes() {
                    memory.all = self.version();
                    memory.places.clear();
                }
                return true;
            }
        };
        let key = Key { op, args: self.numbers(inst, op), version };
        match self.known.get(&key) {
            Some(known) => {
                if let (Some(value), Some(known)) = (result, *known) {
                    self.with.insert(value, known);
                }
                self.removed = true;
                false
            }
            None => {
                self.known.insert(key.clone(), result);
                learnt.push(key);
                true
            }
        }
    }

    /// A load of the place just written gives what was written.
    fn note_store(&mut self, inst: Inst, mem: Mem, version: u32, learnt: &mut Vec<Key>) {
        let mut args = self.numbers(inst, Op::Store(mem));
        args.pop();
        let value = *self.func.insts[inst].args.last().expect("a store has a value");
        let key = Key { op: Op::Load(mem), args, version };
        let value = self.resolve(value);
        if self.known.insert(key.clone(), Some(value)).is_none() {
            learnt.push(key);
        }
    }

    fn resolve(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.with.get(&value) {
            value = *next;
        }
        value
    }

    fn numbers(&self, inst: Inst, op: Op) -> Numbers {
        let mut numbers: Numbers =
            self.func.insts[inst].args.iter().map(|arg| self.number(self.resolve(*arg))).collect();
        if is_commutative(op) {
            numbers.sort_unstable();
        }
        numbers
    }

    fn number(&self, value: Value) -> Number {
        match self.func.as_const(value) {
            None => Number::Value(value),
            Some(Operand::Int(value)) => Number::Int(value),
            Some(Operand::Float(bits)) => Number::Other(bits, 1),
            Some(Operand::Bool(value)) => Number::Other(u64::from(value), 2),
            Some(Operand::Str(id)) => Number::Other(u64::from(id.as_u32()), 3),
            Some(Operand::Func(id)) => Number::Other(u64::from(id.as_u32()), 4),
            Some(Operand::NoneRef) => Number::Other(0, 5),
            Some(Operand::NoneFunc) => Number::Other(0, 6),
            Some(Operand::Local(_)) => unreachable!("locals are no constants"),
        }
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

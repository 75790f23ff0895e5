//! The SSA form: values defined once, blocks with parameters, memory accesses split from their checks.
//!
//! Constants are values without a place. Locals that a failure handler reads are not values but slots in memory
//! ([`Mem::Slot`]), so that a failure in the middle of a block leaves them as they are; no value flows along a failure
//! edge.

use super::assignments::Record;
use super::graph::Computed;
use super::inlined::{InlineDecision, Inlined};
use super::source_loops::SourceLoops;
use crate::arrays::{AllocationSites, Fact};
use crate::body::site::Site;
use crate::missed::MissedCall;
use crate::range::Range;
use cranelift_entity::{EntitySet, PrimaryMap};
use hashbrown::{HashMap, HashSet};
use holloway_lang::ir::{self, FailKind, Scalar};
use smallvec::SmallVec;
use std::sync::Arc;

pub use super::entities::{Block, Inst, Value};
pub use super::op::{Mem, Op};

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// The result of an instruction.
    Inst(Inst),
    /// The parameter of a block at that position.
    Param(Block, u32),
    /// A constant: never [`ir::Operand::Local`].
    Const(ir::Operand),
}

/// A value's type and origin.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Its type.
    pub scalar: Scalar,
    /// Its definition.
    pub def: Def,
}

/// Operands, as many in place as most instructions and edges have.
pub type Args = SmallVec<[Value; 4]>;

/// An instruction with its operands.
#[derive(Clone, Debug)]
pub struct InstData {
    /// The operation.
    pub op: Op,
    /// Its operands.
    pub args: Args,
    /// Its result.
    pub result: Option<Value>,
    /// Its place in the program: an index into [`Func::sites`].
    pub site: u32,
}

/// A block and what its parameters get on the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// One value for each parameter.
    pub args: Args,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub enum Term {
    /// Goes on.
    Jump(Target),
    /// Goes one of two ways.
    Branch {
        /// A `bool`.
        cond: Value,
        /// The target if it is true.
        then: Target,
        /// The target if it is false.
        otherwise: Target,
    },
    /// Goes one of many ways.
    Switch {
        /// An `int`.
        value: Value,
        /// Distinct values.
        cases: Vec<(i64, Target)>,
        /// The target if none fits.
        default: Target,
    },
    /// Leaves the function.
    Return(Option<Value>),
    /// Raises a failure.
    Fail(FailKind, Value),
    /// Ends the program.
    Exit(Value),
}

/// The block of the compiled function that a block came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// That block, or the one with the call where a function is inlined.
    pub block: ir::Block,
    /// True if it is a block of a function that is inlined there.
    pub inlined: bool,
}

impl Origin {
    /// A block of the compiled function itself.
    pub fn own(block: ir::Block) -> Origin {
        Origin { block, inlined: false }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its parameters.
    pub params: Vec<Value>,
    /// Its instructions in order.
    pub insts: Vec<Inst>,
    /// Its end.
    pub term: Term,
    /// The place of its end.
    pub term_site: u32,
    /// The IR block it came from.
    pub origin: Origin,
    /// The handler of failures inside it.
    pub handler: Option<Block>,
    /// True if it is off the usual way.
    pub cold: bool,
    /// Its profile.
    pub seen: Seen,
}

/// The profile of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// The number of executions, to compare with other blocks of the function; `None` if that is unknown.
    pub weight: Option<f64>,
    /// True if it was hardly ever executed where it could have been.
    pub rare: bool,
    /// The mean number of rounds of the loop that is tested here, each time that it is entered; `None` if nobody knows,
    /// or no loop is tested.
    pub rounds: Option<f64>,
}

/// A function in SSA form.
#[derive(Clone, Debug)]
pub struct Func {
    /// Values.
    pub values: PrimaryMap<Value, ValueData>,
    /// Instructions, those no longer in a block among them.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Blocks, unreachable ones among them.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The entry; its parameters are the function's.
    pub entry: Block,
    /// The types of these, as callers pass them.
    pub params: Vec<Scalar>,
    /// Places in the program.
    pub sites: Vec<Site>,
    /// Loops of the source, and which sites are in them.
    pub source_loops: SourceLoops,
    /// Locals that live in memory.
    pub slots: Vec<Scalar>,
    /// True if it is an OSR entry: a frame of another version goes on in it.
    pub osr_entry: bool,
    /// True if each poll in a loop is an instruction; else they are on edges that go back, when all passes are done.
    pub has_polls: bool,
    /// True if it has OSR points at loop headers.
    pub has_osr_points: bool,
    /// The place of the poll at its entry, where nothing is pending.
    pub entry_site: u32,
    /// The slots in which failures find what was pending: the call that was inlined, the first slot.
    pub pending: Vec<(Option<u32>, u32)>,
    /// True if something was observed of the function itself.
    pub has_profile: bool,
    /// The sites of branches that go either way, by a profile or a guess.
    pub either_way: HashSet<u32>,
    /// The sites of loads that recorded runs found to be redundant.
    pub redundant: HashSet<u32>,
    /// Arrays of which the length is known, and perhaps the elements, wherever they are read.
    pub arrays: HashMap<Value, Fact>,
    /// The ranges of integers that loads and calls give, whatever the program does.
    pub ranges: HashMap<Value, Range>,
    /// Allocation sites of the objects that values refer to, where they are known.
    pub allocations: HashMap<Value, AllocationSites>,
    /// The type of its result.
    pub result: Option<Scalar>,
    /// Calls that became bodies while it was built.
    pub inlined: Inlined,
    /// Decisions about calls of known functions.
    pub inlining: Vec<InlineDecision>,
    /// Calls that it makes because of its profile.
    pub missed: Vec<Arc<MissedCall>>,
    /// Blocks that mostly go where their condition holds.
    pub mostly_then: EntitySet<Block>,
    /// The record of assignments, if somebody asked for it.
    pub record: Option<Box<Record>>,
    /// The analyses of its graph that were computed last.
    pub computed: Computed,
}

impl Term {
    /// The targets in order.
    pub fn targets(&self) -> impl Iterator<Item = &Target> + Clone {
        let (cases, others): (&[(i64, Target)], [Option<&Target>; 2]) = match self {
            Term::Jump(to) => (&[], [Some(to), None]),
            Term::Branch { then, otherwise, .. } => (&[], [Some(then), Some(otherwise)]),
            Term::Switch { cases, default, .. } => (cases, [Some(default), None]),
            Term::Return(_) | Term::Fail(..) | Term::Exit(_) => (&[], [None, None]),
        };
        cases.iter().map(|(_, to)| to).chain(others.into_iter().flatten())
    }

    /// The targets in order, to change.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (cases, others): (&mut [(i64, Target)], [Option<&mut Target>; 2]) = match self {
            Term::Jump(to) => (&mut [], [Some(to), None]),
            Term::Branch { then, otherwise, .. } => (&mut [], [Some(then), Some(otherwise)]),
            Term::Switch { cases, default, .. } => (cases, [Some(default), None]),
            Term::Return(_) | Term::Fail(..) | Term::Exit(_) => (&mut [], [None, None]),
        };
        cases.iter_mut().map(|(_, to)| to).chain(others.into_iter().flatten())
    }

    /// A target by its place in that order.
    pub fn target(&self, at: usize) -> &Target {
        self.targets().nth(at).expect("the terminator has so many targets")
    }

    /// A target by its place in that order, to change.
    pub fn target_mut(&mut self, at: usize) -> &mut Target {
        self.targets_mut().nth(at).expect("the terminator has so many targets")
    }

    /// The value it looks at, if any; arguments of targets are not among them.
    pub fn operand_mut(&mut self) -> Option<&mut Value> {
        match self {
            Term::Jump(_) => None,
            Term::Branch { cond: value, .. }
            | Term::Switch { value, .. }
            | Term::Fail(_, value)
            | Term::Exit(value) => Some(value),
            Term::Return(value) => value.as_mut(),
        }
    }

    /// The value it looks at, if any.
    pub fn operand(&self) -> Option<Value> {
        match self {
            Term::Jump(_) => None,
            Term::Branch { cond: value, .. }
            | Term::Switch { value, .. }
            | Term::Fail(_, value)
            | Term::Exit(value) => Some(*value),
            Term::Return(value) => *value,
        }
    }
}

impl Func {
    /// A function without blocks.
    pub fn new(result: Option<Scalar>) -> Func {
        Func {
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            entry: Block::from_u32(0),
            params: Vec::new(),
            sites: Vec::new(),
            source_loops: SourceLoops::default(),
            slots: Vec::new(),
            osr_entry: false,
            has_polls: false,
            has_osr_points: false,
            entry_site: 0,
            pending: Vec::new(),
            has_profile: false,
            either_way: HashSet::new(),
            redundant: HashSet::new(),
            arrays: HashMap::new(),
            ranges: HashMap::new(),
            allocations: HashMap::new(),
            result,
            inlined: Inlined::default(),
            inlining: Vec::new(),
            missed: Vec::new(),
            mostly_then: EntitySet::new(),
            record: None,
            computed: Computed::default(),
        }
    }

    /// A constant.
    pub fn constant(&mut self, operand: ir::Operand) -> Value {
        let scalar = match operand {
            ir::Operand::Int(_) => Scalar::Int,
            ir::Operand::Float(_) => Scalar::Float,
            ir::Operand::Bool(_) => Scalar::Bool,
            ir::Operand::Str(_) | ir::Operand::NoneRef => Scalar::Ref,
            ir::Operand::Func(_) | ir::Operand::NoneFunc => Scalar::Func,
            ir::Operand::Local(local) => panic!("{local} is no constant"),
        };
        self.values.push(ValueData { scalar, def: Def::Const(operand) })
    }

    /// An integer constant.
    pub fn int(&mut self, value: i64) -> Value {
        self.constant(ir::Operand::Int(value))
    }

    /// The constant a value is, if it is one.
    pub fn as_const(&self, value: Value) -> Option<ir::Operand> {
        match self.values[value].def {
            Def::Const(operand) => Some(operand),
            Def::Inst(_) | Def::Param(..) => None,
        }
    }

    /// The integer a value is, if it is a constant one.
    pub fn as_int(&self, value: Value) -> Option<i64> {
        match self.as_const(value) {
            Some(ir::Operand::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Notes that what is known of a value whatever the program does is true of another one.
    pub fn copy_facts(&mut self, of: Value, copy: Value) {
        if let Some(fact) = self.arrays.get(&of).cloned() {
            self.arrays.insert(copy, fact);
        }
        if let Some(range) = self.ranges.get(&of).copied() {
            self.ranges.insert(copy, range);
        }
        if let Some(sites) = self.allocations.get(&of).cloned() {
            self.allocations.insert(copy, sites);
        }
    }

    /// Returns whether two values are one, or the same constant.
    pub fn same(&self, a: Value, b: Value) -> bool {
        a == b || self.as_const(a).is_some_and(|known| self.as_const(b) == Some(known))
    }

    /// Returns whether two rows of values are the same, one by one.
    pub fn all_same(&self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(*a, *b))
    }

    /// The instruction that defines a value.
    pub fn def_inst(&self, value: Value) -> Option<Inst> {
        match self.values[value].def {
            Def::Inst(inst) => Some(inst),
            Def::Param(..) | Def::Const(_) => None,
        }
    }

    /// Adds a block without instructions that ends the program; whoever asks fills it.
    pub fn new_block(&mut self, origin: Origin, handler: Option<Block>, site: u32) -> Block {
        self.blocks.push(BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            term: Term::Return(None),
            term_site: site,
            origin,
            handler,
            cold: false,
            seen: Seen::default(),
        })
    }

    /// Adds a parameter to a block.
    pub fn add_param(&mut self, block: Block, scalar: Scalar) -> Value {
        let at = self.blocks[block].params.len() as u32;
        let value = self.values.push(ValueData { scalar, def: Def::Param(block, at) });
        self.blocks[block].params.push(value);
        value
    }

    /// Makes an instruction, not yet in a block.
    pub fn make_inst(
        &mut self,
        op: Op,
        args: impl IntoIterator<Item = Value>,
        result: Option<Scalar>,
        site: u32,
    ) -> Inst {
        let args = args.into_iter().collect();
        let inst = self.insts.push(InstData { op, args, result: None, site });
        if let Some(scalar) = result {
            let value = self.values.push(ValueData { scalar, def: Def::Inst(inst) });
            self.insts[inst].result = Some(value);
        }
        inst
    }

    /// Appends an instruction to a block; gives its result.
    pub fn push(
        &mut self,
        block: Block,
        op: Op,
        args: impl IntoIterator<Item = Value>,
        result: Option<Scalar>,
        site: u32,
    ) -> Option<Value> {
        let inst = self.make_inst(op, args, result, site);
        self.blocks[block].insts.push(inst);
        self.insts[inst].result
    }

    /// Blocks that control goes to from a block: targets, then the handler where a failure can happen.
    pub fn successors(&self, block: Block) -> Vec<Block> {
        let data = &self.blocks[block];
        let mut found: Vec<Block> = Vec::new();
        for target in data.term.targets() {
            if !found.contains(&target.block) {
                found.push(target.block);
            }
        }
        if let Some(handler) = data.handler
            && self.can_fail(block)
            && !found.contains(&handler)
        {
            found.push(handler);
        }
        found
    }

    /// Returns whether the branch at the end of a block goes either way, by a profile.
    pub fn goes_either_way(&self, block: Block) -> bool {
        self.either_way.contains(&self.blocks[block].term_site)
    }

    /// Returns whether paths through the function are counted.
    pub fn is_probed(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns whether any failure is caught in the function itself.
    pub fn has_handlers(&self) -> bool {
        self.blocks.values().any(|data| data.handler.is_some())
    }

    /// Returns whether a block is where failures go on.
    pub fn is_handler(&self, block: Block) -> bool {
        let first = self.blocks[block].insts.first();
        first.is_some_and(|inst| self.insts[*inst].op == Op::CatchMessage)
    }

    /// Returns whether a failure can happen inside a block.
    pub fn can_fail(&self, block: Block) -> bool {
        let data = &self.blocks[block];
        matches!(data.term, Term::Fail(..)) || data.insts.iter().any(|inst| self.insts[*inst].op.can_fail())
    }
}

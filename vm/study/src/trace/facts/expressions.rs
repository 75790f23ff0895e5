//! The expressions that instructions compute.
//!
//! In: a function and an instruction of it. Out: its expression over variables and constants. Two instructions with equal expressions compute
//! the same value if nothing between them changes what the expression reads.
//!
//! Invariant: a temporary stands for the instruction of the same block that set it, as lowering emits it; one that was set in another block
//! is a variable of its own. So is one of a module of WebAssembly whose instruction would give something else by now: an operand may wait on its stack while
//! what it was computed from changes.

use super::linear::{linear_access, writes_bytes};
use crate::trace::settings::DEEPEST_EXPRESSION;
use holloway_lang::ir::{
    Access, BinaryOp, Block, Elem, FuncRef, Function, Global, Inst, Local, Module, Operand, RecordRef, UnaryOp,
};
use std::collections::BTreeSet;

/// An expression over variables and constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A constant.
    Constant(Operand),
    /// A local.
    Local(Local),
    /// A load of a global.
    Global(Global),
    /// `op x`.
    Unary(UnaryOp, Box<Expression>),
    /// `x op y`.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// A load of an element: the array and the index.
    Element(Elem, Box<Expression>, Box<Expression>),
    /// A load of a field.
    Field(RecordRef, u32, Box<Expression>),
    /// The length of an array or a string.
    Length(Box<Expression>),
    /// A load from the linear memory: the offset, and the address that it is added to.
    Memory(Access, u32, Box<Expression>),
}

/// The locations that an expression reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSet {
    /// Locals.
    pub locals: BTreeSet<Local>,
    /// Globals.
    pub globals: BTreeSet<Global>,
    /// Elements of arrays of these kinds, as numbers of `locations::ELEMENTS`.
    pub elements: BTreeSet<usize>,
    /// Fields.
    pub fields: BTreeSet<(RecordRef, u32)>,
    /// True if bytes of the linear memory are among them.
    pub bytes: bool,
}

impl Expression {
    /// The expression of an instruction; `None` if it is no load and no operation.
    pub fn of(module: &Module, func: FuncRef, block: Block, index: usize) -> Option<Expression> {
        let within = Within { body: module.function(func), block, is_module: module.linear.is_some() };
        within.of_inst(index, 0)
    }

    /// Returns whether it is a load from memory or of a global.
    pub fn is_load(&self) -> bool {
        matches!(self, Expression::Global(_)) || self.is_in_memory()
    }

    /// Returns whether it is a load from memory, whose address the execution tells.
    pub fn is_in_memory(&self) -> bool {
        matches!(self, Expression::Element(..) | Expression::Field(..) | Expression::Memory(..))
    }

    /// Returns whether it is an operation on values.
    pub fn is_operation(&self) -> bool {
        matches!(self, Expression::Unary(..) | Expression::Binary(..))
    }

    /// Its operands.
    pub fn operands(&self) -> Vec<&Expression> {
        match self {
            Expression::Constant(_) | Expression::Local(_) | Expression::Global(_) => Vec::new(),
            Expression::Unary(_, inner)
            | Expression::Field(_, _, inner)
            | Expression::Length(inner)
            | Expression::Memory(_, _, inner) => vec![inner],
            Expression::Binary(_, lhs, rhs) | Expression::Element(_, lhs, rhs) => vec![lhs, rhs],
        }
    }

    /// The locations that change its value whatever address is stored to: what its operands read, and its own if that
    /// is a global.
    pub fn killed_by(&self) -> ReadSet {
        let mut reads = ReadSet::default();
        if let Expression::Global(global) = self {
            reads.globals.insert(*global);
        }
        self.operands().into_iter().for_each(|operand| operand.add_reads(&mut reads));
        reads
    }

    /// The locations that it reads, its own among them.
    pub fn reads(&self) -> ReadSet {
        let mut reads = ReadSet::default();
        self.add_reads(&mut reads);
        reads
    }

    fn add_reads(&self, reads: &mut ReadSet) {
        let mut pending = vec![self];
        while let Some(it) = pending.pop() {
            match it {
                Expression::Local(local) => _ = reads.locals.insert(*local),
                Expression::Global(global) => _ = reads.globals.insert(*global),
                Expression::Element(Elem::Char, ..) => {}
                Expression::Element(elem, ..) => _ = reads.elements.insert(super::locations::class_of_elements(*elem)),
                Expression::Field(record, field, _) => _ = reads.fields.insert((*record, *field)),
                Expression::Memory(..) => reads.bytes = true,
                Expression::Constant(_) | Expression::Unary(..) | Expression::Binary(..) | Expression::Length(_) => {}
            }
            pending.extend(it.operands());
        }
    }
}

impl ReadSet {
    /// Returns whether parts of objects or of the linear memory are among them.
    pub fn is_in_memory(&self) -> bool {
        !self.elements.is_empty() || !self.fields.is_empty() || self.bytes
    }
}

/// A block of a function.
struct Within<'a> {
    body: &'a Function,
    block: Block,
    is_module: bool,
}

impl Within<'_> {
    fn of_inst(&self, index: usize, depth: u32) -> Option<Expression> {
        let value = |operand: &Operand| Box::new(self.of_operand(index, *operand, depth + 1));
        Some(match self.body.blocks[self.block].insts.get(index)? {
            Inst::Unary { op, src, .. } => Expression::Unary(*op, value(src)),
            Inst::Binary { op, lhs, rhs, .. } => Expression::Binary(*op, value(lhs), value(rhs)),
            Inst::GlobalGet { global, .. } => Expression::Global(*global),
            Inst::FieldGet { object, record, field, .. } => Expression::Field(*record, *field, value(object)),
            Inst::ElemGet { elem, array, index, .. } => Expression::Element(*elem, value(array), value(index)),
            Inst::Len { object, .. } => Expression::Length(value(object)),
            Inst::Load { access, address, offset, .. } => Expression::Memory(*access, *offset, value(address)),
            Inst::Copy { .. }
            | Inst::Select { .. }
            | Inst::Store { .. }
            | Inst::GlobalSet { .. }
            | Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::Builtin { .. }
            | Inst::NewRecord { .. }
            | Inst::FieldSet { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemSet { .. }
            | Inst::Unwrap { .. }
            | Inst::CatchMessage { .. } => return None,
        })
    }

    /// An operand of the instruction behind so many others.
    fn of_operand(&self, before: usize, operand: Operand, depth: u32) -> Expression {
        let Operand::Local(local) = operand else { return Expression::Constant(operand) };
        let insts = &self.body.blocks[self.block].insts;
        let set_by = |index: &usize| insts[*index].dst() == Some(local);
        let is_temporary = self.body.locals[local].name.is_none() && depth < DEEPEST_EXPRESSION;
        let setter = is_temporary.then(|| (0..before).rev().find(set_by)).flatten();
        let found = setter.and_then(|index| Some((index, self.of_inst(index, depth)?)));
        let is_present = |(index, expression): &(usize, Expression)| {
            !self.is_module || !changes(&insts[index + 1..before], &expression.reads())
        };
        found.filter(is_present).map_or(Expression::Local(local), |(_, expression)| expression)
    }
}

/// Returns whether some instructions of a module may change what is read.
fn changes(insts: &[Inst], reads: &ReadSet) -> bool {
    insts.iter().any(|inst| {
        let sets_local = inst.dst().is_some_and(|dst| reads.locals.contains(&dst));
        let sets_global = matches!(inst, Inst::GlobalSet { global, .. } if reads.globals.contains(global));
        let by_call = inst.is_call() && (reads.bytes || !reads.globals.is_empty());
        sets_local || sets_global || by_call || reads.bytes && linear_access(inst).is_some_and(writes_bytes)
    })
}

//! The expressions that instructions compute.
//!
//! In: a function and an instruction of it. Out: its expression over variables and constants. Two instructions with equal expressions compute
//! the same value if nothing between them changes what the expression reads.
//!
//! Invariant: a temporary stands for the instruction of the same block that set it, as lowering emits it; one that was set in another block
//! is a variable of its own.

use crate::trace::settings::DEEPEST_EXPRESSION;
use holloway_lang::ir::{BinaryOp, Block, Elem, Function, Global, Inst, Local, Operand, RecordRef, UnaryOp};
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
}

impl Expression {
    /// The expression of an instruction; `None` if it is no load and no operation.
    pub fn of(body: &Function, block: Block, index: usize) -> Option<Expression> {
        let inst = body.blocks[block].insts.get(index)?;
        of_inst(body, (block, index), inst, 0)
    }

    /// Returns whether it is a load from memory or of a global.
    pub fn is_load(&self) -> bool {
        matches!(self, Expression::Global(_) | Expression::Element(..) | Expression::Field(..))
    }

    /// Returns whether it is an operation on values.
    pub fn is_operation(&self) -> bool {
        matches!(self, Expression::Unary(..) | Expression::Binary(..))
    }

    /// Its operands.
    pub fn operands(&self) -> Vec<&Expression> {
        match self {
            Expression::Constant(_) | Expression::Local(_) | Expression::Global(_) => Vec::new(),
            Expression::Unary(_, inner) | Expression::Field(_, _, inner) | Expression::Length(inner) => vec![inner],
            Expression::Binary(_, lhs, rhs) | Expression::Element(_, lhs, rhs) => vec![lhs, rhs],
        }
    }

    /// The locations that it reads, its own among them.
    pub fn reads(&self) -> ReadSet {
        let mut reads = ReadSet::default();
        let mut pending = vec![self];
        while let Some(it) = pending.pop() {
            match it {
                Expression::Local(local) => _ = reads.locals.insert(*local),
                Expression::Global(global) => _ = reads.globals.insert(*global),
                Expression::Element(Elem::Char, ..) => {}
                Expression::Element(elem, ..) => _ = reads.elements.insert(super::locations::class_of_elements(*elem)),
                Expression::Field(record, field, _) => _ = reads.fields.insert((*record, *field)),
                Expression::Constant(_) | Expression::Unary(..) | Expression::Binary(..) | Expression::Length(_) => {}
            }
            pending.extend(it.operands());
        }
        reads
    }
}

fn of_inst(body: &Function, (block, index): (Block, usize), inst: &Inst, depth: u32) -> Option<Expression> {
    let value = |operand: &Operand| Box::new(of_operand(body, (block, index), *operand, depth + 1));
    Some(match inst {
        Inst::Unary { op, src, .. } => Expression::Unary(*op, value(src)),
        Inst::Binary { op, lhs, rhs, .. } => Expression::Binary(*op, value(lhs), value(rhs)),
        Inst::GlobalGet { global, .. } => Expression::Global(*global),
        Inst::FieldGet { object, record, field, .. } => Expression::Field(*record, *field, value(object)),
        Inst::ElemGet { elem, array, index, .. } => Expression::Element(*elem, value(array), value(index)),
        Inst::Len { object, .. } => Expression::Length(value(object)),
        Inst::Copy { .. }
        | Inst::Select { .. }
        | Inst::Load { .. }
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

fn of_operand(body: &Function, (block, before): (Block, usize), operand: Operand, depth: u32) -> Expression {
    let Operand::Local(local) = operand else { return Expression::Constant(operand) };
    let insts = &body.blocks[block].insts;
    let set_by = |index: &usize| insts[*index].dst() == Some(local);
    let is_temporary = body.locals[local].name.is_none() && depth < DEEPEST_EXPRESSION;
    let setter = is_temporary.then(|| (0..before).rev().find(set_by)).flatten();
    setter.and_then(|index| of_inst(body, (block, index), &insts[index], depth)).unwrap_or(Expression::Local(local))
}

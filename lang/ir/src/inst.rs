//! Instructions, terminators and operands. High-level on purpose: an array access carries its bounds
//! check, so that the baseline tier and the interpreter have one thing to do; the optimizer splits it.

use super::access::Access;
use super::builtin::Builtin;
use super::entity::{Block, FuncRef, Global, Local, RecordRef, SigRef, StrRef};
use super::op::{BinaryOp, UnaryOp};
use super::types::Elem;

/// A value an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The present value of a local.
    Local(Local),
    /// An integer constant.
    Int(i64),
    /// A float constant, as its bit pattern.
    Float(u64),
    /// A boolean constant.
    Bool(bool),
    /// A string constant (a reference).
    Str(StrRef),
    /// A function value.
    Func(FuncRef),
    /// `none` among references.
    NoneRef,
    /// `none` among function values.
    NoneFunc,
}

/// One instruction of a basic block.
#[allow(missing_docs, reason = "the fields are the operands that the variant's own line names")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inst {
    /// `dst = src`.
    Copy { dst: Local, src: Operand },
    /// `dst = op src`.
    Unary { op: UnaryOp, dst: Local, src: Operand },
    /// `dst = op lhs, rhs`; division fails on 0.
    Binary { op: BinaryOp, dst: Local, lhs: Operand, rhs: Operand },
    /// `dst = then` if `cond`, else `dst = otherwise`; the two are of one type.
    Select { dst: Local, cond: Operand, then: Operand, otherwise: Operand },
    /// Reads the linear memory at `address + offset`, both without sign; fails out of bounds.
    Load { dst: Local, access: Access, address: Operand, offset: u32 },
    /// Writes the low bytes of `src` to the linear memory at `address + offset`; fails out of bounds, having written nothing.
    Store { access: Access, address: Operand, offset: u32, src: Operand },
    /// Reads a global.
    GlobalGet { dst: Local, global: Global },
    /// Writes a global.
    GlobalSet { global: Global, src: Operand },
    /// Calls a function of the module.
    Call { dst: Option<Local>, func: FuncRef, args: Vec<Operand> },
    /// Calls a function value that is not `none`.
    CallIndirect { dst: Option<Local>, callee: Operand, sig: SigRef, args: Vec<Operand> },
    /// Runs an operation of the runtime.
    Builtin { dst: Option<Local>, builtin: Builtin, args: Vec<Operand> },
    /// Allocates a record, one operand a field.
    NewRecord { dst: Local, record: RecordRef, fields: Vec<Operand> },
    /// Reads a field.
    FieldGet { dst: Local, object: Operand, record: RecordRef, field: u32 },
    /// Writes a field; a `byte` field keeps the low 8 bits.
    FieldSet { object: Operand, record: RecordRef, field: u32, src: Operand },
    /// Allocates an array of `len` elements, all `fill`; fails on a negative length.
    NewArray { dst: Local, elem: Elem, len: Operand, fill: Operand },
    /// Allocates an array of the given elements.
    ArrayOf { dst: Local, elem: Elem, items: Vec<Operand> },
    /// Reads an element of an array, or a byte of a string ([`Elem::Char`]); fails when out of range.
    ElemGet { dst: Local, elem: Elem, array: Operand, index: Operand },
    /// Writes an element; fails when out of range. A byte element keeps the low 8 bits.
    ElemSet { elem: Elem, array: Operand, index: Operand, src: Operand },
    /// Length of an array or a string.
    Len { dst: Local, object: Operand },
    /// Fails with `unwrapped none` if `src` is none; else `dst = src`.
    Unwrap { dst: Local, src: Operand },
    /// The message of the failure that led here: only as the first instruction of a handler.
    CatchMessage { dst: Local },
}

/// The reason of a [`Terminator::Fail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailKind {
    /// `fail e`: the message is the operand.
    User,
    /// `assert(c, e)`: the operand is the text after `assertion failed`, or `none`.
    Assert,
    /// `for` with a step of zero; no operand (`none`).
    StepIsZero,
    /// A place that the program says is never reached; no operand.
    Unreachable,
    /// A result that its type cannot hold; no operand.
    IntegerOverflow,
    /// A conversion of NaN to an integer; no operand.
    InvalidConversion,
}

/// The terminator of a basic block.
#[allow(missing_docs, reason = "the fields are the operands that the variant's own line names")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// Continues at the block.
    Jump(Block),
    /// Continues at `then` if `cond`, else at `otherwise`.
    Branch { cond: Operand, then: Block, otherwise: Block },
    /// Continues at the block of the case that equals `value`; cases are distinct.
    Switch { value: Operand, cases: Vec<(i64, Block)>, default: Block },
    /// Leaves the function.
    Return(Option<Operand>),
    /// Raises a run-time failure.
    Fail { kind: FailKind, message: Operand },
    /// Ends the program with a status.
    Exit(Operand),
}

impl Operand {
    /// Gives the local that it is another number, if it is one.
    pub fn renumber(&mut self, to: impl Fn(Local) -> Local) {
        if let Operand::Local(local) = self {
            *local = to(*local);
        }
    }
}

impl Inst {
    /// The local it assigns.
    pub fn dst(&self) -> Option<Local> {
        match self {
            Inst::Copy { dst, .. }
            | Inst::Unary { dst, .. }
            | Inst::Binary { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::GlobalGet { dst, .. }
            | Inst::NewRecord { dst, .. }
            | Inst::FieldGet { dst, .. }
            | Inst::NewArray { dst, .. }
            | Inst::ArrayOf { dst, .. }
            | Inst::ElemGet { dst, .. }
            | Inst::Len { dst, .. }
            | Inst::Unwrap { dst, .. }
            | Inst::CatchMessage { dst } => Some(*dst),
            Inst::Call { dst, .. } | Inst::CallIndirect { dst, .. } | Inst::Builtin { dst, .. } => *dst,
            Inst::GlobalSet { .. } | Inst::FieldSet { .. } | Inst::ElemSet { .. } | Inst::Store { .. } => None,
        }
    }

    /// The local it assigns, to put another in its place.
    pub fn dst_mut(&mut self) -> Option<&mut Local> {
        match self {
            Inst::Copy { dst, .. }
            | Inst::Unary { dst, .. }
            | Inst::Binary { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::GlobalGet { dst, .. }
            | Inst::NewRecord { dst, .. }
            | Inst::FieldGet { dst, .. }
            | Inst::NewArray { dst, .. }
            | Inst::ArrayOf { dst, .. }
            | Inst::ElemGet { dst, .. }
            | Inst::Len { dst, .. }
            | Inst::Unwrap { dst, .. }
            | Inst::CatchMessage { dst } => Some(dst),
            Inst::Call { dst, .. } | Inst::CallIndirect { dst, .. } | Inst::Builtin { dst, .. } => dst.as_mut(),
            Inst::GlobalSet { .. } | Inst::FieldSet { .. } | Inst::ElemSet { .. } | Inst::Store { .. } => None,
        }
    }

    /// Returns whether it calls a function of the program: its operands, copied to the callee's frame, die before it is over.
    pub fn is_call(&self) -> bool {
        matches!(self, Inst::Call { .. } | Inst::CallIndirect { .. })
    }

    /// Calls `f` with every operand, left to right.
    pub fn operands(&self, mut f: impl FnMut(Operand)) {
        match self {
            Inst::Copy { src, .. }
            | Inst::Unary { src, .. }
            | Inst::GlobalSet { src, .. }
            | Inst::Unwrap { src, .. } => f(*src),
            Inst::Binary { lhs, rhs, .. } => [*lhs, *rhs].into_iter().for_each(f),
            Inst::Select { cond, then, otherwise, .. } => [*cond, *then, *otherwise].into_iter().for_each(f),
            Inst::Load { address, .. } => f(*address),
            Inst::Store { address, src, .. } => [*address, *src].into_iter().for_each(f),
            Inst::GlobalGet { .. } | Inst::CatchMessage { .. } => {}
            Inst::Call { args, .. }
            | Inst::Builtin { args, .. }
            | Inst::NewRecord { fields: args, .. }
            | Inst::ArrayOf { items: args, .. } => {
                args.iter().copied().for_each(f);
            }
            Inst::CallIndirect { callee, args, .. } => {
                f(*callee);
                args.iter().copied().for_each(f);
            }
            Inst::FieldGet { object, .. } | Inst::Len { object, .. } => f(*object),
            Inst::FieldSet { object, src, .. } => [*object, *src].into_iter().for_each(f),
            Inst::NewArray { len, fill, .. } => [*len, *fill].into_iter().for_each(f),
            Inst::ElemGet { array, index, .. } => [*array, *index].into_iter().for_each(f),
            Inst::ElemSet { array, index, src, .. } => {
                [*array, *index, *src].into_iter().for_each(f);
            }
        }
    }

    /// Gives each local that it reads or assigns another number.
    pub fn renumber(&mut self, to: impl Fn(Local) -> Local) {
        self.operands_mut(|operand| operand.renumber(&to));
        if let Some(dst) = self.dst_mut() {
            *dst = to(*dst);
        }
    }

    /// Calls `f` with every operand, to put another in its place.
    fn operands_mut(&mut self, f: impl FnMut(&mut Operand)) {
        match self {
            Inst::Copy { src, .. }
            | Inst::Unary { src, .. }
            | Inst::GlobalSet { src, .. }
            | Inst::Unwrap { src, .. } => [src].into_iter().for_each(f),
            Inst::Binary { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(f),
            Inst::Select { cond, then, otherwise, .. } => [cond, then, otherwise].into_iter().for_each(f),
            Inst::Load { address, .. } => [address].into_iter().for_each(f),
            Inst::Store { address, src, .. } => [address, src].into_iter().for_each(f),
            Inst::GlobalGet { .. } | Inst::CatchMessage { .. } => {}
            Inst::Call { args, .. }
            | Inst::Builtin { args, .. }
            | Inst::NewRecord { fields: args, .. }
            | Inst::ArrayOf { items: args, .. } => args.iter_mut().for_each(f),
            Inst::CallIndirect { callee, args, .. } => std::iter::once(callee).chain(args).for_each(f),
            Inst::FieldGet { object, .. } | Inst::Len { object, .. } => [object].into_iter().for_each(f),
            Inst::FieldSet { object, src, .. } => [object, src].into_iter().for_each(f),
            Inst::NewArray { len, fill, .. } => [len, fill].into_iter().for_each(f),
            Inst::ElemGet { array, index, .. } => [array, index].into_iter().for_each(f),
            Inst::ElemSet { array, index, src, .. } => [array, index, src].into_iter().for_each(f),
        }
    }

    /// Returns true if executing it can end in a run-time failure, calls included.
    pub fn can_fail(&self) -> bool {
        match self {
            Inst::Binary { op, rhs, .. } => op.can_fail() && !matches!(rhs, Operand::Int(n) if *n != 0),
            Inst::Builtin { builtin, .. } => builtin.can_fail(),
            Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::NewRecord { .. }
            | Inst::NewArray { .. }
            | Inst::ArrayOf { .. }
            | Inst::ElemGet { .. }
            | Inst::ElemSet { .. }
            | Inst::Unwrap { .. } => true,
            Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Select { .. }
            | Inst::GlobalGet { .. }
            | Inst::GlobalSet { .. }
            | Inst::FieldGet { .. }
            | Inst::FieldSet { .. }
            | Inst::Len { .. }
            | Inst::CatchMessage { .. } => false,
        }
    }
}

impl Terminator {
    /// Gives the local that it reads another number, if it reads one.
    pub fn renumber(&mut self, to: impl Fn(Local) -> Local) {
        match self {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value))
            | Terminator::Fail { message: value, .. }
            | Terminator::Exit(value) => value.renumber(to),
            Terminator::Jump(_) | Terminator::Return(None) => {}
        }
    }

    /// Changes every target.
    pub fn retarget(&mut self, to: impl Fn(Block) -> Block) {
        match self {
            Terminator::Jump(target) => *target = to(*target),
            Terminator::Branch { then, otherwise, .. } => (*then, *otherwise) = (to(*then), to(*otherwise)),
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, target)| *target = to(*target));
                *default = to(*default);
            }
            Terminator::Return(_) | Terminator::Fail { .. } | Terminator::Exit(_) => {}
        }
    }

    /// Calls `f` with every target in order, repeated targets included.
    pub fn targets(&self, mut f: impl FnMut(Block)) {
        match self {
            Terminator::Jump(to) => f(*to),
            Terminator::Branch { then, otherwise, .. } => {
                f(*then);
                f(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| f(*to));
                f(*default);
            }
            Terminator::Return(_) | Terminator::Fail { .. } | Terminator::Exit(_) => {}
        }
    }

    /// The operand it reads, if any.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Terminator::Jump(_) => None,
            Terminator::Branch { cond: op, .. }
            | Terminator::Switch { value: op, .. }
            | Terminator::Fail { message: op, .. }
            | Terminator::Exit(op) => Some(*op),
            Terminator::Return(op) => *op,
        }
    }
}

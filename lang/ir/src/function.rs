//! One function: its locals, its blocks, and the source span of each instruction.

use super::builtin::Builtin;
use super::entity::{Block, Local};
use super::inst::{Inst, Operand, Terminator};
use super::types::Scalar;
use crate::span::Span;
use cranelift_entity::PrimaryMap;

/// The source construct that a function stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// A `fn` of the program.
    Declared,
    /// The top-level statements of one file or one REPL input.
    TopLevel,
    /// A function of the prelude, or one that the compiler made for a type: a failure in it is reported at the place of the
    /// program that called it, and call stacks leave it out.
    Provided,
}

/// A typed local.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocalDecl {
    /// The scalar it holds.
    pub scalar: Scalar,
    /// The source name; temporaries have none.
    pub name: Option<String>,
}

/// The instructions of one basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// In execution order.
    pub insts: Vec<Inst>,
    /// The source span of each instruction; same length as `insts`.
    pub spans: Vec<Span>,
    /// The terminator.
    pub term: Terminator,
    /// The source span of the terminator.
    pub term_span: Span,
    /// The handler of a failure inside this block, if a `try` of this function encloses it.
    pub handler: Option<Block>,
}

/// A function in IR form. The entry is block 0, which no edge leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The source name.
    pub name: String,
    /// Its kind.
    pub kind: FunctionKind,
    /// The span of the declaration's name, or of the statements.
    pub span: Span,
    /// Parameters: the first locals, in order.
    pub params: Vec<Local>,
    /// The scalar it returns.
    pub result: Option<Scalar>,
    /// All locals.
    pub locals: PrimaryMap<Local, LocalDecl>,
    /// All blocks, in source order.
    pub blocks: PrimaryMap<Block, BlockData>,
}

impl Function {
    /// The entry block.
    pub fn entry(&self) -> Block {
        Block::from_u32(0)
    }

    /// The only block of a body that is straight from its entry to its return.
    pub fn straight(&self) -> Option<&BlockData> {
        let mut blocks = self.blocks.values();
        let (only, None) = (blocks.next()?, blocks.next()) else { return None };
        (matches!(only.term, Terminator::Return(_)) && only.handler.is_none()).then_some(only)
    }

    /// True iff it calls the host, which may do anything in turn.
    pub fn calls_host(&self) -> bool {
        let is_call = |inst: &Inst| matches!(inst, Inst::Builtin { builtin: Builtin::Host(_), .. });
        self.blocks.values().any(|data| data.insts.iter().any(is_call))
    }

    /// True iff it catches failures.
    pub fn catches(&self) -> bool {
        self.blocks.values().any(|data| data.handler.is_some())
    }

    /// The scalar of a local.
    pub fn scalar(&self, local: Local) -> Scalar {
        self.locals[local].scalar
    }

    /// The scalar of any operand.
    pub fn operand_scalar(&self, operand: Operand) -> Scalar {
        match operand {
            Operand::Local(local) => self.scalar(local),
            Operand::Int(_) => Scalar::Int,
            Operand::Float(_) => Scalar::Float,
            Operand::Bool(_) => Scalar::Bool,
            Operand::Str(_) | Operand::NoneRef => Scalar::Ref,
            Operand::Func(_) | Operand::NoneFunc => Scalar::Func,
        }
    }

    /// Instructions and terminators, counted together: the measure of size. A long list of operands counts as several.
    pub fn size(&self) -> usize {
        let of_inst = |inst: &Inst| {
            let mut operands = 0_usize;
            inst.operands(|_| operands += 1);
            1 + operands / 8
        };
        self.blocks.values().map(|block| 1 + block.insts.iter().map(of_inst).sum::<usize>()).sum()
    }
}

impl BlockData {
    /// Returns true if a failure can happen while this block runs.
    pub fn can_fail(&self) -> bool {
        matches!(self.term, Terminator::Fail { .. }) || self.insts.iter().any(Inst::can_fail)
    }

    /// The source span of the whole block: the smallest that covers its instructions.
    pub fn span(&self) -> Span {
        self.spans
            .iter()
            .filter(|span| span.file == self.term_span.file)
            .fold(self.term_span, |all, span| all.to(*span))
    }
}

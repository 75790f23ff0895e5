//! The constructs that are open: blocks, loops, ifs, and the function.
//!
//! In: their types. Out: what a branch to one, and its end, have to know. Invariant: values cross blocks of the IR in the slots of their depths alone.

use crate::types::FuncType;
use holloway_ir::{Block, Operand, Scalar};

/// An open construct.
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The depth of the stack below its parameters.
    pub(super) depth: usize,
    pub(super) params: Vec<Scalar>,
    pub(super) results: Vec<Scalar>,
    /// The block behind it, once something jumps there.
    pub(super) end: Option<Block>,
    /// The assignments that counted when it began.
    pub(super) mark: usize,
}

/// The kind of an open construct.
pub(super) enum FrameKind {
    Function,
    Block,
    Loop {
        header: Block,
    },
    If {
        /// The block in which `else` begins, if that can be reached and has not begun.
        otherwise: Option<Block>,
        /// The parameters, which `else` begins with, too.
        params: Vec<Operand>,
    },
}

impl Frame {
    /// The construct that is a whole function.
    pub(super) fn of_function(ty: &FuncType) -> Frame {
        let results = ty.results.iter().map(|ty| ty.scalar()).collect();
        Frame { kind: FrameKind::Function, depth: 0, params: Vec::new(), results, end: None, mark: 0 }
    }

    /// The scalars of the values that a branch to it brings.
    pub(super) fn brought(&self) -> &[Scalar] {
        match self.kind {
            FrameKind::Loop { .. } => &self.params,
            FrameKind::Function | FrameKind::Block | FrameKind::If { .. } => &self.results,
        }
    }
}

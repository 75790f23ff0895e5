//! Input of the lab.
//!
//! In: nothing. Out: [`Lab`], all in names of blocks, and [`BlockStream`], a trace in numbers of blocks. Invariant: nothing is
//! checked here; `procedure` and `trace` find what is wrong.

use super::error::LabError;
use super::scheme::LabScheme;

/// The input.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The scheme to evaluate.
    pub scheme: LabScheme,
    /// Every procedure by name.
    pub procedures: Vec<(String, Procedure)>,
    /// The procedure that each trace activates.
    pub main: String,
    /// Blocks in execution order; `procedure:block` if there are several procedures.
    pub traces: Vec<Vec<String>>,
}

/// One procedure.
#[derive(Clone, Debug, Default)]
pub struct Procedure {
    /// The block at which activations start.
    pub entry: String,
    /// The block at which they return.
    pub exit: String,
    /// Each block's successors in numbering order.
    pub successors: Vec<(String, Vec<String>)>,
    /// The blocks that end with a call.
    pub calls: Vec<(String, Call)>,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The procedure called.
    pub callee: String,
    /// The caller's block after the call.
    pub return_site: String,
}

/// A trace that does not fit memory: it is read as often as a scheme needs it.
pub trait BlockStream {
    /// Gives every event to `each`, in execution order; ends with the first error. The procedures have so many blocks.
    fn read(&self, blocks: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError>;
}

/// One event of a [`BlockStream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEvent {
    /// A block is entered. Its number counts the blocks of all procedures in the order of the input: in each procedure the keys
    /// of its successors first, then other blocks in the order in which successors and then calls name them.
    Block(u32),
    /// The innermost activation ends in the middle of its block, and its caller continues: an exception, or a `longjmp`.
    Cut,
}

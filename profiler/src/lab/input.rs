//! Input of the lab.
//!
//! In: nothing. Out: [`Lab`], all in names of blocks. Invariant: nothing is checked here; `procedure` and `trace` find what is wrong.

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

//! Uses of functions by top-level statements, which `init_order` looks at once all bodies are checked.

use crate::ir::FuncRef;
use crate::source::Span;

/// A top-level statement mentions a function.
#[derive(Clone, Copy)]
pub(super) struct EarlyUse {
    pub(super) func: FuncRef,
    pub(super) span: Span,
    /// The position of the statement.
    pub(super) position: u32,
}

//! The warnings of one run as they are collected, and the wish for them.

use hashbrown::HashSet;

use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::tast::Expr;

/// The diagnostics that an input is checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attention {
    /// Those that keep the program from running.
    Errors,
    /// Warnings too.
    Warnings,
    /// Warnings, and the meanings of names; and which names could stand at a place.
    Names(Option<Span>),
}

/// The warnings of one run.
#[derive(Default)]
pub(super) struct Warnings {
    pub(super) is_wanted: bool,
    pub(super) found: Vec<Diagnostic>,
    pub(super) seen: HashSet<(Code, Span)>,
    /// The places that turned out to be right for some set of types.
    pub(super) cleared: HashSet<(Code, Span)>,
    /// The names of parameters of closures whose number their place says.
    pub(super) prescribed: HashSet<Span>,
    /// Number of `try`s around what is being checked.
    pub(super) tries: usize,
    /// Calls whose result is dropped.
    pub(super) ignored: Vec<Ignored>,
}

impl Warnings {
    pub(super) fn new(attention: Attention) -> Self {
        Self { is_wanted: attention != Attention::Errors, ..Self::default() }
    }
}

/// A call whose value is dropped.
pub(super) struct Ignored {
    pub(super) span: Span,
    pub(super) callee: String,
    pub(super) value: Expr,
}

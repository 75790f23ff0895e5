//! Meanings of names, noted on the way through the syntax trees.
//!
//! In: names as [`walk`](super::walk) meets them, with the definition that each one means. Out: all of them, and the
//! locals that are in scope at one place. Invariant: a name whose meaning only types tell is noted as open, and the
//! checker's own marks say which of these it knows.

use super::super::marks::{Marks, starts_at};
use crate::ast::Name;
use crate::source::Span;

/// The notes of one walk; see the module.
pub(super) struct Noted<'m> {
    marks: &'m Marks,
    /// Uses, each with its definition.
    pub(super) uses: Vec<(Span, Span)>,
    /// Names of fields and variants.
    pub(super) members: Vec<Span>,
    /// The locals in scope at the place that is asked about, by their number.
    pub(super) in_scope: Option<Vec<usize>>,
}

impl<'m> Noted<'m> {
    pub(super) fn new(marks: &'m Marks) -> Self {
        Self { marks, uses: Vec::new(), members: Vec::new(), in_scope: None }
    }

    pub(super) fn mean(&mut self, name: &Name, definition: Span) {
        self.uses.push((name.span, definition));
    }

    /// Returns true if the scope is asked for where this name stands, and is not known yet.
    pub(super) fn wants_scope(&self, name: &Name) -> bool {
        self.in_scope.is_none() && self.marks.probe().is_some_and(|probe| starts_at(name.span, probe))
    }

    /// Returns true if the checker took a name in a pattern for a variable.
    pub(super) fn is_variable(&self, name: &Name) -> bool {
        self.marks.types.contains_key(&name.span)
    }

    /// Returns true if the checker took a name for a variant.
    pub(super) fn is_variant(&self, name: &Name) -> bool {
        self.marks.uses.contains_key(&name.span)
    }
}

//! The printed tree.
//!
//! In: words and spans. Out: nodes, built from the outside inwards.

use crate::source::Span;

/// A node of the printed tree: a word, or a list of a word and more nodes.
pub(super) struct Node {
    pub(super) head: String,
    pub(super) span: Option<Span>,
    pub(super) children: Vec<Node>,
    pub(super) is_list: bool,
}

impl Node {
    pub(super) fn word(text: impl Into<String>) -> Self {
        Self { head: text.into(), span: None, children: Vec::new(), is_list: false }
    }

    pub(super) fn list(head: impl Into<String>, span: Span) -> Self {
        Self { head: head.into(), span: Some(span), children: Vec::new(), is_list: true }
    }

    /// A list without a span of its own.
    pub(super) fn group(head: impl Into<String>) -> Self {
        Self { head: head.into(), span: None, children: Vec::new(), is_list: true }
    }

    pub(super) fn with(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    pub(super) fn with_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }
}

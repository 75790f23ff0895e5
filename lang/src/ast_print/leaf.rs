//! Names and texts as nodes.

use super::node::Node;
use crate::ast::Name;

pub(super) fn name(name: &Name) -> Node {
    Node::word(name.as_str())
}

/// Bytes in quotes, those that are not printable ASCII escaped.
pub(super) fn text(bytes: &[u8]) -> Node {
    Node::word(format!("\"{}\"", bytes.escape_ascii()))
}

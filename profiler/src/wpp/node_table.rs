//! Hash consing of the nodes of the dynamic call graph.
//!
//! In: a function, a trace and children. Out: the node's number, the same for the same parts.
//! Short lists of children are compared whole, long ones by their digests.

use std::hash::Hasher;

use hashbrown::HashTable;

use super::call_graph::{CallGraph, CallNode, TraceNumber};
use super::sequence::{Sequence, SequenceView};
use crate::event::FunctionId;
use crate::hash::IdHasher;

/// Children of a node to be found or added.
pub(super) enum Children<'a> {
    Short(&'a [CallNode]),
    Long(Sequence),
}

impl Children<'_> {
    fn view(&self) -> SequenceView<'_> {
        match self {
            Children::Short(children) => SequenceView::Short(children),
            Children::Long(children) => children.view(),
        }
    }
}

/// Index of a call graph's nodes by their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeTable(HashTable<CallNode>);

impl NodeTable {
    /// The node with these parts.
    pub(super) fn intern(
        &mut self,
        calls: &mut CallGraph,
        function: FunctionId,
        trace: TraceNumber,
        children: Children<'_>,
    ) -> CallNode {
        let view = children.view();
        let is_same =
            |&node: &CallNode| calls.trace(node) == (function, trace) && are_equal(calls.children(node), view);
        if let Some(&node) = self.0.find(hash(function, trace, view), is_same) {
            return node;
        }
        let hash = hash(function, trace, view);
        let node = match children {
            Children::Short(children) => calls.push(function, trace, children),
            Children::Long(children) => calls.push_long(function, trace, children),
        };
        assert!(node < CallNode::MAX - 1, "nodes are numbered with 32 bits");
        self.0.insert_unique(hash, node, |&node| hash_of(calls, node));
        node
    }

    /// Forgets the nodes from `len` on.
    pub(super) fn truncate(&mut self, len: CallNode, calls: &CallGraph) {
        for node in len..calls.len() {
            if let Ok(entry) = self.0.find_entry(hash_of(calls, node), |&other| other == node) {
                entry.remove();
            }
        }
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.0.capacity() * (size_of::<CallNode>() + 1)) as u64
    }
}

fn are_equal(a: SequenceView<'_>, b: SequenceView<'_>) -> bool {
    match (a, b) {
        (SequenceView::Short(a), SequenceView::Short(b)) => a == b,
        (SequenceView::Long(a), SequenceView::Long(b)) => a.len() == b.len() && a.digest() == b.digest(),
        _ => false,
    }
}

fn hash_of(calls: &CallGraph, node: CallNode) -> u64 {
    let (function, trace) = calls.trace(node);
    hash(function, trace, calls.children(node))
}

fn hash(function: FunctionId, trace: TraceNumber, children: SequenceView<'_>) -> u64 {
    let mut hasher = IdHasher::default();
    hasher.write_u64(u64::from(function.as_u32()) << 32 | u64::from(trace));
    match children {
        SequenceView::Short(children) => children.iter().for_each(|&child| hasher.write_u32(child)),
        SequenceView::Long(children) => hasher.write_u64(children.digest().key().0),
    }
    hasher.finish()
}

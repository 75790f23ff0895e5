//! Hash consing of the nodes of the dynamic call graph.
//!
//! In: a function, a trace and children. Out: the node's number, the same for the same parts.
//! Short lists of children are compared whole, long ones by their digests.

use hashbrown::HashTable;

use super::call_graph::{CallGraph, CallNode, TraceNumber};
use super::sequence::{Sequence, SequenceView};
use crate::event::FunctionId;

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

/// Index of a call graph's nodes by their parts. Half of each hash is kept, so that the table grows without a look at the parts.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeTable(HashTable<(u32, CallNode)>);

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
        let hash = hash(function, trace, view);
        let is_same = |&(known, node): &(u32, CallNode)| {
            known == short(hash) && calls.trace(node) == (function, trace) && are_equal(calls.children(node), view)
        };
        if let Some(&(_, node)) = self.0.find(spread(short(hash)), is_same) {
            return node;
        }
        let node = match children {
            Children::Short(children) => calls.push(function, trace, children),
            Children::Long(children) => calls.push_long(function, trace, children),
        };
        assert!(node < CallNode::MAX - 1, "nodes are numbered with 32 bits");
        self.0.insert_unique(spread(short(hash)), (short(hash), node), |&(known, _)| spread(known));
        node
    }

    /// Forgets the nodes from `len` on.
    pub(super) fn truncate(&mut self, len: CallNode, calls: &CallGraph) {
        for node in len..calls.len() {
            if let Ok(entry) = self.0.find_entry(spread(short(hash_of(calls, node))), |&(_, other)| other == node) {
                entry.remove();
            }
        }
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        (self.0.capacity() * (size_of::<(u32, CallNode)>() + 1)) as u64
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

/// The half of a hash that is kept.
fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A hash of the kept half: the table takes its index from the lowest bits and its tags from the highest.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(FACTOR)
}

/// 2^64 / golden ratio, odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(function: FunctionId, trace: TraceNumber, children: SequenceView<'_>) -> u64 {
    let step = |hash: u64, number: u64| (hash.rotate_left(23) ^ number).wrapping_mul(FACTOR);
    let start = step(u64::from(function.as_u32()), u64::from(trace));
    match children {
        SequenceView::Short(children) => children.iter().fold(start, |hash, &child| step(hash, u64::from(child))),
        SequenceView::Long(children) => step(start, children.digest().key().0),
    }
}

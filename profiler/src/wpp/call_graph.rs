//! The dynamic call graph of a run [ZG01 section 2], with equal subtrees as one node.
//!
//! In: activations, callees before their callers. Out: nodes by number, and the activations that the host called.
//! An activation is a function, the number of its path trace, and its children: the activations that it calls, in order.
//! Their positions follow from the calls that each block makes. [`CUT`] stands for a call that a block did not make, as a
//! failure left it before, so that each block has as many children as it makes calls. Children behind those of all blocks
//! were called from blocks that are not known: a live activation's, when a path was cut short.
//! Invariant: a node's children have smaller numbers, so the graph has no cycle.

use std::convert::Infallible;

use super::sequence::{Sequence, SequenceTable, SequenceView};
use crate::event::FunctionId;
use crate::graph::Node;

/// Number of a node of the dynamic call graph.
pub type CallNode = u32;

/// The child that stands for a call that was not made.
pub const CUT: CallNode = u32::MAX;

/// Number of a path trace among those of its function.
pub type TraceNumber = u32;

/// The dynamic call graph.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    traces: Vec<(FunctionId, TraceNumber)>,
    children: SequenceTable,
    roots: Sequence,
}

impl CallGraph {
    /// Number of nodes.
    pub fn len(&self) -> u32 {
        self.traces.len() as u32
    }

    /// Returns whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// The function of a node and its path trace.
    pub fn trace(&self, node: CallNode) -> (FunctionId, TraceNumber) {
        self.traces[node as usize]
    }

    /// The children of a node, in order of execution.
    pub fn children(&self, node: CallNode) -> SequenceView<'_> {
        self.children.get(node)
    }

    /// The activations that the host called, in order.
    pub fn roots(&self) -> &Sequence {
        &self.roots
    }

    /// Number of activations of each node.
    pub fn activations(&self) -> Vec<u64> {
        let mut counts = vec![0_u64; self.traces.len()];
        let add = |counts: &mut Vec<u64>, children: SequenceView<'_>, by: u64| {
            // One by one: where calls take turns, runs are short.
            let each = |children: &[CallNode]| {
                for &child in children {
                    if let Some(count) = counts.get_mut(child as usize) {
                        *count = count.saturating_add(by);
                    }
                }
                Ok(())
            };
            children.try_for_each_piece::<Infallible>(each).unwrap_or_else(|never| match never {});
        };
        add(&mut counts, self.roots.view(), 1);
        for node in (0..self.len()).rev() {
            let by = counts[node as usize];
            add(&mut counts, self.children(node), by);
        }
        counts
    }

    pub(super) fn push(&mut self, function: FunctionId, trace: TraceNumber, children: &[CallNode]) -> CallNode {
        self.traces.push((function, trace));
        self.children.push(children)
    }

    pub(super) fn push_long(&mut self, function: FunctionId, trace: TraceNumber, children: Sequence) -> CallNode {
        self.traces.push((function, trace));
        self.children.push_long(children)
    }

    pub(super) fn roots_mut(&mut self) -> &mut Sequence {
        &mut self.roots
    }

    /// Removes all nodes from `len` on, and the roots behind the first `roots`.
    pub(super) fn truncate(&mut self, len: u32, roots: Sequence) {
        self.traces.truncate(len as usize);
        self.children.truncate(len);
        self.roots = roots;
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let traces = self.traces.capacity() * size_of::<(FunctionId, TraceNumber)>();
        traces as u64 + self.children.bytes() + self.roots.bytes()
    }
}

/// The calls that `blocks` make in all, by the number of calls of each.
pub(super) fn calls_of(blocks: &[Node], calls: &[u32]) -> u64 {
    blocks.iter().map(|block| u64::from(calls.get(block.as_u32() as usize).copied().unwrap_or(0))).sum()
}

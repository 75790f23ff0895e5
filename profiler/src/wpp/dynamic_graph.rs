//! The timestamp-annotated dynamic control-flow graph of one path trace.
//!
//! In: the dynamic basic blocks (DBBs) of a path trace, each with the timestamps of its executions; or the blocks of the trace. Out: a
//! [`DynamicGraph`]: who is executed at a timestamp, before it and behind it, and the sizes of [ZG01 Table 6].
//!
//! Invariants [ZG01 4.1]: each timestamp from 1 to the length of the trace belongs to one node. `n` is a successor of `m` iff some
//! timestamp `t` belongs to `m` and `t + 1` to `n`. A block is in one node.

use std::fmt;

use cranelift_entity::{PrimaryMap, entity_impl};

use super::dictionary::{Dictionary, TimestampedTrace};
use super::series::Series;
use crate::graph::Node;
use crate::hash::KeyMap;

/// A dynamic basic block of a path trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DynamicNode(u32);
entity_impl!(DynamicNode, "d");

#[derive(Clone, PartialEq, Eq, Debug)]
struct NodeData {
    blocks: Vec<Node>,
    times: Series,
    predecessors: Vec<DynamicNode>,
    successors: Vec<DynamicNode>,
}

/// A timestamp-annotated dynamic control-flow graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DynamicGraph {
    nodes: PrimaryMap<DynamicNode, NodeData>,
    /// For each block its node and its offset in it.
    homes: KeyMap<Node, (DynamicNode, u32)>,
    length: u64,
}

/// Sizes of a graph, as [ZG01 Table 6] sums them over the path traces of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DynamicSize {
    /// Nodes.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
    /// Timestamps of all nodes.
    pub timestamps: u64,
    /// Numbers that represent them as arithmetic series: one, two or three an entry.
    pub numbers: u64,
}

/// Violations of the graph's invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampError {
    /// A node without blocks, or without timestamps.
    EmptyNode,
    /// A block that is in a node twice, or in two.
    RepeatedBlock(Node),
    /// A timestamp that belongs to several nodes or to none.
    NotPartitioned,
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimestampError::EmptyNode => write!(f, "a dynamic basic block has no blocks or is never executed"),
            TimestampError::RepeatedBlock(block) => write!(f, "the block {block} is in dynamic basic blocks twice"),
            TimestampError::NotPartitioned => {
                write!(f, "a timestamp belongs to several dynamic basic blocks or to none")
            }
        }
    }
}

impl std::error::Error for TimestampError {}

impl DynamicGraph {
    /// The graph of some nodes: their blocks, and the timestamps at which they are executed.
    pub fn new(parts: impl IntoIterator<Item = (Vec<Node>, Series)>) -> Result<DynamicGraph, TimestampError> {
        let mut graph = DynamicGraph::default();
        for (blocks, times) in parts {
            if blocks.is_empty() || times.is_empty() {
                return Err(TimestampError::EmptyNode);
            }
            let node = graph.nodes.next_key();
            for (offset, &block) in (0..).zip(&blocks) {
                if graph.homes.insert(block, (node, offset)).is_some() {
                    return Err(TimestampError::RepeatedBlock(block));
                }
            }
            graph.length += times.len();
            graph.nodes.push(NodeData { blocks, times, predecessors: Vec::new(), successors: Vec::new() });
        }
        graph.connect()?;
        Ok(graph)
    }

    /// The graph of a timestamped path trace and its dictionary, as a file holds them.
    pub fn of_timestamped(trace: &TimestampedTrace, dictionary: &Dictionary) -> Result<DynamicGraph, TimestampError> {
        let blocks = |id: Node| dictionary.chain(id).map_or_else(|| vec![id], <[Node]>::to_vec);
        DynamicGraph::new(trace.series().iter().map(|(id, times)| (blocks(*id), times.clone())))
    }

    /// The graph of a path trace, with a node for each block.
    pub fn of_trace(trace: impl IntoIterator<Item = Node>) -> DynamicGraph {
        let mut graph = DynamicGraph::default();
        let mut previous: Option<DynamicNode> = None;
        for block in trace {
            graph.length += 1;
            let nodes = &mut graph.nodes;
            let (node, _) = *graph.homes.entry(block).or_insert_with(|| {
                let (blocks, times) = (vec![block], Series::default());
                (nodes.push(NodeData { blocks, times, predecessors: Vec::new(), successors: Vec::new() }), 0)
            });
            nodes[node].times.push(graph.length);
            if let Some(previous) = previous
                && !nodes[previous].successors.contains(&node)
            {
                nodes[previous].successors.push(node);
                nodes[node].predecessors.push(previous);
            }
            previous = Some(node);
        }
        graph
    }

    /// Finds the edges, and checks that the timestamps are those from 1 to the length.
    ///
    /// For each node the timestamps before its own are taken away, one predecessor after the other: a step for each edge, on whole
    /// series.
    fn connect(&mut self) -> Result<(), TimestampError> {
        for node in self.nodes.keys() {
            let mut before = self.nodes[node].times.shifted(-1);
            while let Some(time) = before.first() {
                let previous = self.at(time).ok_or(TimestampError::NotPartitioned)?;
                before = before.difference(&self.nodes[previous].times);
                self.nodes[previous].successors.push(node);
                self.nodes[node].predecessors.push(previous);
            }
        }
        // As many distinct timestamps as the greatest one are all of them.
        let all = || self.nodes.values().map(|node| &node.times);
        let overlaps = all().enumerate().any(|(nth, one)| {
            let others = all().take(nth);
            others.into_iter().any(|other| !one.intersection(other).is_empty())
        });
        let greatest = all().filter_map(Series::last).max().unwrap_or(0);
        if greatest == self.length && !overlaps { Ok(()) } else { Err(TimestampError::NotPartitioned) }
    }

    /// Number of timestamps.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Returns whether the path trace is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Every node.
    pub fn nodes(&self) -> impl Iterator<Item = DynamicNode> + use<> {
        self.nodes.keys()
    }

    /// The blocks of a node in order.
    pub fn blocks(&self, node: DynamicNode) -> &[Node] {
        &self.nodes[node].blocks
    }

    /// `T(n)`: the timestamps at which a node is executed.
    pub fn times(&self, node: DynamicNode) -> &Series {
        &self.nodes[node].times
    }

    /// The nodes that are executed just before `node` at some time.
    pub fn predecessors(&self, node: DynamicNode) -> &[DynamicNode] {
        &self.nodes[node].predecessors
    }

    /// The nodes that are executed just behind `node` at some time.
    pub fn successors(&self, node: DynamicNode) -> &[DynamicNode] {
        &self.nodes[node].successors
    }

    /// The node that is executed at a timestamp.
    pub fn at(&self, time: u64) -> Option<DynamicNode> {
        self.nodes.keys().find(|&node| self.nodes[node].times.contains(time))
    }

    /// The block with `offset` blocks before it in the node that is executed at `time`.
    pub fn block_at(&self, time: u64, offset: u32) -> Option<Node> {
        self.blocks(self.at(time)?).get(offset as usize).copied()
    }

    /// The node in which a block is, and the number of blocks before it there; `None` if it is not executed.
    pub fn home(&self, block: Node) -> Option<(DynamicNode, u32)> {
        self.homes.get(&block).copied()
    }

    /// The latest execution of a node before a timestamp, by binary search.
    pub fn last_before(&self, node: DynamicNode, time: u64) -> Option<u64> {
        let entries = self.times(node).entries();
        let last = *entries[..entries.partition_point(|entry| entry.first() < time)].last()?;
        let end = last.last().min(time - 1);
        Some(end - (end - last.first()) % last.step())
    }

    /// The point before `(time, node)`: the predecessor with the timestamp before.
    pub fn before(&self, node: DynamicNode, time: u64) -> Option<(DynamicNode, u64)> {
        let earlier = time.checked_sub(1)?;
        let from = self.predecessors(node).iter().find(|&&from| self.times(from).contains(earlier))?;
        Some((*from, earlier))
    }

    /// The point behind `(time, node)`: the successor with the timestamp behind.
    pub fn behind(&self, node: DynamicNode, time: u64) -> Option<(DynamicNode, u64)> {
        let later = time.checked_add(1)?;
        let to = self.successors(node).iter().find(|&&to| self.times(to).contains(later))?;
        Some((*to, later))
    }

    /// The sizes.
    pub fn size(&self) -> DynamicSize {
        let mut size = DynamicSize { timestamps: self.length, ..DynamicSize::default() };
        for node in self.nodes.values() {
            size.nodes += 1;
            size.edges += node.successors.len() as u64;
            size.numbers += node.times.words().count() as u64;
        }
        size
    }
}

impl std::ops::AddAssign for DynamicSize {
    fn add_assign(&mut self, other: DynamicSize) {
        self.nodes += other.nodes;
        self.edges += other.edges;
        self.timestamps += other.timestamps;
        self.numbers += other.numbers;
    }
}

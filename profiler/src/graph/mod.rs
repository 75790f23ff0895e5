//! Bare control-flow graphs, on which every algorithm of this crate works.
//!
//! In: nodes and ordered edges from anywhere (a function of the virtual machine, a graph of the lab).
//! Out: an immutable [`Graph`], with its depth-first order, dominators and loop nest in the submodules, and a reducible one for any.
//!
//! Invariants:
//! - a node's successor list is ordered, and that order is the numbering order;
//! - a pair of nodes is joined at most once by a normal edge and at most once by a failure edge;
//! - the exit has no successors, and only normal edges lead to it: they are the *return edges*;
//! - calls are in the middle of blocks, and numbered in the order in which a block makes them;
//! - a failure edge is taken in the middle of its source. An *abort* (a failure that this function does not catch) ends
//!   an activation inside a block and is not an edge.

use std::fmt;

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use holloway_flow::steps;

pub mod dominators;
pub mod loops;
pub mod order;
pub mod reducible;

pub use dominators::Dominators;
pub use loops::{Loop, LoopId, LoopNest};
pub use order::DepthFirst;

/// A basic block of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// An edge of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "e");

/// A call in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The block.
    pub block: Node,
    /// The number of calls before it in the block.
    pub number: u32,
}

/// The way in which control takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// From the end of the source.
    Normal,
    /// From the middle of the source, by a failure that the target catches.
    Failure,
}

/// One edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The source.
    pub from: Node,
    /// The target.
    pub to: Node,
    /// The way in which it is taken.
    pub kind: EdgeKind,
}

/// Kind of the exit node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// A node without code, the successor of every returning block; paths do not list it.
    Synthetic,
    /// A block that returns; paths list it.
    Block,
}

/// An immutable control-flow graph.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: PrimaryMap<Node, NodeData>,
    edges: PrimaryMap<EdgeId, Edge>,
    entry: Node,
    exit: Node,
    exit_kind: ExitKind,
}

#[derive(Clone, Debug, Default)]
struct NodeData {
    calls: u32,
    successors: Vec<EdgeId>,
    predecessors: Vec<EdgeId>,
}

/// Builder of a graph: collects nodes and edges, and [`GraphBuilder::finish`] makes the graph.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    nodes: PrimaryMap<Node, NodeData>,
    edges: PrimaryMap<EdgeId, Edge>,
}

/// Violations of the graph's invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// Two edges of one kind join the same nodes.
    DuplicateEdge(Node, Node),
    /// The exit has a successor.
    ExitHasSuccessor(Node),
    /// A failure edge leads to the exit.
    FailureToExit(Node),
}

impl GraphBuilder {
    /// Adds a node.
    pub fn node(&mut self) -> Node {
        self.nodes.push(NodeData::default())
    }

    /// Adds a call behind the existing ones of its block.
    pub fn call(&mut self, block: Node) -> Call {
        let number = self.nodes[block].calls;
        self.nodes[block].calls += 1;
        Call { block, number }
    }

    /// Adds an edge after the existing ones of its source; its id is the greatest.
    pub fn edge(&mut self, from: Node, to: Node, kind: EdgeKind) -> EdgeId {
        let id = self.edges.push(Edge { from, to, kind });
        self.nodes[from].successors.push(id);
        self.nodes[to].predecessors.push(id);
        id
    }

    /// Checks the invariants and makes the graph.
    pub fn finish(self, entry: Node, exit: Node, exit_kind: ExitKind) -> Result<Graph, GraphError> {
        let mut seen = crate::hash::IdSet::default();
        for edge in self.edges.values() {
            let key = (u64::from(edge.from.as_u32()) << 32) | u64::from(edge.to.as_u32());
            // The lowest bit is the kind; ids are below 2^31 in any graph that fits in memory.
            let key = key << 1 | u64::from(edge.kind == EdgeKind::Failure);
            if !seen.insert(key) {
                return Err(GraphError::DuplicateEdge(edge.from, edge.to));
            }
            if edge.from == exit {
                return Err(GraphError::ExitHasSuccessor(edge.to));
            }
            if edge.to == exit && edge.kind == EdgeKind::Failure {
                return Err(GraphError::FailureToExit(edge.from));
            }
        }
        Ok(Graph { nodes: self.nodes, edges: self.edges, entry, exit, exit_kind })
    }
}

impl Graph {
    /// A graph of `count` nodes with normal edges only, named by index: for tests and the lab.
    pub fn from_pairs(
        count: usize,
        pairs: &[(usize, usize)],
        entry: usize,
        exit: usize,
        exit_kind: ExitKind,
    ) -> Result<Graph, GraphError> {
        let mut builder = GraphBuilder::default();
        for _ in 0..count {
            builder.node();
        }
        for &(from, to) in pairs {
            builder.edge(Node::new(from), Node::new(to), EdgeKind::Normal);
        }
        builder.finish(Node::new(entry), Node::new(exit), exit_kind)
    }

    /// The node at which every activation starts.
    pub fn entry(&self) -> Node {
        self.entry
    }

    /// The node at which every activation that returns ends.
    pub fn exit(&self) -> Node {
        self.exit
    }

    /// The kind of the exit node.
    pub fn exit_kind(&self) -> ExitKind {
        self.exit_kind
    }

    /// Returns whether `node` is code, so that paths list it.
    pub fn is_block(&self, node: Node) -> bool {
        node != self.exit || self.exit_kind == ExitKind::Block
    }

    /// Number of nodes, the exit among them.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of edges of both kinds.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Every node.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + use<> {
        self.nodes.keys()
    }

    /// Every edge with its id.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter()
    }

    /// One edge.
    pub fn edge(&self, id: EdgeId) -> Edge {
        steps::count(1);
        self.edges[id]
    }

    /// The edges out of `node`, in numbering order.
    pub fn successors(&self, node: Node) -> &[EdgeId] {
        &self.nodes[node].successors
    }

    /// The calls of a block, in order.
    pub fn calls(&self, block: Node) -> impl Iterator<Item = Call> {
        (0..self.nodes[block].calls).map(move |number| Call { block, number })
    }

    /// The edges into `node`.
    pub fn predecessors(&self, node: Node) -> &[EdgeId] {
        &self.nodes[node].predecessors
    }

    /// The normal edges out of `node`, in numbering order.
    pub fn normal_successors(&self, node: Node) -> impl DoubleEndedIterator<Item = EdgeId> {
        self.successors(node).iter().copied().filter(|&e| self.edges[e].kind == EdgeKind::Normal)
    }

    /// The normal edge between two nodes.
    pub fn find_edge(&self, from: Node, to: Node) -> Option<EdgeId> {
        self.find_edge_of(EdgeKind::Normal, from, to)
    }

    /// The edge of a kind between two nodes. The end with fewer edges is looked through: of a block that chooses
    /// among many, each target has few.
    pub fn find_edge_of(&self, kind: EdgeKind, from: Node, to: Node) -> Option<EdgeId> {
        let (out, into) = (self.successors(from), self.predecessors(to));
        let near = if out.len() <= into.len() { out } else { into };
        near.iter().copied().find(|id| self.edge(*id) == Edge { from, to, kind })
    }

    /// Returns whether `edge` is a return edge.
    pub fn is_return(&self, edge: EdgeId) -> bool {
        self.edges[edge].to == self.exit
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::DuplicateEdge(from, to) => write!(f, "the edge {from} -> {to} stands twice"),
            GraphError::ExitHasSuccessor(to) => write!(f, "the exit has a successor, {to}"),
            GraphError::FailureToExit(from) => write!(f, "a failure edge leads from {from} to the exit"),
        }
    }
}

impl std::error::Error for GraphError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_what_no_graph_allows() {
        let twice = Graph::from_pairs(2, &[(0, 1), (0, 1)], 0, 1, ExitKind::Block);
        assert_eq!(twice.unwrap_err(), GraphError::DuplicateEdge(Node(0), Node(1)));
        let onward = Graph::from_pairs(2, &[(0, 1), (1, 0)], 0, 1, ExitKind::Block);
        assert_eq!(onward.unwrap_err(), GraphError::ExitHasSuccessor(Node(0)));
    }

    #[test]
    fn a_failure_edge_may_run_beside_a_normal_one() {
        let mut builder = GraphBuilder::default();
        let (a, b, exit) = (builder.node(), builder.node(), builder.node());
        builder.edge(a, b, EdgeKind::Normal);
        builder.edge(a, b, EdgeKind::Failure);
        builder.edge(b, exit, EdgeKind::Normal);
        let graph = builder.finish(a, exit, ExitKind::Synthetic).unwrap();
        assert_eq!(graph.normal_successors(a).count(), 1);
        assert_eq!(graph.successors(a).len(), 2);
        assert!(!graph.is_block(exit));
    }
}

//! Cutting a graph so that it becomes acyclic.
//!
//! In: a graph. Out: a [`Dag`]: the normal edges that are cut, and the nodes besides the entry at which paths start.
//!
//! ```text
//!        entry                ENTRY --------+        A cut edge E -> B ends a path at E (surrogate E -> EXIT)
//!          |                    |           |        and starts one at B (surrogate ENTRY -> B).
//!          B <--+               A           |        A failure edge starts a path at its target, but ends
//!         / \   |              ...          B        only a prefix at its source: no surrogate to EXIT.
//!        C   D  |                          / \
//!         \ /   |                         C   D
//!          E ---+                          \ /
//!          |                                E ---> EXIT
//! ```
//!
//! Invariants: the kept normal edges are acyclic, with `topological` as their order. A node is in `restarts` at most
//! once, however many cut edges lead to it. The entry is not in it, because its own paths serve a back edge to it too.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::graph::{DepthFirst, EdgeId, EdgeKind, Graph, Node};

/// A graph with its cuts.
#[derive(Clone, Debug)]
pub struct Dag {
    topological: Vec<Node>,
    cut: EntitySet<EdgeId>,
    cut_out: SecondaryMap<Node, u32>,
    restarts: Vec<Node>,
    is_restart: EntitySet<Node>,
    truncated: Vec<EdgeId>,
}

impl Dag {
    /// Cuts `graph` at its back edges and its failure edges.
    pub fn new(graph: &Graph) -> Dag {
        let order = DepthFirst::new(graph);
        let mut dag = Dag {
            topological: order.reverse_postorder().to_vec(),
            cut: EntitySet::new(),
            cut_out: SecondaryMap::new(),
            restarts: Vec::new(),
            is_restart: EntitySet::new(),
            truncated: Vec::new(),
        };
        for &edge in order.back_edges() {
            dag.cut_edge(graph, edge);
        }
        for &node in order.reverse_postorder() {
            for &edge in graph.successors(node) {
                if graph.edge(edge).kind == EdgeKind::Failure {
                    dag.restart_at(graph, graph.edge(edge).to);
                }
            }
        }
        dag
    }

    /// Cuts one more edge to reduce the number of paths.
    pub fn truncate(&mut self, graph: &Graph, edge: EdgeId) {
        self.cut_edge(graph, edge);
        self.truncated.push(edge);
    }

    fn cut_edge(&mut self, graph: &Graph, edge: EdgeId) {
        let ends = graph.edge(edge);
        match ends.kind {
            EdgeKind::Normal => {
                if self.cut.insert(edge) {
                    self.cut_out[ends.from] += 1;
                }
            }
            // A failure edge is on no path anyway.
            EdgeKind::Failure => {}
        }
        self.restart_at(graph, ends.to);
    }

    fn restart_at(&mut self, graph: &Graph, node: Node) {
        if node != graph.entry() && self.is_restart.insert(node) {
            self.restarts.push(node);
        }
    }

    /// The reachable nodes in topological order of the kept edges.
    pub fn topological(&self) -> &[Node] {
        &self.topological
    }

    /// Returns whether the normal edge `edge` is cut, that is, ends a path and starts another.
    pub fn is_cut(&self, edge: EdgeId) -> bool {
        self.cut.contains(edge)
    }

    /// Returns whether an edge out of `node` is cut, so that a path can end there.
    pub fn ends_paths(&self, node: Node) -> bool {
        self.cut_out[node] > 0
    }

    /// The nodes besides the entry at which paths start: targets of back edges in the order of the depth-first search,
    /// then those of failure edges, then those of truncated edges.
    pub fn restarts(&self) -> &[Node] {
        &self.restarts
    }

    /// The edges that were cut only to reduce the number of paths.
    pub fn truncated(&self) -> &[EdgeId] {
        &self.truncated
    }

    /// The edges out of `node` that are on paths, in numbering order.
    pub fn kept<'a>(&'a self, graph: &'a Graph, node: Node) -> impl DoubleEndedIterator<Item = EdgeId> + 'a {
        graph.normal_successors(node).filter(|&e| !self.is_cut(e))
    }
}

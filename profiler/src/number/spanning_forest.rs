//! Maximum spanning forests of some edges of a graph.
//!
//! In: a graph, edges of it, and a weight for each. Out: a [`Forest`]. Invariant: of edges of equal weight the first ones are taken.

use cranelift_entity::SecondaryMap;

use crate::graph::{EdgeId, Graph, Node};

/// Edges of a spanning forest, at both ends: the edge, the other end, and the way there.
pub(super) type Forest = SecondaryMap<Node, Vec<(EdgeId, Node, Direction)>>;

/// The way along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

impl Direction {
    /// The sum that is lacked at the other end of an edge that adds `val`.
    pub(super) fn step(self, from: i64, val: u64) -> i64 {
        match self {
            Direction::Forwards => from.wrapping_add(val as i64),
            Direction::Backwards => from.wrapping_sub(val as i64),
        }
    }
}

/// A maximum spanning forest of some edges by `weights`.
pub(super) fn maximum_forest(graph: &Graph, mut edges: Vec<EdgeId>, weights: &SecondaryMap<EdgeId, u64>) -> Forest {
    edges.sort_by_key(|&edge| std::cmp::Reverse(weights[edge]));
    let mut sets = UnionFind::new(graph.node_count());
    let mut forest = Forest::new();
    for id in edges {
        let edge = graph.edge(id);
        if sets.union(edge.from, edge.to) {
            forest[edge.from].push((id, edge.to, Direction::Forwards));
            forest[edge.to].push((id, edge.from, Direction::Backwards));
        }
    }
    forest
}

/// Disjoint sets of nodes, by union with path halving.
#[derive(Clone, Debug)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub(crate) fn new(count: usize) -> UnionFind {
        UnionFind { parent: (0..count as u32).collect() }
    }

    fn find(&mut self, node: Node) -> u32 {
        let mut at = node.as_u32();
        while self.parent[at as usize] != at {
            let up = self.parent[at as usize];
            self.parent[at as usize] = self.parent[up as usize];
            at = self.parent[at as usize];
        }
        at
    }

    /// Joins two sets; returns false if they were one already.
    pub(crate) fn union(&mut self, a: Node, b: Node) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller index stays the root, so that the result does not depend on sizes.
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }
}

//! Control dependence in a procedure.
//!
//! In: a control-flow graph. Out: for each block the branches that decide on it, and for each failure edge the blocks that are executed
//! because it is taken.
//!
//! `[FOW87]` J. Ferrante, K. J. Ottenstein, J. D. Warren, "The program dependence graph and its use in optimization", TOPLAS 9(3),
//! 1987: for an edge `u -> v`, the blocks from `v` up the post-dominator tree to, but without, the immediate post-dominator of `u` depend
//! on `u`.
//!
//! Post-dominance is that on the normal edges: any statement may fail, and then everything behind one would depend on it. Failure edges
//! are decisions all the same: a handler depends on the statement that failed.
//!
//! Invariant: from every node a virtual end is reached. Nodes without normal successors lead to it, and one node of each cycle that
//! is never left.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::graph::order::search;
use crate::graph::{EdgeKind, Graph, Node};

/// Control dependences of one procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct ControlDependence {
    branches: BTreeMap<Node, BTreeSet<Node>>,
    failures: BTreeMap<Node, BTreeSet<(Node, Node)>>,
}

impl ControlDependence {
    pub(super) fn new(graph: &Graph) -> ControlDependence {
        let tree = PostDominators::new(graph);
        let mut dependence = ControlDependence::default();
        for (_, edge) in graph.edges() {
            // A failure edge may lead behind the immediate post-dominator of its source, and so past it.
            let certain: BTreeSet<Node> = tree.above(tree.immediate[edge.from]).collect();
            for block in tree.above(Some(edge.to)).take_while(|block| !certain.contains(block)) {
                _ = match edge.kind {
                    EdgeKind::Normal => dependence.branches.entry(block).or_default().insert(edge.from),
                    EdgeKind::Failure => dependence.failures.entry(block).or_default().insert((edge.from, edge.to)),
                };
            }
        }
        dependence
    }

    /// The blocks whose branches decide on `block`.
    pub(super) fn branches(&self, block: Node) -> impl Iterator<Item = Node> + '_ {
        self.branches.get(&block).into_iter().flatten().copied()
    }

    /// Returns whether `block` is executed because the failure edge `from -> to` is taken.
    pub(super) fn is_by_failure(&self, block: Node, from: Node, to: Node) -> bool {
        self.failures.get(&block).is_some_and(|edges| edges.contains(&(from, to)))
    }

    /// The blocks whose failures decide on `block`.
    pub(super) fn failing(&self, block: Node) -> impl Iterator<Item = Node> + '_ {
        self.failures.get(&block).into_iter().flatten().map(|&(from, _)| from)
    }
}

/// Immediate post-dominators; `None` is the virtual end.
struct PostDominators {
    immediate: SecondaryMap<Node, Option<Node>>,
}

impl PostDominators {
    /// Iterates to the fixed point, as `crate::graph::Dominators` does forward.
    fn new(graph: &Graph) -> PostDominators {
        let order = Backward::new(graph);
        let mut immediate: SecondaryMap<Node, Option<Node>> = SecondaryMap::new();
        let mut known = vec![false; graph.node_count()];
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order.nodes {
                let ends = order.is_end[node.index()].then_some(None);
                let targets = graph.normal_successors(node).map(|edge| Some(graph.edge(edge).to));
                let processed = targets.filter(|to| to.is_some_and(|to| known[to.index()]));
                let meet = |a, b| order.intersect(&immediate, a, b);
                let Some(best) = ends.into_iter().chain(processed).reduce(meet) else { continue };
                if !known[node.index()] || immediate[node] != best {
                    immediate[node] = best;
                    known[node.index()] = true;
                    changed = true;
                }
            }
        }
        PostDominators { immediate }
    }

    /// A node and its post-dominators, nearest first.
    fn above(&self, node: Option<Node>) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(node, |&node| self.immediate[node])
    }
}

/// Reverse postorder against the edges, from the virtual end.
struct Backward {
    nodes: Vec<Node>,
    position: Vec<usize>,
    is_end: Vec<bool>,
}

impl Backward {
    fn new(graph: &Graph) -> Backward {
        let mut is_end: Vec<bool> = graph.nodes().map(|node| graph.normal_successors(node).next().is_none()).collect();
        let predecessor = |node: Node, nth: usize| {
            let mut normal = graph.predecessors(node).iter().filter(|&&e| graph.edge(e).kind == EdgeKind::Normal);
            normal.nth(nth).map(|&edge| ((), graph.edge(edge).from))
        };
        let mut ends: Vec<Node> = graph.nodes().filter(|node| is_end[node.index()]).collect();
        let (mut nodes, _) = search(ends.iter().copied(), predecessor);
        // What reaches no end is in a cycle that is never left, or leads to one.
        let mut reached = vec![false; graph.node_count()];
        nodes.iter().for_each(|node| reached[node.index()] = true);
        for node in graph.nodes().rev() {
            if !reached[node.index()] {
                is_end[node.index()] = true;
                ends.push(node);
                (nodes, _) = search(ends.iter().copied(), predecessor);
                nodes.iter().for_each(|node| reached[node.index()] = true);
            }
        }
        let mut position = vec![0; graph.node_count()];
        nodes.iter().enumerate().for_each(|(at, node)| position[node.index()] = at);
        Backward { nodes, position, is_end }
    }

    fn intersect(
        &self,
        immediate: &SecondaryMap<Node, Option<Node>>,
        mut a: Option<Node>,
        mut b: Option<Node>,
    ) -> Option<Node> {
        while a != b {
            let (Some(one), Some(other)) = (a, b) else { return None };
            if self.position[one.index()] > self.position[other.index()] {
                a = immediate[one];
            } else {
                b = immediate[other];
            }
        }
        a
    }
}

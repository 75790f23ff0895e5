//! Control dependence in a procedure.
//!
//! In: a control-flow graph. Out: for each block the branches that decide on it, and for each failure edge the blocks that are executed
//! because it is taken.
//!
//! `[FOW87]` J. Ferrante, K. J. Ottenstein, J. D. Warren, "The program dependence graph and its use in optimization", TOPLAS 9(3),
//! 1987: for an edge `u -> v`, the blocks from `v` up the post-dominator tree to, but without, the immediate post-dominator of `u` depend
//! on `u`.
//!
//! Post-dominance is that on the ways on (`ways_on.rs`), which are normal edges but where a failure is the only one. Failure edges are
//! decisions all the same: a handler depends on the statement that failed, and so do the blocks behind it that
//! nothing else leads to.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};

use super::ways_on::WaysOn;
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
        let mut behind_handler: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
        let mut dependence = ControlDependence::default();
        for (_, edge) in graph.edges() {
            let (from, to) = (edge.from, edge.to);
            match edge.kind {
                // A jump decides nothing.
                EdgeKind::Normal if graph.normal_successors(from).nth(1).is_none() => {}
                EdgeKind::Normal => {
                    for block in tree.above(Some(to)).take_while(|block| Some(*block) != tree.immediate[from]) {
                        dependence.branches.entry(block).or_default().insert(from);
                    }
                }
                EdgeKind::Failure => {
                    // It may lead behind the immediate post-dominator of its source, and so past it.
                    let certain: BTreeSet<Node> = tree.above(tree.immediate[from]).collect();
                    let behind = behind_handler.entry(to).or_insert_with(|| behind_failures_to(graph, to));
                    let is_by_failure = |block: &Node| !certain.contains(block) || behind.contains(block);
                    for block in tree.above(Some(to)).take_while(is_by_failure) {
                        dependence.failures.entry(block).or_default().insert((from, to));
                    }
                }
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

/// The blocks that nothing leads to but failures that a handler catches.
fn behind_failures_to(graph: &Graph, handler: Node) -> BTreeSet<Node> {
    let mut behind: BTreeSet<Node> = graph.nodes().collect();
    let mut pending = vec![graph.entry()];
    while let Some(node) = pending.pop() {
        if behind.remove(&node) {
            let edges = graph.successors(node).iter().map(|&edge| graph.edge(edge));
            pending
                .extend(edges.filter(|edge| edge.kind == EdgeKind::Normal || edge.to != handler).map(|edge| edge.to));
        }
    }
    behind
}

/// Immediate post-dominators; `None` is the virtual end.
struct PostDominators {
    immediate: SecondaryMap<Node, Option<Node>>,
}

impl PostDominators {
    /// Iterates to the fixed point, as `crate::graph::Dominators` does forward.
    fn new(graph: &Graph) -> PostDominators {
        let ways = WaysOn::new(graph);
        let order = ways.backward();
        let mut position = vec![0; graph.node_count()];
        order.iter().enumerate().for_each(|(at, node)| position[node.index()] = at);
        let mut is_end = vec![false; graph.node_count()];
        ways.ends().iter().for_each(|end| is_end[end.index()] = true);
        let mut immediate: SecondaryMap<Node, Option<Node>> = SecondaryMap::new();
        let mut known = vec![false; graph.node_count()];
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order {
                let ends = is_end[node.index()].then_some(None);
                let processed = ways.on_from(node).iter().filter(|to| known[to.index()]).map(|to| Some(*to));
                let meet = |a, b| intersect(&position, &immediate, a, b);
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

/// The nearest common post-dominator.
fn intersect(
    position: &[usize],
    immediate: &SecondaryMap<Node, Option<Node>>,
    mut a: Option<Node>,
    mut b: Option<Node>,
) -> Option<Node> {
    while a != b {
        let (Some(one), Some(other)) = (a, b) else { return None };
        if position[one.index()] > position[other.index()] {
            a = immediate[one];
        } else {
            b = immediate[other];
        }
    }
    a
}

//! Reducible graphs by copies of nodes.
//!
//! In: a graph. Out: a [`Reducible`] one, in which each loop has one entry, and the node that each of its nodes is a copy of. Executions are the
//! same: an edge to a node leads to one of its copies, and each copy has the edges of its origin.
//!
//! `[ASU86]` A. V. Aho, R. Sethi, J. D. Ullman, "Compilers: Principles, Techniques, and Tools", 1986, section 10.9: node splitting. `[MR98]`
//! section 7 refers to it for graphs that are not reducible.
//!
//! ```text
//!   h <---> e      A cycle with the entries h and e keeps h, the first of them in depth-first order. What other entries lead to within the
//!   ^       ^      cycle, but for h, is copied for them: they enter the copies, which lead to h, to each other, and out of the cycle. So the
//!   a       b      cycle is entered by h alone. Cycles within it, without h, and within the copies are treated in the same way.
//! ```
//!
//! Invariant: nodes of the graph keep their ids and come first, and edges keep their order within each node.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, PrimaryMap};

use super::order::search;
use super::{DepthFirst, EdgeKind, Graph, GraphBuilder, Node};

/// A reducible graph.
#[derive(Clone, Debug)]
pub struct Reducible {
    /// The graph.
    pub graph: Graph,
    /// For each node the one that it is a copy of, or itself.
    pub origin: PrimaryMap<Node, Node>,
}

impl Reducible {
    /// Copies nodes until each loop has one entry; `None` if there would be more than `most` nodes.
    pub fn new(graph: &Graph, most: usize) -> Option<Reducible> {
        let mut reducible = Reducible { graph: graph.clone(), origin: graph.nodes().collect() };
        while let Some(cycle) = Cycle::with_entries(&reducible.graph) {
            reducible.split(&cycle);
            if reducible.graph.node_count() > most {
                return None;
            }
        }
        Some(reducible)
    }

    /// Lets a cycle be entered by its first entry alone.
    fn split(&mut self, cycle: &Cycle) {
        let graph = &self.graph;
        let within = |from: Node, nth: usize| {
            let to = graph.successors(from).iter().map(|&edge| graph.edge(edge).to);
            to.filter(|to| cycle.nodes.contains(to) && *to != cycle.header).nth(nth).map(|to| ((), to))
        };
        let (copied, _) = search(cycle.others.iter().copied(), within);
        let copied: BTreeSet<Node> = copied.into_iter().collect();
        let count = graph.node_count();
        let copy_of: BTreeMap<Node, Node> =
            copied.iter().enumerate().map(|(at, &node)| (node, Node::new(count + at))).collect();
        let mut builder = GraphBuilder::default();
        for node in graph.nodes().chain(copied.iter().copied()) {
            let new = builder.node();
            graph.calls(node).for_each(|_| _ = builder.call(new));
        }
        let mut edge = |from: Node, to: Node, kind: EdgeKind| _ = builder.edge(from, to, kind);
        for from in graph.nodes() {
            let is_outside = !cycle.nodes.contains(&from);
            for &id in graph.successors(from) {
                let to = graph.edge(id).to;
                let target = copy_of.get(&to).filter(|_| is_outside).unwrap_or(&to);
                edge(from, *target, graph.edge(id).kind);
            }
        }
        for (&node, &copy) in &copy_of {
            for &id in graph.successors(node) {
                let to = graph.edge(id).to;
                edge(copy, *copy_of.get(&to).unwrap_or(&to), graph.edge(id).kind);
            }
        }
        copied.iter().for_each(|&node| _ = self.origin.push(self.origin[node]));
        let made = builder.finish(graph.entry(), graph.exit(), graph.exit_kind());
        self.graph = made.expect("edges of one node lead to different copies, and the exit is in no cycle");
    }
}

/// A cycle that is entered by several nodes.
struct Cycle {
    nodes: BTreeSet<Node>,
    /// The entry that it keeps.
    header: Node,
    others: Vec<Node>,
}

impl Cycle {
    /// The first such cycle of a graph, outer before inner.
    fn with_entries(graph: &Graph) -> Option<Cycle> {
        let order = DepthFirst::new(graph);
        let mut pending = vec![order.reverse_postorder().iter().copied().collect::<BTreeSet<Node>>()];
        while let Some(part) = pending.pop() {
            for nodes in cycles(graph, &order, &part) {
                let is_entered = |node: &&Node| {
                    let mut from = graph.predecessors(**node).iter().map(|&edge| graph.edge(edge).from);
                    **node == graph.entry() || from.any(|from| order.is_reachable(from) && !nodes.contains(&from))
                };
                let mut entries: Vec<Node> = nodes.iter().filter(is_entered).copied().collect();
                entries.sort_by_key(|&entry| order.position(entry));
                let header = entries.remove(0);
                if !entries.is_empty() {
                    return Some(Cycle { nodes, header, others: entries });
                }
                let inner: BTreeSet<Node> = nodes.into_iter().filter(|&node| node != header).collect();
                pending.push(inner);
            }
        }
        None
    }
}

/// The strongly connected components of a part of a graph that have a cycle.
fn cycles(graph: &Graph, order: &DepthFirst, part: &BTreeSet<Node>) -> Vec<BTreeSet<Node>> {
    let to = |node: Node| graph.successors(node).iter().map(|&edge| graph.edge(edge).to);
    let from = |node: Node| graph.predecessors(node).iter().map(|&edge| graph.edge(edge).from);
    let mut roots: Vec<Node> = part.iter().copied().collect();
    roots.sort_by_key(|&node| order.position(node));
    let forward = |node: Node, nth: usize| to(node).filter(|to| part.contains(to)).nth(nth).map(|to| ((), to));
    let (finished, _) = search(roots, forward);
    let (mut assigned, mut found) = (BTreeSet::new(), Vec::new());
    for root in finished {
        let (mut component, mut pending) = (BTreeSet::new(), vec![root]);
        while let Some(node) = pending.pop() {
            if part.contains(&node) && assigned.insert(node) {
                component.insert(node);
                pending.extend(from(node));
            }
        }
        if component.len() > 1 || component.iter().any(|&node| to(node).any(|to| to == node)) {
            found.push(component);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Dominators, ExitKind};

    fn is_reducible(graph: &Graph) -> bool {
        let order = DepthFirst::new(graph);
        Dominators::new(graph, &order).irreducible_edge(graph, &order).is_none()
    }

    fn graph(count: usize, pairs: &[(usize, usize)]) -> Graph {
        Graph::from_pairs(count, pairs, 0, count - 1, ExitKind::Block).expect("a graph")
    }

    #[test]
    fn a_cycle_with_two_entries_gets_a_copy_of_one() {
        // 0 leads to 1 and 2, which lead to each other; 2 leads to the exit.
        let before = graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        assert!(!is_reducible(&before));
        let Reducible { graph, origin } = Reducible::new(&before, 10).expect("few nodes");
        assert!(is_reducible(&graph));
        assert_eq!(origin.values().map(|node| node.index()).collect::<Vec<_>>(), [0, 1, 2, 3, 2]);
        let to = |node: usize| {
            let edges = graph.successors(Node::new(node)).iter();
            edges.map(|&edge| graph.edge(edge).to.index()).collect::<Vec<_>>()
        };
        assert_eq!([0, 1, 2, 4].map(to), [vec![1, 4], vec![2], vec![1, 3], vec![1, 3]]);
        assert!(Reducible::new(&before, 4).is_none());
    }

    /// Graphs of some shapes: each is reducible in the end, and has the walks that it had.
    #[test]
    fn walks_stay() {
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut irreducible = 0;
        for _ in 0..300 {
            let count = 3 + below(7);
            let pairs: BTreeSet<(usize, usize)> = (0..2 * count).map(|_| (below(count - 1), below(count))).collect();
            let before = graph(count, &pairs.into_iter().collect::<Vec<_>>());
            let Some(Reducible { graph: after, origin }) = Reducible::new(&before, 10_000) else { panic!("too many") };
            assert!(is_reducible(&after));
            irreducible += usize::from(!is_reducible(&before));
            for (node, of) in origin.iter() {
                let to = |graph: &Graph, node| {
                    graph.successors(node).iter().map(|&edge| graph.edge(edge).to).collect::<Vec<_>>()
                };
                let origins: Vec<Node> = to(&after, node).into_iter().map(|to| origin[to]).collect();
                assert_eq!(origins, to(&before, *of));
            }
        }
        assert!(irreducible > 20, "{irreducible} of 300");
    }
}

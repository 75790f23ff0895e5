//! The ways on from each block, along which post-dominance is asked.
//!
//! In: a control-flow graph. Out: for each node the nodes that may follow, and the nodes that lead to a virtual end.
//!
//! Ways on are the normal edges: any statement may fail, and if failures were ways on as well, everything behind a statement would depend on
//! it. But where a failure is the only way on, it is one: of a block that ends by failing, into the handler; and of a cycle that
//! is left only by failures, from its last node to the handlers outside.
//!
//! Invariant: from every node the virtual end is reached. Nodes without any edge lead to it, and the last node of each cycle that is never
//! left.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::graph::order::search;
use crate::graph::{EdgeKind, Graph, Node};

/// Successors and predecessors.
#[derive(Clone, Debug)]
pub(super) struct WaysOn {
    to: SecondaryMap<Node, Vec<Node>>,
    from: SecondaryMap<Node, Vec<Node>>,
    ends: Vec<Node>,
}

impl WaysOn {
    pub(super) fn new(graph: &Graph) -> WaysOn {
        let mut ways = WaysOn { to: SecondaryMap::new(), from: SecondaryMap::new(), ends: Vec::new() };
        for node in graph.nodes() {
            let targets = |kind| {
                let edges = graph.successors(node).iter().map(|&edge| graph.edge(edge));
                edges.filter(|edge| edge.kind == kind).map(|edge| edge.to).collect::<Vec<_>>()
            };
            let normal = targets(EdgeKind::Normal);
            let on = if normal.is_empty() { targets(EdgeKind::Failure) } else { normal };
            if on.is_empty() {
                ways.ends.push(node);
            }
            on.into_iter().for_each(|to| ways.add(node, to));
        }
        ways.leave_cycles(graph);
        ways
    }

    /// The nodes that may follow.
    pub(super) fn on_from(&self, node: Node) -> &[Node] {
        &self.to[node]
    }

    /// The nodes that lead to the virtual end.
    pub(super) fn ends(&self) -> &[Node] {
        &self.ends
    }

    /// All nodes in reverse postorder against the ways, from the virtual end.
    pub(super) fn backward(&self) -> Vec<Node> {
        reached(self.ends.iter().copied(), &self.from)
    }

    fn add(&mut self, from: Node, to: Node) {
        self.to[from].push(to);
        self.from[to].push(from);
    }

    /// Gives every cycle that is never left a way on.
    fn leave_cycles(&mut self, graph: &Graph) {
        loop {
            let reaching: BTreeSet<Node> = self.backward().into_iter().collect();
            let Some(inside) = graph.nodes().find(|node| !reaching.contains(node)) else { return };
            let cycle = self.last_cycle(inside);
            let last = *cycle.last().expect("a node reaches itself");
            let failures = cycle.iter().flat_map(|&node| graph.successors(node)).map(|&edge| graph.edge(edge));
            let outside: BTreeSet<Node> =
                failures.filter(|edge| edge.kind == EdgeKind::Failure).map(|edge| edge.to).collect();
            let outside: Vec<Node> = outside.difference(&cycle).copied().collect();
            if outside.is_empty() {
                self.ends.push(last);
            }
            outside.into_iter().for_each(|to| self.add(last, to));
        }
    }

    /// A cycle that a node leads to, or is in, and from which no way leads out.
    fn last_cycle(&self, mut node: Node) -> BTreeSet<Node> {
        loop {
            let ahead: BTreeSet<Node> = reached([node], &self.to).into_iter().collect();
            let behind: BTreeSet<Node> = reached([node], &self.from).into_iter().collect();
            match ahead.difference(&behind).next() {
                Some(&farther) => node = farther,
                None => return ahead,
            }
        }
    }
}

/// All that some nodes lead to, in reverse postorder.
fn reached(roots: impl IntoIterator<Item = Node>, next: &SecondaryMap<Node, Vec<Node>>) -> Vec<Node> {
    search(roots, |node, nth| next[node].get(nth).map(|&to| ((), to))).0
}

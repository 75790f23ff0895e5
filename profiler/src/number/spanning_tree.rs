//! Edge profiling with the fewest counters.
//!
//! In: a graph and a weight for each edge. Out: an [`EdgePlan`] whose counters are on the edges outside a maximum
//! spanning tree, and which derives every other count by conservation of flow.
//!
//! `[KS73]` D. E. Knuth, F. R. Stevenson, "Optimal measurement points for program frequency counts", BIT 13, 1973.
//! `[B94]` T. Ball, "Efficiently counting program events with support for on-line queries", ACM TOPLAS 16(5), 1994.
//!
//! Phases: 1. join nodes by the virtual edge exit -> entry, then by edges of decreasing weight (`UnionFind`); 2. give
//! every normal edge that closes a cycle a counter; 3. to derive, walk each tree from its leaves: at a leaf one edge is
//! unknown.
//!
//! Failure edges and aborts are counted by the unwinder, so their counts are known and they are not in the tree. A
//! block that only failures reach may then be in a tree of its own: there is a forest, and the number of counters is
//! `normal edges + 1 - nodes + trees`, the dimension of the cycle space.
//! Invariant: the counts are exact when every activation has ended; `residual` is 0 then.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::spanning_forest::UnionFind;
use crate::graph::{DepthFirst, EdgeId, EdgeKind, Graph, LoopNest, Node};
use crate::plan::{Action, CounterId, Plan};

/// Static estimate of each edge's frequency, without a profile: 10 to the power of its loop depth.
pub fn static_weights(graph: &Graph) -> SecondaryMap<EdgeId, u64> {
    let nest = LoopNest::of(graph);
    let mut weights = SecondaryMap::new();
    for (id, edge) in graph.edges() {
        let depth = nest.common(edge.from, edge.to).map_or(0, |around| nest.get(around).depth);
        weights[id] = match edge.kind {
            EdgeKind::Normal => 10_u64.saturating_pow(depth),
            EdgeKind::Failure => 0,
        };
    }
    weights
}

/// Counters on the edges outside a spanning forest.
#[derive(Clone, Debug)]
pub struct EdgePlan {
    /// The plan that counts.
    pub plan: Plan,
    /// Number of counters.
    pub counters: usize,
    counted: PrimaryMap<CounterId, Link>,
    /// Nodes, each with the edge to its parent, leaves first.
    leaves_first: Vec<(Node, Towards)>,
    edges: Vec<crate::graph::Edge>,
    entry: Node,
    exit: Node,
}

/// The edge that joins a node of the forest to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Towards {
    Root,
    Out(Link),
    In(Link),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Link {
    Edge(EdgeId),
    /// exit -> entry: its count is that of activations, since an abort flows to the exit too.
    Virtual,
}

/// Exact counts of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeCounts {
    /// Count of each edge.
    pub edges: SecondaryMap<EdgeId, u64>,
    /// Number of times that control reached each node.
    pub nodes: SecondaryMap<Node, u64>,
    /// Number of activations.
    pub calls: u64,
    /// The imbalance of flow, summed over the nodes. It is not 0 only while activations are live, or if counters,
    /// failures and aborts were read at different times.
    pub residual: u64,
}

impl EdgePlan {
    /// Places the counters.
    pub fn new(graph: &Graph, weights: &SecondaryMap<EdgeId, u64>) -> EdgePlan {
        let order = DepthFirst::new(graph);
        let mut by_weight: Vec<EdgeId> = graph
            .edges()
            .filter(|(_, e)| e.kind == EdgeKind::Normal && order.is_reachable(e.from))
            .map(|(id, _)| id)
            .collect();
        by_weight.sort_by_key(|&e| std::cmp::Reverse(weights[e]));

        let mut sets = UnionFind::new(graph.node_count());
        let mut tree: SecondaryMap<Node, Vec<(Node, Towards)>> = SecondaryMap::new();
        let mut join = |sets: &mut UnionFind, from: Node, to: Node, link: Link| {
            let joined = sets.union(from, to);
            if joined {
                // The same edge, as the far end sees it.
                tree[from].push((to, Towards::In(link)));
                tree[to].push((from, Towards::Out(link)));
            }
            joined
        };
        let mut chords = Vec::new();
        if !join(&mut sets, graph.exit(), graph.entry(), Link::Virtual) {
            // The entry is the exit: the graph is one block, and only a counter on the virtual edge can count calls.
            chords.push(Link::Virtual);
        }
        for id in by_weight {
            let edge = graph.edge(id);
            if !join(&mut sets, edge.from, edge.to, Link::Edge(id)) {
                chords.push(Link::Edge(id));
            }
        }
        chords.sort();

        let mut plan = Plan::default();
        let mut counted = PrimaryMap::new();
        for link in chords {
            let counter = counted.push(link);
            match link {
                Link::Edge(edge) => plan.edges[edge].push(Action::Count(counter)),
                Link::Virtual => plan.entry.push(Action::Count(counter)),
            }
        }
        plan.counters = counted.len();
        EdgePlan {
            counters: counted.len(),
            plan,
            counted,
            leaves_first: leaves_first(graph, &tree),
            edges: graph.edges().map(|(_, &edge)| edge).collect(),
            entry: graph.entry(),
            exit: graph.exit(),
        }
    }

    /// The edges that carry a counter, in counter order.
    pub fn counted_edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.counted.values().filter_map(|&link| match link {
            Link::Edge(edge) => Some(edge),
            Link::Virtual => None,
        })
    }

    /// Every edge's and node's count, from the counters and from the unwinder's counts.
    pub fn derive(&self, counters: &[u64], failures: &[(EdgeId, u64)], aborts: &[(Node, u64)]) -> EdgeCounts {
        assert_eq!(counters.len(), self.counters, "one value for each counter");
        let mut books = Books::default();
        let mut calls = 0;
        let mut record = |books: &mut Books, link: Link, count: i64| match link {
            Link::Edge(edge) => books.record(self, edge, count),
            Link::Virtual => {
                books.flow(self.exit, self.entry, count);
                calls = count;
            }
        };
        for (counter, &link) in self.counted.iter() {
            record(&mut books, link, signed(counters[counter.index()]));
        }
        for &(edge, count) in failures {
            record(&mut books, Link::Edge(edge), signed(count));
        }
        for &(node, count) in aborts {
            // An activation that ends inside a block flows to the exit.
            books.flow(node, self.exit, signed(count));
        }
        let mut residual = 0_u64;
        for &(node, towards) in &self.leaves_first {
            let excess = books.excess[node];
            let (link, count) = match towards {
                Towards::Root => {
                    residual += excess.unsigned_abs();
                    continue;
                }
                Towards::Out(link) => (link, excess),
                Towards::In(link) => (link, -excess),
            };
            residual += count.min(0).unsigned_abs();
            record(&mut books, link, count);
        }
        self.totals(&books, calls, residual)
    }

    fn totals(&self, books: &Books, calls: i64, residual: u64) -> EdgeCounts {
        let mut counts =
            EdgeCounts { edges: SecondaryMap::new(), nodes: SecondaryMap::new(), calls: unsigned(calls), residual };
        for (index, edge) in self.edges.iter().enumerate() {
            let id = EdgeId::new(index);
            counts.edges[id] = unsigned(books.count[id]);
            counts.nodes[edge.to] += counts.edges[id];
        }
        counts.nodes[self.entry] += counts.calls;
        counts
    }
}

/// Known counts, and the inflow less the outflow of each node.
#[derive(Default)]
struct Books {
    count: SecondaryMap<EdgeId, i64>,
    excess: SecondaryMap<Node, i64>,
}

impl Books {
    fn record(&mut self, plan: &EdgePlan, edge: EdgeId, count: i64) {
        self.count[edge] += count;
        let ends = plan.edges[edge.index()];
        self.flow(ends.from, ends.to, count);
    }

    fn flow(&mut self, from: Node, to: Node, count: i64) {
        self.excess[from] -= count;
        self.excess[to] += count;
    }
}

/// Every node of the forest with its edge to its parent, children before parents.
fn leaves_first(graph: &Graph, tree: &SecondaryMap<Node, Vec<(Node, Towards)>>) -> Vec<(Node, Towards)> {
    let mut seen = cranelift_entity::EntitySet::new();
    let mut order = Vec::with_capacity(graph.node_count());
    for root in graph.nodes() {
        if !seen.insert(root) {
            continue;
        }
        let mut next = order.len();
        order.push((root, Towards::Root));
        while let Some(&(node, _)) = order.get(next) {
            for &(child, towards) in &tree[node] {
                if seen.insert(child) {
                    order.push((child, towards));
                }
            }
            next += 1;
        }
    }
    order.reverse();
    order
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("a count fits 63 bits")
}

/// Counts read while activations are live may disagree by a few; a negative count goes to the residual.
fn unsigned(count: i64) -> u64 {
    count.max(0).unsigned_abs()
}

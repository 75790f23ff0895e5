//! The dominator tree of a graph, and the test for reducibility.
//!
//! In: a graph and its depth-first order. Out: the immediate dominator of each reachable node, by semidominators (see
//! [`immediate_dominators`]), and a test for dominance in constant time.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use holloway_flow::immediate_dominators;

use super::{DepthFirst, EdgeId, Graph, Node};

/// Immediate dominators.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Node, PackedOption<Node>>,
    /// For each reachable node, its number in a preorder of the tree, and the number behind those below it.
    interval: SecondaryMap<Node, Option<(u32, u32)>>,
}

/// A depth-first spanning tree, whose nodes are numbered in the order in which the search finds them.
struct SearchTree {
    nodes: Vec<Node>,
    number: SecondaryMap<Node, Option<usize>>,
    /// The number of each node's parent; the entry is its own.
    parent: Vec<usize>,
}

impl SearchTree {
    fn of(graph: &Graph) -> SearchTree {
        let entry = graph.entry();
        let mut tree = SearchTree { nodes: vec![entry], number: SecondaryMap::new(), parent: vec![0] };
        tree.number[entry] = Some(0);
        let mut stack = vec![(entry, 0, 0)];
        while let Some((node, number, next)) = stack.last_mut() {
            let Some(edge) = graph.successors(*node).get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            let (to, parent) = (graph.edge(*edge).to, *number);
            if tree.number[to].is_none() {
                let number = tree.nodes.len();
                tree.number[to] = Some(number);
                tree.nodes.push(to);
                tree.parent.push(parent);
                stack.push((to, number, 0));
            }
        }
        tree
    }
}

impl Dominators {
    /// Computes the tree.
    pub fn new(graph: &Graph, order: &DepthFirst) -> Dominators {
        let tree = SearchTree::of(graph);
        let preds = |number: usize| {
            let edges = graph.predecessors(tree.nodes[number]).iter();
            edges.filter_map(|edge| tree.number[graph.edge(*edge).from])
        };
        let mut idom: SecondaryMap<Node, PackedOption<Node>> = SecondaryMap::new();
        let found = immediate_dominators(&tree.parent, preds);
        for (node, dominator) in tree.nodes.iter().zip(found).skip(1) {
            idom[*node] = tree.nodes[dominator].into();
        }
        let interval = intervals(&idom, order);
        Dominators { idom, interval }
    }

    /// The immediate dominator; `None` for the entry and for unreachable nodes.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        self.idom[node].expand()
    }

    /// Returns whether every path from the entry to `below` passes through `above`. A node dominates itself.
    pub fn dominates(&self, above: Node, below: Node) -> bool {
        match (self.interval[above], self.interval[below]) {
            (Some(above), Some(below)) => above.0 <= below.0 && below.1 <= above.1,
            _ => above == below,
        }
    }

    /// A back edge whose target does not dominate its source. There is one iff the graph is irreducible.
    pub fn irreducible_edge(&self, graph: &Graph, order: &DepthFirst) -> Option<EdgeId> {
        order.back_edges().iter().copied().find(|&edge| {
            let edge = graph.edge(edge);
            !self.dominates(edge.to, edge.from)
        })
    }
}

/// The intervals of a preorder. A dominator comes before what it dominates in reverse postorder, so sizes are summed
/// backwards and places given forwards.
fn intervals(
    idom: &SecondaryMap<Node, PackedOption<Node>>,
    order: &DepthFirst,
) -> SecondaryMap<Node, Option<(u32, u32)>> {
    let mut size: SecondaryMap<Node, u32> = SecondaryMap::new();
    for node in order.reverse_postorder().iter().rev() {
        size[*node] += 1;
        if let Some(parent) = idom[*node].expand() {
            let below = size[*node];
            size[parent] += below;
        }
    }
    // The number of the next node below each.
    let mut next: SecondaryMap<Node, u32> = SecondaryMap::new();
    let mut interval = SecondaryMap::new();
    for node in order.reverse_postorder() {
        let start = idom[*node].expand().map_or(0, |parent| {
            let start = next[parent];
            next[parent] += size[*node];
            start
        });
        next[*node] = start + 1;
        interval[*node] = Some((start, start + size[*node]));
    }
    interval
}

//! The dominator tree of a graph, and the test for reducibility.
//!
//! In: a graph and its depth-first order. Out: the immediate dominator of each reachable node.
//!
//! `[CHK01]` K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", Rice University TR-06-33870,
//! 2001.
//! Notation: `idom`, `intersect` as in Figure 3 there; positions in reverse postorder instead of postorder numbers.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

use super::{DepthFirst, EdgeId, Graph, Node};

/// Immediate dominators.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Node, PackedOption<Node>>,
    entry: Node,
}

impl Dominators {
    /// Computes the tree by iteration to the fixed point.
    pub fn new(graph: &Graph, order: &DepthFirst) -> Dominators {
        let mut idom: SecondaryMap<Node, PackedOption<Node>> = SecondaryMap::new();
        let entry = graph.entry();
        idom[entry] = entry.into();
        let mut sources = Vec::new();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order.reverse_postorder()[1..] {
                sources.clear();
                sources.extend(graph.predecessors(node).iter().map(|&edge| graph.edge(edge).from));
                sources.retain(|from| idom[*from].is_some());
                // Predecessors late in reverse postorder come first, so that a long chain is climbed once where its
                // branches merge.
                sources.sort_unstable_by_key(|from| std::cmp::Reverse(order.position(*from)));
                let best = sources.iter().copied().reduce(|one, other| intersect(&idom, order, one, other));
                let best = PackedOption::from(best);
                if idom[node] != best {
                    idom[node] = best;
                    changed = true;
                }
            }
        }
        Dominators { idom, entry }
    }

    /// The immediate dominator; `None` for the entry and for unreachable nodes.
    pub fn immediate(&self, node: Node) -> Option<Node> {
        if node == self.entry { None } else { self.idom[node].expand() }
    }

    /// Returns whether every path from the entry to `below` passes through `above`. A node dominates itself.
    pub fn dominates(&self, above: Node, below: Node) -> bool {
        let mut at = Some(below);
        while let Some(node) = at {
            if node == above {
                return true;
            }
            at = self.immediate(node);
        }
        false
    }

    /// A back edge whose target does not dominate its source. There is one iff the graph is irreducible.
    pub fn irreducible_edge(&self, graph: &Graph, order: &DepthFirst) -> Option<EdgeId> {
        order.back_edges().iter().copied().find(|&edge| {
            let edge = graph.edge(edge);
            !self.dominates(edge.to, edge.from)
        })
    }
}

fn intersect(idom: &SecondaryMap<Node, PackedOption<Node>>, order: &DepthFirst, a: Node, b: Node) -> Node {
    let up = |node: Node| idom[node].expand().expect("a processed node has a dominator");
    let (mut a, mut b) = (a, b);
    while a != b {
        while order.position(a) > order.position(b) {
            a = up(a);
        }
        while order.position(b) > order.position(a) {
            b = up(b);
        }
    }
    a
}

//! Dominator tree by the iterative algorithm [CHK01] over reverse postorder, of any graph with an entry.
//!
//! [CHK01]: K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm",
//! Software Practice and Experience, 2001, Figure 3.
//!
//! In: a [`FlowGraph`]: the IR's [`Cfg`](super::Cfg), or that of a form made of the IR. Out: immediate dominators and a
//! constant-time dominance test. Invariant: unreachable nodes dominate nothing, not even themselves.

use super::cfg::FlowGraph;
use super::entity::Block;
use cranelift_entity::{EntityRef, SecondaryMap};

/// The dominator tree of the reachable nodes.
#[derive(Clone, Debug)]
pub struct Dominators<N: EntityRef = Block> {
    idom: SecondaryMap<N, Option<N>>,
    /// Entry and exit times of a walk over the tree: an ancestor's interval encloses the node's.
    interval: SecondaryMap<N, (u32, u32)>,
}

impl<N: EntityRef + Ord> Dominators<N> {
    /// Computes the tree.
    pub fn compute(graph: &impl FlowGraph<Node = N>) -> Dominators<N> {
        let rpo: Vec<N> = graph.reverse_postorder().collect();
        let nodes = rpo.iter().map(|node| node.index() + 1).max().expect("there is an entry");
        let mut position: SecondaryMap<N, u32> = for_nodes(nodes);
        for (at, node) in rpo.iter().enumerate() {
            position[*node] = at as u32;
        }
        let mut idom: SecondaryMap<N, Option<N>> = for_nodes(nodes);
        idom[rpo[0]] = Some(rpo[0]);
        let mut preds = Vec::new();
        let mut changed = true;
        while changed {
            changed = false;
            for node in &rpo[1..] {
                preds.clear();
                preds.extend(graph.preds(*node).iter().copied().filter(|pred| idom[*pred].is_some()));
                // The last come first, so that where the arms of a long `else if` chain meet, the chain is climbed once.
                if preds.len() > 2 {
                    preds.sort_unstable_by_key(|pred| std::cmp::Reverse(position[*pred]));
                }
                let new = preds.iter().copied().reduce(|a, b| intersect(a, b, &idom, &position));
                if idom[*node] != new {
                    idom[*node] = new;
                    changed = true;
                }
            }
        }
        idom[rpo[0]] = None;
        let interval = intervals(&rpo, nodes, &idom);
        Dominators { idom, interval }
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, node: N) -> Option<N> {
        self.idom[node]
    }

    /// Returns true if every path to `b` goes through `a`; a reachable node dominates itself.
    pub fn dominates(&self, a: N, b: N) -> bool {
        let (a, b) = (self.interval[a], self.interval[b]);
        a.0 <= b.0 && b.1 <= a.1 && b.1 != 0
    }
}

/// The nearest common ancestor ([CHK01] `intersect`).
fn intersect<N: EntityRef + Ord>(
    mut a: N,
    mut b: N,
    idom: &SecondaryMap<N, Option<N>>,
    position: &SecondaryMap<N, u32>,
) -> N {
    let up = |node: N| idom[node].expect("a processed node has an immediate dominator");
    while a != b {
        if position[a] > position[b] {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

/// A map with room for so many nodes: it would else grow by one at a time.
fn for_nodes<N: EntityRef, T: Clone + Default>(nodes: usize) -> SecondaryMap<N, T> {
    let mut map = SecondaryMap::new();
    map.resize(nodes);
    map
}

fn intervals<N: EntityRef + Ord>(
    rpo: &[N],
    nodes: usize,
    idom: &SecondaryMap<N, Option<N>>,
) -> SecondaryMap<N, (u32, u32)> {
    // The children of a node: the first, and the next of each.
    let mut first: SecondaryMap<N, Option<N>> = for_nodes(nodes);
    let mut next: SecondaryMap<N, Option<N>> = for_nodes(nodes);
    for node in rpo[1..].iter().rev() {
        let parent = idom[*node].expect("a reachable node but the entry has a dominator");
        next[*node] = first[parent].replace(*node);
    }
    let mut interval: SecondaryMap<N, (u32, u32)> = for_nodes(nodes);
    let mut clock = 1;
    interval[rpo[0]].0 = clock;
    let mut stack = vec![(rpo[0], first[rpo[0]])];
    while let Some((node, child)) = stack.last_mut() {
        clock += 1;
        match *child {
            Some(inner) => {
                *child = next[inner];
                interval[inner].0 = clock;
                stack.push((inner, first[inner]));
            }
            None => {
                interval[*node].1 = clock;
                stack.pop();
            }
        }
    }
    interval
}

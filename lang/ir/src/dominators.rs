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
    children: Children<N>,
}

/// The tree downwards: the first child of each node and the next sibling, siblings in reverse postorder.
#[derive(Clone, Debug)]
struct Children<N: EntityRef> {
    first: SecondaryMap<N, Option<N>>,
    next: SecondaryMap<N, Option<N>>,
}

impl<N: EntityRef + Ord> Dominators<N> {
    /// Computes the tree.
    pub fn compute(graph: &impl FlowGraph<Node = N>) -> Dominators<N> {
        let rpo: Vec<N> = graph.reverse_postorder().collect();
        let by_place = dominating_places(graph, &rpo);
        let nodes = rpo.iter().map(|node| node.index() + 1).max().expect("there is an entry");
        // The nodes of each subtree, parents coming first in the order.
        let mut size = vec![1; rpo.len()];
        let mut children = Children { first: for_nodes(nodes), next: for_nodes(nodes) };
        for (place, node) in rpo.iter().enumerate().skip(1).rev() {
            let parent = by_place[place];
            size[parent] += size[place];
            children.next[*node] = children.first[rpo[parent]].replace(*node);
        }
        let mut idom: SecondaryMap<N, Option<N>> = for_nodes(nodes);
        let mut interval: SecondaryMap<N, (u32, u32)> = for_nodes(nodes);
        // The entry time of each node's next child; a walk takes as long below a node as that has nodes.
        let mut next = vec![2; rpo.len()];
        interval[rpo[0]] = (1, 1 + size[0]);
        for (place, node) in rpo.iter().enumerate().skip(1) {
            let parent = by_place[place];
            let entry = next[parent];
            idom[*node] = Some(rpo[parent]);
            interval[*node] = (entry, entry + size[place]);
            next[parent] += size[place];
            next[place] = entry + 1;
        }
        Dominators { idom, interval, children }
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, node: N) -> Option<N> {
        self.idom[node]
    }

    /// The first child of a node, if it has any; siblings are in reverse postorder.
    pub fn first_child(&self, node: N) -> Option<N> {
        self.children.first[node]
    }

    /// The child of the same node after this one.
    pub fn next_sibling(&self, node: N) -> Option<N> {
        self.children.next[node]
    }

    /// Returns true if every path to `b` goes through `a`; a reachable node dominates itself.
    pub fn dominates(&self, a: N, b: N) -> bool {
        let (a, b) = (self.interval[a], self.interval[b]);
        a.0 <= b.0 && b.1 <= a.1 && b.1 != 0
    }
}

/// The place in the order of each node's immediate dominator, by its own place; the entry has itself.
fn dominating_places<N: EntityRef + Ord>(graph: &impl FlowGraph<Node = N>, rpo: &[N]) -> Vec<usize> {
    let mut place: SecondaryMap<N, Option<u32>> = SecondaryMap::new();
    rpo.iter().zip(0..).for_each(|(node, at)| place[*node] = Some(at));
    let mut idom: Vec<Option<usize>> = vec![None; rpo.len()];
    idom[0] = Some(0);
    let mut preds: Vec<usize> = Vec::new();
    let mut changed = true;
    while std::mem::replace(&mut changed, false) {
        for (at, node) in rpo.iter().enumerate().skip(1) {
            preds.clear();
            let places = graph.preds(*node).iter().filter_map(|pred| place[*pred].map(|at| at as usize));
            preds.extend(places.filter(|pred| idom[*pred].is_some()));
            // The last come first, so that where the arms of a long `else if` chain meet, the chain is climbed once.
            if preds.len() > 2 {
                preds.sort_unstable_by_key(|pred| std::cmp::Reverse(*pred));
            }
            let new = preds.iter().copied().reduce(|a, b| intersect(a, b, &idom));
            changed |= idom[at] != new;
            idom[at] = new;
        }
    }
    idom.into_iter().map(|place| place.expect("a reachable node has a dominator")).collect()
}

/// The nearest common ancestor ([CHK01] `intersect`).
fn intersect(mut a: usize, mut b: usize, idom: &[Option<usize>]) -> usize {
    let up = |node: usize| idom[node].expect("a processed node has an immediate dominator");
    while a != b {
        if a > b {
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

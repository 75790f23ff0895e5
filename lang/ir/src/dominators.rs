//! Dominator tree of any graph with an entry, by semidominators ([`immediate_dominators`]).
//!
//! In: a [`FlowGraph`]: the IR's [`Cfg`](super::Cfg), or that of a form made of the IR. Out: immediate dominators and a
//! constant-time dominance test. Invariant: unreachable nodes dominate nothing, not even themselves.

use super::cfg::FlowGraph;
use super::entity::Block;
use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_flow::immediate_dominators;

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
    let mut place: SecondaryMap<N, Option<u32>> = for_nodes(rpo.iter().map(|node| node.index() + 1).max().unwrap_or(0));
    rpo.iter().zip(0..).for_each(|(node, at)| place[*node] = Some(at));
    let preds = |at: usize| graph.preds(rpo[at]).iter().filter_map(|pred| place[*pred]).map(|at| at as usize);
    let tree = SearchTree::of(rpo.len(), preds);
    let idom = immediate_dominators(&tree.parent, |number| preds(tree.order[number]).map(|at| tree.number[at]));
    let mut by_place = vec![0; rpo.len()];
    idom.iter().zip(&tree.order).for_each(|(dominator, at)| by_place[*at] = tree.order[*dominator]);
    by_place
}

/// A depth-first spanning tree of places, whose nodes are numbered in the order in which the search finds them.
struct SearchTree {
    /// The place of each number.
    order: Vec<usize>,
    /// The number of each place.
    number: Vec<usize>,
    /// The number of each number's parent; the entry is its own.
    parent: Vec<usize>,
}

impl SearchTree {
    fn of<I: Iterator<Item = usize>>(places: usize, preds: impl Fn(usize) -> I) -> SearchTree {
        // The successors of each place, one list behind the other; each list is consumed from its end.
        let mut left = vec![0; places + 1];
        (0..places).flat_map(&preds).for_each(|pred| left[pred] += 1);
        let mut start = vec![0; places];
        let mut all = 0;
        for at in 0..places {
            start[at] = all;
            all += std::mem::replace(&mut left[at], all);
        }
        let mut succs = vec![0; all];
        for at in 0..places {
            for pred in preds(at) {
                succs[left[pred]] = at;
                left[pred] += 1;
            }
        }
        let mut tree = SearchTree { order: vec![0], number: vec![usize::MAX; places], parent: vec![0] };
        tree.number[0] = 0;
        let mut stack = vec![0];
        while let Some(at) = stack.last().copied() {
            if left[at] == start[at] {
                stack.pop();
                continue;
            }
            left[at] -= 1;
            let next = succs[left[at]];
            if tree.number[next] == usize::MAX {
                tree.number[next] = tree.order.len();
                tree.parent.push(tree.number[at]);
                tree.order.push(next);
                stack.push(next);
            }
        }
        tree
    }
}

/// A map with room for so many nodes: it would else grow by one at a time.
fn for_nodes<N: EntityRef, T: Clone + Default>(nodes: usize) -> SecondaryMap<N, T> {
    let mut map = SecondaryMap::new();
    map.resize(nodes);
    map
}

//! Immediate dominators by semidominators [LT79].
//!
//! In: a depth-first spanning tree, as the parent of each node, and the predecessors of each node. Nodes are numbered
//! in the order in which the search found them, the entry being 0. Out: the immediate dominator of each node; the
//! entry has itself.
//! Invariant: takes O(m log n) steps for n nodes and m edges, whatever the graph. The iterative algorithm of Cooper,
//! Harvey and Kennedy takes n steps for each of n ways out of a chain of `else if`.
//!
//! Notation: `semi`, `label`, `ancestor`, `bucket` as in Section 4 there; `eval` is the one with path compression
//! alone, with a list in place of recursion.
//!
//! [LT79] T. Lengauer, R. E. Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS 1(1), 1979.

use crate::steps;

/// The forest of the nodes that are done.
struct Forest {
    /// The root's side of each link; none for roots.
    ancestor: Vec<Option<usize>>,
    /// The node of least `semi` on the way up to, and without, the ancestor.
    label: Vec<usize>,
    semi: Vec<usize>,
    /// The nodes of a way up, kept for the next one.
    way: Vec<usize>,
}

/// Computes them.
pub fn immediate_dominators<I: Iterator<Item = usize>>(parent: &[usize], preds: impl Fn(usize) -> I) -> Vec<usize> {
    let nodes = parent.len();
    let mut forest = Forest {
        ancestor: vec![None; nodes],
        label: (0..nodes).collect(),
        semi: (0..nodes).collect(),
        way: Vec::new(),
    };
    let mut idom = vec![0; nodes];
    // The nodes with each semidominator that wait for their dominator: the first, and the next one of each.
    let (mut bucket, mut next) = (vec![None; nodes], vec![None; nodes]);
    for node in (1..nodes).rev() {
        for pred in preds(node) {
            forest.semi[node] = forest.semi[node].min(forest.least_semi(pred));
        }
        let semi = forest.semi[node];
        next[node] = bucket[semi].replace(node);
        let above = parent[node];
        forest.ancestor[node] = Some(above);
        let mut waiting: Option<usize> = bucket[above].take();
        while let Some(node) = waiting {
            let best = forest.eval(node);
            // Dominated by `above`, or by what dominates `best`, which is not known yet.
            idom[node] = if forest.semi[best] < forest.semi[node] { best } else { above };
            waiting = next[node];
        }
    }
    for node in 1..nodes {
        if idom[node] != forest.semi[node] {
            idom[node] = idom[idom[node]];
        }
    }
    idom
}

impl Forest {
    fn least_semi(&mut self, node: usize) -> usize {
        let best = self.eval(node);
        self.semi[best]
    }

    /// The node of least semidominator on the way up to the root of a node's tree, the root not counted unless it is
    /// the node.
    fn eval(&mut self, node: usize) -> usize {
        // The nodes that are at least two links below the root, lowest first.
        let mut at = node;
        while let Some(above) = self.ancestor[at].filter(|above| self.ancestor[*above].is_some()) {
            self.way.push(at);
            at = above;
        }
        steps::count(self.way.len() + 1);
        while let Some(at) = self.way.pop() {
            let above = self.ancestor[at].expect("it is below others");
            if self.semi[self.label[above]] < self.semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
        self.label[node]
    }
}

#[cfg(test)]
mod tests {
    use super::{immediate_dominators, steps};

    /// By the definition: a node dominates those that cannot be reached without it.
    fn naive(preds: &[Vec<usize>]) -> Vec<usize> {
        let nodes = preds.len();
        let reached_without = |without: Option<usize>| {
            let mut reached = vec![false; nodes];
            reached[0] = without != Some(0);
            loop {
                let more = (0..nodes).find(|node| {
                    let enters = preds[*node].iter().any(|pred| reached[*pred]);
                    !reached[*node] && Some(*node) != without && enters
                });
                match more {
                    Some(node) => reached[node] = true,
                    None => return reached,
                }
            }
        };
        let unreached: Vec<Vec<bool>> = (0..nodes).map(|node| reached_without(Some(node))).collect();
        let dominates = |a: usize, b: usize| a == b || !unreached[a][b];
        let strict = |node: usize| (0..nodes).filter(move |other| *other != node && dominates(*other, node));
        // The immediate one is dominated by all the others.
        (0..nodes).map(|node| strict(node).find(|a| strict(node).all(|b| dominates(b, *a))).unwrap_or(0)).collect()
    }

    #[test]
    fn random_graphs_agree_with_the_definition() {
        let mut state = 7_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for _ in 0..2_000 {
            let (nodes, edges) = (2 + below(9), below(16));
            let mut succs = vec![Vec::new(); nodes];
            (1..nodes).for_each(|node| succs[below(node)].push(node));
            (0..edges).for_each(|_| succs[below(nodes)].push(below(nodes)));
            let (order, parent) = search(&succs);
            let number = |node: usize| order.iter().position(|other| *other == node).expect("all are reached");
            let mut preds = vec![Vec::new(); nodes];
            for (node, tos) in succs.iter().enumerate() {
                tos.iter().for_each(|to| preds[number(*to)].push(number(node)));
            }
            let found = immediate_dominators(&parent, |node| preds[node].iter().copied());
            assert_eq!(found, naive(&preds), "{preds:?}");
        }
    }

    #[test]
    fn many_ways_out_of_a_long_chain_are_looked_at_once() {
        let steps = |links: usize| {
            // A chain of tests, each with an arm, and all arms with one end: its number is the last.
            let succs: Vec<Vec<usize>> = (0..links)
                .map(|link| vec![links + link, (link + 1).min(2 * links)])
                .chain((0..links).map(|_| vec![2 * links]))
                .chain([Vec::new()])
                .collect();
            let mut preds = vec![Vec::new(); succs.len()];
            // The search goes along the chain first, then to the end, then to each arm.
            let mut parent: Vec<usize> = (0..links).map(|link| link.saturating_sub(1)).collect();
            let number = |node: usize| match node {
                node if node < links => node,
                node if node == 2 * links => links,
                arm => links + 1 + (2 * links - 1 - arm),
            };
            parent.push(links - 1);
            parent.extend((0..links).rev());
            for (node, tos) in succs.iter().enumerate() {
                tos.iter().for_each(|to| preds[number(*to)].push(number(node)));
            }
            let before = steps::taken();
            let idom = immediate_dominators(&parent, |node| preds[node].iter().copied());
            assert_eq!(idom[links], 0, "all arms lead there");
            steps::taken() - before
        };
        assert!(steps(2_000) < 3 * steps(1_000), "{} and {}", steps(1_000), steps(2_000));
    }

    fn search(succs: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
        fn visit(at: usize, parent: usize, succs: &[Vec<usize>], found: &mut (Vec<usize>, Vec<usize>)) {
            if !found.0.contains(&at) {
                let number = found.0.len();
                found.0.push(at);
                found.1.push(parent);
                succs[at].iter().for_each(|next| visit(*next, number, succs, found));
            }
        }
        let mut found = (Vec::new(), Vec::new());
        visit(0, 0, succs, &mut found);
        found
    }
}

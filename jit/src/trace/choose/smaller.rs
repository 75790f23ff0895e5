//! A loop without some of its blocks, as a graph of the edges that are left, and closed paths that together pass each of them.
//!
//! In: the edges between blocks that stay, and how often iterations passed each. Out: few paths, each with a number of iterations.
//!
//! ```text
//!        A <---+      edges left    A-B B-D A-C C-D D-F F-A        E is left out, and with it what leads there only
//!       / \    |      executions     7   7   3   3  10  10
//!      B   C   |
//!       \ / \  |      paths         A B D F, 7 times
//!        D   E |                    A C D F, 3 times
//!         \ /  |
//!          F --+      The loop may have 2^n paths; n branches that meet again need n + 1.
//! ```
//!
//! 1. An edge is left if the header leads to it and it leads back to the header.
//! 2. Iterations are a circulation: what comes to a block goes on from it. It is taken apart into paths along the edges that have most left, each of
//!    which empties an edge (L. R. Ford, D. R. Fulkerson, "Flows in Networks", Princeton University Press, 1962).
//! 3. Edges that no iteration passed are on paths of none.
//!
//! Requires: a reducible loop. Invariant: but for the edges to the header the graph is acyclic, so there are no more paths than edges. Where counts are of
//! whole iterations, the paths of an edge have its count together; of iterations that were cut short they have less.

use cranelift_entity::packed_option::ReservedValue;
use holloway_lang::ir::Block;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// An edge, by its blocks. An inner loop that is passed as a whole is one block.
pub(super) type Edge = (Block, Block);

/// The edges that are left of a loop, with their executions.
pub(super) struct SmallerGraph {
    header: Block,
    executions: BTreeMap<Edge, u64>,
    /// The edges, each by its target first.
    into: BTreeSet<Edge>,
}

impl SmallerGraph {
    /// The part of some edges that is on closed paths through the header.
    pub(super) fn new(header: Block, edges: &BTreeSet<Edge>) -> SmallerGraph {
        let (onward, backward) = (reached(header, edges), reached(header, &turned(edges)));
        let is_left = |(from, to): &&Edge| onward.contains(from) && backward.contains(to);
        let left: BTreeSet<Edge> = edges.iter().filter(is_left).copied().collect();
        SmallerGraph { header, into: turned(&left), executions: left.into_iter().map(|edge| (edge, 0)).collect() }
    }

    /// The blocks that are left: none, if no closed path is.
    pub(super) fn blocks(&self) -> BTreeSet<Block> {
        self.executions.keys().map(|(from, _)| *from).collect()
    }

    /// True if an edge is left.
    pub(super) fn has(&self, edge: Edge) -> bool {
        self.executions.contains_key(&edge)
    }

    /// Adds executions of an edge that is left.
    pub(super) fn add(&mut self, edge: Edge, executions: u64) {
        *self.executions.get_mut(&edge).expect("the edge is left") += executions;
    }

    /// The only closed path, if there is one only.
    pub(super) fn only_path(&self) -> Option<Vec<Block>> {
        let is_path = !self.executions.is_empty() && self.executions.len() == self.blocks().len();
        is_path.then(|| self.onward(self.header, |_| 0))
    }

    /// Closed paths that pass each edge, with the number of iterations that each stands for; those of most first.
    pub(super) fn paths(&self) -> Vec<(Vec<Block>, u64)> {
        if self.executions.is_empty() {
            return Vec::new();
        }
        let mut paths: Vec<(Vec<Block>, u64)> = Vec::new();
        let mut left = self.executions.clone();
        let mut new: BTreeSet<Edge> = left.keys().copied().collect();
        loop {
            let path = self.onward(self.header, |edge| left[&edge]);
            let passed: Vec<Edge> = edges(&path).take_while(|edge| left[edge] > 0).collect();
            let Some(iterations) = passed.iter().map(|edge| left[edge]).min() else { break };
            for edge in &passed {
                left.entry(*edge).and_modify(|executions| *executions -= iterations);
            }
            // What was seen of an iteration may end before the header.
            if passed.len() == path.len() {
                passed.iter().for_each(|edge| _ = new.remove(edge));
                paths.push((path, iterations));
            }
        }
        while let Some((from, to)) = new.first().copied() {
            let mut path = self.backward(from, |edge| u64::from(new.contains(&edge)));
            if to != self.header {
                path.extend(self.onward(to, |edge| u64::from(new.contains(&edge))));
            }
            for edge in edges(&path) {
                new.remove(&edge);
            }
            paths.push((path, 0));
        }
        paths.sort_by_key(|(_, iterations)| std::cmp::Reverse(*iterations));
        paths
    }

    /// The blocks from one to the last before the header, along the best edge from each.
    fn onward(&self, mut at: Block, best: impl Fn(Edge) -> u64) -> Vec<Block> {
        let mut blocks = vec![at];
        loop {
            let out = self.executions.range(all_of(at)).map(|(edge, _)| *edge);
            let (_, to) = out.max_by_key(|edge| best(*edge)).expect("each edge leads back to the header");
            if to == self.header {
                return blocks;
            }
            at = to;
            blocks.push(at);
        }
    }

    /// The blocks from the header to one, along the best edge to each.
    fn backward(&self, mut at: Block, best: impl Fn(Edge) -> u64) -> Vec<Block> {
        let mut blocks = vec![at];
        while at != self.header {
            let into = self.into.range(all_of(at)).map(|(to, from)| (*from, *to));
            (at, _) = into.max_by_key(|edge| best(*edge)).expect("the header leads to each edge");
            blocks.push(at);
        }
        blocks.reverse();
        blocks
    }
}

/// The edges of a closed path.
fn edges(path: &[Block]) -> impl Iterator<Item = Edge> {
    path.iter().copied().zip(path.iter().copied().cycle().skip(1))
}

/// The edges the other way.
fn turned(edges: &BTreeSet<Edge>) -> BTreeSet<Edge> {
    edges.iter().map(|(from, to)| (*to, *from)).collect()
}

/// All edges from a block.
fn all_of(from: Block) -> RangeInclusive<Edge> {
    (from, Block::from_u32(0))..=(from, Block::reserved_value())
}

/// The blocks that some edges lead to from a block, itself among them.
fn reached(from: Block, edges: &BTreeSet<Edge>) -> BTreeSet<Block> {
    let (mut reached, mut pending) = (BTreeSet::from([from]), vec![from]);
    while let Some(at) = pending.pop() {
        let next = edges.range(all_of(at)).map(|(_, to)| *to);
        pending.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::chance::Random;

    fn block(number: usize) -> Block {
        Block::from_u32(number as u32)
    }

    /// The closed paths through block 0 along some edges, found by going every way.
    fn naive(edges: &BTreeSet<Edge>) -> Vec<Vec<Block>> {
        let (mut closed, mut pending) = (Vec::new(), vec![vec![block(0)]]);
        while let Some(path) = pending.pop() {
            for (_, to) in edges.iter().filter(|(from, _)| *from == path[path.len() - 1]) {
                match *to == block(0) {
                    true => closed.push(path.clone()),
                    false => pending.push([path.clone(), vec![*to]].concat()),
                }
            }
        }
        closed.sort();
        closed
    }

    /// The edges of a random loop of up to nine blocks, in an order that is not that of their numbers, and those without blocks that are not taken.
    fn random(random: &mut Random) -> (BTreeSet<Edge>, Vec<Block>) {
        let blocks = 1 + random.below(9);
        let mut order: Vec<usize> = (1..blocks).collect();
        (1..order.len()).for_each(|at| order.swap(at, random.below(at + 1)));
        order.insert(0, 0);
        let untaken: Vec<Block> = (1..blocks).filter(|_| random.below(5) == 0).map(block).collect();
        let mut edges = BTreeSet::new();
        for from in 0..blocks {
            let onward = (from + 1..blocks).filter(|_| random.below(2) == 0).collect::<Vec<_>>();
            edges.extend(onward.into_iter().map(|to| (block(order[from]), block(order[to]))));
            if random.below(4) == 0 || from + 1 == blocks {
                edges.insert((block(order[from]), block(0)));
            }
        }
        (edges, untaken)
    }

    #[test]
    fn the_paths_are_a_cover_of_the_edges_that_are_left() {
        let (mut several, mut fewer) = (0, 0);
        for seed in 0..3_000 {
            let mut chance = Random(seed);
            let (all, untaken) = random(&mut chance);
            let stays = |(from, to): &&Edge| !untaken.contains(from) && !untaken.contains(to);
            let between: BTreeSet<Edge> = all.iter().filter(stays).copied().collect();
            let closed = naive(&between);
            let left: BTreeSet<Edge> = closed.iter().flat_map(|path| edges(path)).collect();
            let mut graph = SmallerGraph::new(block(0), &between);
            assert!(all.iter().all(|edge| graph.has(*edge) == left.contains(edge)), "seed {seed}: {all:?}");
            assert_eq!(graph.only_path(), (closed.len() == 1).then(|| closed[0].clone()), "seed {seed}");

            let mut executions: BTreeMap<Edge, u64> = left.iter().map(|edge| (*edge, 0)).collect();
            for path in closed.iter().filter(|_| chance.below(2) == 0).collect::<Vec<_>>() {
                let iterations = 1 + chance.below(50) as u64;
                for edge in edges(path) {
                    graph.add(edge, iterations);
                    *executions.get_mut(&edge).expect("it is left") += iterations;
                }
            }
            let cover = graph.paths();
            assert!(cover.iter().all(|(path, _)| closed.contains(path)), "seed {seed}: {cover:?}");
            assert!(cover.is_sorted_by(|a, b| a.1 >= b.1) && cover.len() <= left.len(), "seed {seed}: {cover:?}");
            let mut found: BTreeMap<Edge, u64> = BTreeMap::new();
            for (path, iterations) in &cover {
                edges(path).for_each(|edge| *found.entry(edge).or_default() += iterations);
            }
            assert_eq!(found, executions, "seed {seed}: each edge is on a path, and has its executions");
            several += usize::from(cover.len() > 1);
            fewer += usize::from(cover.len() < closed.len());
        }
        assert!(several > 500 && fewer > 200, "{several} graphs, {fewer} of more paths than are needed");
    }

    #[test]
    fn an_iteration_that_was_cut_short_hides_no_other() {
        let [header, cut, whole] = [0, 1, 2].map(block);
        let mut graph =
            SmallerGraph::new(header, &[(0, 1), (1, 0), (0, 2), (2, 0)].map(|(a, b)| (block(a), block(b))).into());
        graph.add((header, cut), 70);
        graph.add((header, whole), 45);
        graph.add((whole, header), 45);
        assert_eq!(graph.paths(), [(vec![header, whole], 45), (vec![header, cut], 0)]);
    }

    #[test]
    fn branches_that_meet_again_need_one_path_more_than_there_are() {
        let mut edges = BTreeSet::from([(block(60), block(0))]);
        for from in (0..60).step_by(3) {
            let way = [(from, from + 1), (from, from + 2), (from + 1, from + 3), (from + 2, from + 3)];
            edges.extend(way.map(|(from, to)| (block(from), block(to))));
        }
        let mut graph = SmallerGraph::new(block(0), &edges);
        assert_eq!(graph.paths().len(), 2, "without executions: one side of each branch, then the other");
        for from in (0..60).step_by(3) {
            let often = 1_000 - from as u64;
            for (way, executions) in [(1, often), (2, 1_000 - often)] {
                graph.add((block(from), block(from + way)), executions);
                graph.add((block(from + way), block(from + 3)), executions);
            }
        }
        graph.add((block(60), block(0)), 1_000);
        assert!(graph.paths().len() <= 21, "of a million: {}", graph.paths().len());
    }
}

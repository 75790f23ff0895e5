//! Placement of the additions of k-iteration paths on the fewest and coldest edges.
//!
//! In: a numbering and edge weights. Out: [`KPotentials`]: at each node, in each iteration, a constant that an accumulator lacks to the sum of
//! values. In the loop-unrolled DAG this is what [`crate::number::increments`] does for acyclic paths, with two constants where it matters: for the
//! path that started elsewhere, which adds `val`, and for one that started at the loop's head, which adds `val - cval`. One maximum spanning forest of
//! the graph serves all iterations, so that an edge adds nothing to any accumulator or to all of them, and back edges add nothing but
//! to the path that they end.
//!
//! `[RS09]` leaves the placement to `[BL96]` (event counting after `[B94]`): "lacks the optimizations described by Ball-Larus".
//! Invariants: in the last iteration both constants are the same, as there both paths add the same; an accumulator plus its constant is what
//! [`KPotentials::direct`] gives.

use cranelift_entity::SecondaryMap;

use super::KNumbering;
use crate::graph::{Edge, EdgeId, Graph, Loop, LoopId, Node};
use crate::number::spanning_forest::{Forest, maximum_forest};
use crate::settings::k_iteration::{CHORDS_MAX_PATHS, CHORDS_MOST};

/// The constants of accumulators.
#[derive(Clone, Debug, Default)]
pub struct KPotentials {
    of: SecondaryMap<Node, Vec<Constants>>,
}

/// The constants at a node in one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Constants {
    /// Of the oldest path.
    pub(super) val: i64,
    /// Of a younger path.
    pub(super) compensated: i64,
}

impl KPotentials {
    /// Constants of 0: each edge adds its own values.
    pub fn direct() -> KPotentials {
        KPotentials::default()
    }

    /// Constants for which the edges of a maximum spanning forest by `weights` add nothing.
    ///
    /// They are 0 if they would be far greater than numbers of paths, or could wrap: accumulators that are not reported yet have values beyond
    /// them all.
    pub fn chords(graph: &Graph, numbering: &KNumbering, weights: &SecondaryMap<EdgeId, u64>) -> KPotentials {
        let mut result = KPotentials::default();
        let paths = numbering.num_paths();
        if paths > CHORDS_MAX_PATHS {
            return result;
        }
        for node in graph.nodes() {
            result.of[node] = vec![Constants::default(); numbering.iterations(node) as usize];
        }
        let forest = forest(graph, numbering, weights);
        let mut reached: SecondaryMap<Node, bool> = SecondaryMap::new();
        for root in graph.nodes() {
            if !reached[root] {
                result.spread(graph, numbering, &forest, (root, 1, None), &mut reached);
            }
        }
        for (id, each) in numbering.nest.iter().filter(|(id, _)| numbering.k[*id] > 1) {
            result.iterate(graph, numbering, &forest, (id, each), weights);
        }
        if result.most() <= CHORDS_MOST.saturating_mul(paths) { result } else { KPotentials::direct() }
    }

    /// The greatest distance of a constant from 0.
    pub(super) fn most(&self) -> u64 {
        let all = self.of.values().flatten().flat_map(|each| [each.val, each.compensated]);
        all.map(i64::unsigned_abs).max().unwrap_or(0)
    }

    pub(super) fn of(&self, node: Node, i: u32) -> Constants {
        self.of[node].get(i as usize - 1).copied().unwrap_or_default()
    }

    /// The constants of later iterations, such that the hottest back edge adds nothing.
    fn iterate(
        &mut self,
        graph: &Graph,
        numbering: &KNumbering,
        forest: &Forest,
        (id, each): (LoopId, &Loop),
        weights: &SecondaryMap<EdgeId, u64>,
    ) {
        let (k, head) = (numbering.k[id], each.header);
        let back_edges = each.back_edges.iter().copied().filter(|&edge| numbering.is_iteration(graph, edge));
        let hottest = back_edges.max_by_key(|&edge| weights[edge]).expect("a loop with iterations has a back edge");
        let tail = graph.edge(hottest).from;
        for i in 1..k {
            let (val, cval) = numbering.values(graph, hottest, i).expect("a back edge goes on to the next iteration");
            let compensated = val.wrapping_sub(cval) as i64;
            let at_tail = self.of(tail, i);
            let at_head = Constants {
                val: at_tail.val.wrapping_add(val as i64),
                compensated: at_tail.compensated.wrapping_add(compensated),
            };
            self.of[head][i as usize] = at_head;
            self.spread(graph, numbering, forest, (head, i + 1, Some(id)), &mut SecondaryMap::new());
        }
        // What starts at the head may start with any constant, so with that for which both are the same at last.
        let last = self.of(head, k);
        let shift = last.val.wrapping_sub(last.compensated);
        for &member in &each.members {
            let (end, before) = self.of[member].split_last_mut().expect("a member has iterations");
            before.iter_mut().for_each(|at| at.compensated = at.compensated.wrapping_add(shift));
            end.compensated = end.val;
        }
    }

    /// Follows the forest from a node, in one iteration, all over or within a loop; in the first iteration outside paths are those in loops.
    fn spread(
        &mut self,
        graph: &Graph,
        numbering: &KNumbering,
        forest: &Forest,
        (root, i, within): (Node, u32, Option<LoopId>),
        reached: &mut SecondaryMap<Node, bool>,
    ) {
        reached[root] = true;
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            let at = self.of(node, i);
            for &(edge, other, direction) in &forest[node] {
                if reached[other] || within.is_some() && numbering.around[other].expand() != within {
                    continue;
                }
                reached[other] = true;
                let (val, cval) = numbering.values(graph, edge, i).expect("an edge of the forest is on paths");
                let compensated = direction.step(at.compensated, val.wrapping_sub(cval));
                self.of[other][i as usize - 1] = Constants { val: direction.step(at.val, val), compensated };
                work.push(other);
            }
        }
    }
}

/// A maximum spanning forest of the edges that neither end a path, nor an iteration, nor leave a loop with iterations.
fn forest(graph: &Graph, numbering: &KNumbering, weights: &SecondaryMap<EdgeId, u64>) -> Forest {
    let is_kept = |id: EdgeId, edge: &Edge| {
        let (from, to) = (numbering.around[edge.from], numbering.around[edge.to]);
        let stays = from.is_none() || from == to;
        stays
            && !graph.is_return(id)
            && !numbering.is_iteration(graph, id)
            && !numbering.versions[edge.from].is_empty()
            && numbering.values(graph, id, 1).is_some()
    };
    let edges = graph.edges().filter(|(id, edge)| is_kept(*id, edge)).map(|(id, _)| id).collect();
    maximum_forest(graph, edges, weights)
}

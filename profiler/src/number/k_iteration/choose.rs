//! The choice of k for each loop, from a base profile.
//!
//! In: a graph, the executions of its acyclic paths, and limits. Out: a k for each loop that is worth more than 1. `[RS09]` section 8: "a base
//! profiler can be used to indicate hot regions of a procedure; k-iteration profiling can then be used on these hot regions".
//!
//! A loop around others is worth it by its own paths, as far as acyclic ones tell them: those that begin at its header, or those that end at its
//! tails, as an inner loop cuts them in between.
//!
//! Phases: 1. executions of each loop ([`LoopUse`]); 2. the loops of which longer paths tell something: hot ones that take several
//! paths and come round several times; 3. the hottest first, each gets the greatest k with which all paths of the function are within the limit.
//!
//! Invariant: with the choice the graph has at most as many paths as the limit, or no loop has a k.

use cranelift_entity::SecondaryMap;

use super::goes_on;
use super::nest::{Iterations, number_nest};
use crate::graph::{DepthFirst, Dominators, EdgeKind, Graph, LoopId, LoopNest, Node};
use crate::path_id::{Path, PathEnd, PathStart};
use crate::settings::k_iteration::{HOT_ONE_IN, LEAST_TRIPS, MOST_K};

/// Executions of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopUse {
    /// Back edges taken to its header.
    pub iterations: u64,
    /// Times that it was entered.
    pub entries: u64,
    /// Different paths from its header, or back to it, whichever are more; of an innermost loop those that do both.
    pub distinct: u64,
}

/// A base profile, and what the choice is bound by.
#[derive(Clone, Copy, Debug)]
pub struct BaseProfile<'a> {
    /// Acyclic paths that were taken, each once, with their counts.
    pub paths: &'a [(Path, u64)],
    /// Acyclic paths executed by the whole program.
    pub executed: u64,
    /// Most paths of the function.
    pub most_paths: u64,
}

/// Chooses k for the loops of a graph; a loop in no pair has acyclic paths.
pub fn choose(graph: &Graph, base: BaseProfile<'_>) -> Vec<(Node, u32)> {
    let order = DepthFirst::new(graph);
    let nest = LoopNest::new(graph, &order, &Dominators::new(graph, &order));
    let uses = uses(graph, &nest, base.paths);
    let mut hot: Vec<(LoopId, LoopUse)> = nest
        .iter()
        .map(|(id, _)| (id, uses[id]))
        .filter(|(id, of)| is_worth_it(*of, base) && goes_on(graph, &nest, *id))
        .collect();
    hot.sort_by_key(|(id, of)| (std::cmp::Reverse(of.iterations), *id));
    let mut chosen: Vec<(Node, u32)> = Vec::new();
    for (id, of) in hot {
        let header = nest.get(id).header;
        let trips = (of.iterations / of.entries.max(1)).saturating_add(1);
        let most = u32::try_from(trips).unwrap_or(MOST_K).min(MOST_K);
        let fits = |k: &u32| {
            let all = chosen.iter().copied().chain([(header, *k)]);
            let asked = |node: Node| all.clone().find(|(header, _)| *header == node).map(|(_, k)| k);
            number_nest(graph, Iterations { asked, innermost: 1 }, base.most_paths).is_ok()
        };
        if let Some(k) = (2..=most).rev().find(fits) {
            chosen.push((header, k));
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Of a loop with one path, or that hardly comes round, longer paths tell nothing that acyclic ones do not.
fn is_worth_it(of: LoopUse, base: BaseProfile<'_>) -> bool {
    let comes_round = of.iterations >= of.entries.saturating_mul(LEAST_TRIPS);
    of.iterations >= (base.executed / HOT_ONE_IN).max(1) && of.distinct > 1 && comes_round
}

/// Executions of every loop.
fn uses(graph: &Graph, nest: &LoopNest, paths: &[(Path, u64)]) -> SecondaryMap<LoopId, LoopUse> {
    let mut uses: SecondaryMap<LoopId, LoopUse> = SecondaryMap::new();
    let mut ends: SecondaryMap<LoopId, [u64; 2]> = SecondaryMap::new();
    for (path, count) in paths {
        let (Some(&first), Some(&last)) = (path.blocks.first(), path.blocks.last()) else { continue };
        for (id, each) in nest.iter() {
            let starts_there = path.start == PathStart::Restart && first == each.header;
            if path.blocks.contains(&each.header) && !starts_there {
                uses[id].entries += count;
            }
            let is_back = each.back_edges.iter().any(|&edge| {
                let ends = graph.edge(edge);
                ends.from == last && ends.kind == EdgeKind::Normal
            });
            let comes_back = path.end == PathEnd::Cut && is_back;
            if comes_back {
                uses[id].iterations += count;
            }
            let is_part = nest.is_innermost(id) && !(starts_there && comes_back);
            if !is_part {
                ends[id][0] += u64::from(starts_there);
                ends[id][1] += u64::from(comes_back);
            }
        }
    }
    for (id, _) in nest.iter() {
        uses[id].distinct = ends[id].into_iter().max().unwrap_or(0);
    }
    uses
}

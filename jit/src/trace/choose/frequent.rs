//! Loops that take several paths often, in no order that repeats: one loop of them, without what they leave out.
//!
//! In: what was read of a forest. Out: for each loop the paths that have nearly all of its iterations, as a graph or as a tree.
//!
//! A graph has each block once, and leaves out those that no frequent path passes, as `[NGF03]` leaves out blocks that are persistently untaken. Where
//! nothing can be left out there is a tree: it has a copy of a block for each way to it, so what is known on one way is not lost where ways
//! meet, but what is invariant behind them is in each copy, and stays there. Where a guard of a trace would fail often, the path behind it is one of
//! these paths.

use super::super::spec::{Layout, Trace, TraceSpec};
use super::forest::Repeated;
use super::{calls, has_other_ways};
use crate::settings::frequent::{ENOUGH, LARGEST, LEAST_COVERED, MOST_PATHS};
use holloway_lang::ir::{Block, LoopId};

impl Repeated<'_> {
    /// The loops of frequent paths.
    pub fn frequent(&self) -> Vec<TraceSpec> {
        let graphs = self.nest.loops.iter().filter_map(|(id, _)| self.frequent_in(id));
        graphs
            .filter_map(|graph| if has_other_ways(self.body, &graph) { Some(graph) } else { self.tree(graph) })
            .collect()
    }

    /// Paths as a tree, if that is small.
    fn tree(&self, graph: TraceSpec) -> Option<TraceSpec> {
        let tree = TraceSpec { layout: Layout::Tree, ..graph };
        let size: usize = tree.copied().into_iter().map(|block| self.body.blocks[block].insts.len() + 1).sum();
        (size <= LARGEST).then_some(tree)
    }

    /// The most frequent paths of a loop, if few paths are most of it.
    fn frequent_in(&self, id: LoopId) -> Option<TraceSpec> {
        let l = self.nest.loops.get(id);
        let is_iteration = |blocks: &[Block]| {
            blocks[0] == l.header && l.latches.contains(&blocks[blocks.len() - 1]) && self.is_inside(id, blocks)
        };
        let mut paths: Vec<(&[Block], u64)> =
            self.paths.values().map(|(blocks, count)| (blocks.as_slice(), *count)).collect();
        paths.retain(|(blocks, _)| is_iteration(blocks));
        paths.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let iterations = self.iterations(l.header);
        let (mut traces, mut coverage) = (Vec::new(), 0.0);
        for (blocks, count) in paths {
            if coverage >= ENOUGH || traces.len() == MOST_PATHS {
                break;
            }
            let share = count as f64 / iterations;
            coverage += share;
            traces.push(Trace { share, ..Trace::new(vec![blocks.to_vec()]) });
        }
        // Who leaves the loop leaves a trace of it.
        let left = self.starts.get(&l.header).map_or(0.0, |all| *all as f64 - iterations);
        coverage -= left.max(0.0) / iterations;
        if traces.len() < 2 || coverage < LEAST_COVERED || calls(self.body, traces.iter().flat_map(Trace::blocks)) {
            return None;
        }
        Some(TraceSpec { layout: Layout::Graph, ..self.spec_of(l.header, traces, coverage) })
    }
}

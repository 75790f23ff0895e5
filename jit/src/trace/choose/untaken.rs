//! Loops without the blocks that TFP found persistently untaken (3.4 of `[NGF03]`): a smaller graph, entries to those blocks side exits.
//!
//! In: a body, the ids of its paths in order, and for each loop the blocks that were not taken. Out: a trace, where one path is left, or a
//! [`Layout::Graph`] of several.
//!
//! The smaller graph has every edge between the blocks that stay, be it taken or not: that no execution passed an edge says little where executions passed both
//! its ends. The graph's paths are a cover of its edges ([`super::smaller`]), as all its paths may be too many.
//!
//! An inner loop of which any execution was is passed as a whole, with all its blocks: what it does not take is for its own specialization to leave out.
//!
//! Invariant: one path that passes no inner loop has no coverage of its own, as [`super::forest`] tells how long its runs are. That of a graph is the
//! share of iterations that stay in it, less one for each run that ends.

use super::super::collapsed::{CollapsedLoops, expand};
use super::super::nest::Nest;
use super::super::spec::{Collapsed, Declined, Layout, Trace, TraceSpec};
use super::nested::inner;
use super::smaller::{Edge, SmallerGraph};
use super::{calls, one_path};
use crate::graph_of::block_of;
use crate::settings::forest::NEARLY_ALL;
use crate::settings::frequent::LARGEST;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, EdgeKind, Function, LoopId};
use holloway_profiler::graph::Graph;
use holloway_profiler::number::ball_larus::Numbering;
use holloway_profiler::path_id::{PathEnd, path_of};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The loops of a body, and the paths that were seen in it.
pub struct Untaken<'a> {
    body: &'a Function,
    nest: Nest,
    graph: &'a Graph,
    numbering: &'a Numbering,
    streams: &'a [Vec<u64>],
    /// The paths of all ids, once they are asked for: a forest has only those that are not rare, and a loop of many paths has rare ones only.
    paths: OnceCell<HashMap<u64, Seen>>,
}

/// A path that was seen.
struct Seen {
    blocks: Vec<Block>,
    count: u64,
}

/// Iterations of a loop, as far as they are in its smaller graph.
#[derive(Default)]
struct Iterations {
    begun: u64,
    left: u64,
    /// Number of runs of paths that stay.
    runs: u64,
}

impl Untaken<'_> {
    /// The loops of a body.
    pub fn of<'a>(
        body: &'a Function,
        (graph, numbering): (&'a Graph, &'a Numbering),
        streams: &'a [Vec<u64>],
    ) -> Untaken<'a> {
        Untaken { body, nest: Nest::of(body), graph, numbering, streams, paths: OnceCell::new() }
    }

    /// The rest of a loop without some blocks; of a single path, with its executions. Of an inner loop the header tells whether it is taken.
    pub fn left(
        &self,
        header: Block,
        is_untaken: impl Fn(Block) -> bool,
        executions: u64,
    ) -> Result<TraceSpec, Declined> {
        let around = self.nest.loops.headed_by(header).ok_or(Declined::NoLoop)?;
        let mut graph = SmallerGraph::new(header, &self.edges(around, is_untaken));
        let blocks = graph.blocks();
        let is_inner = |block: &&Block| self.inner(around, **block).is_some();
        let inner: Vec<Block> = blocks.iter().filter(is_inner).copied().collect();
        if let Some(path) = graph.only_path().filter(|_| inner.is_empty()) {
            return Ok(one_path(header, path, executions));
        }
        let all = self.nest.loops.get(around).blocks.iter();
        if blocks.is_empty() || all.map(|block| self.place(around, *block)).all(|place| blocks.contains(&place)) {
            return Err(Declined::NoPath);
        }
        let copied = || blocks.iter().flat_map(|block| expand(&self.nest.loops, *block, inner.contains(block)));
        let size: usize = copied().map(|block| self.body.blocks[block].insts.len() + 1).sum();
        if size > LARGEST {
            return Err(Declined::TooLarge);
        }
        if calls(self.body, copied()) {
            return Err(Declined::Calls);
        }
        let Iterations { begun, left, runs } = self.count(around, &mut graph);
        let iterations = begun.max(1) as f64;
        let trace =
            |(path, count): (Vec<Block>, u64)| Trace { share: count as f64 / iterations, ..Trace::new(vec![path]) };
        let traces: Vec<Trace> = graph.paths().into_iter().map(trace).collect();
        let spec = TraceSpec {
            layout: if traces.len() > 1 { Layout::Graph } else { Layout::Apart },
            collapsed: inner.iter().map(|header| self.collapsed(around, *header)).collect(),
            traces,
            coverage: begun.saturating_sub(left + runs) as f64 / iterations,
            ..one_path(header, Vec::new(), begun)
        };
        CollapsedLoops::of(self.body, &self.nest.loops, around, &spec)?;
        if spec.coverage >= NEARLY_ALL { Ok(spec) } else { Err(Declined::NoPath) }
    }

    /// The edges of a loop between what is taken, with each loop inside as its header.
    fn edges(&self, around: LoopId, is_untaken: impl Fn(Block) -> bool) -> BTreeSet<Edge> {
        let inside = |from: Block| {
            let to = self.nest.cfg.succs(from).iter().filter(|(_, kind)| *kind == EdgeKind::Normal).map(|(to, _)| *to);
            to.filter(|to| self.nest.loops.contains(around, *to)).map(move |to| (from, to))
        };
        let edges = self.nest.loops.get(around).blocks.iter().flat_map(|from| inside(*from));
        let edges = edges.filter_map(|edge| self.between_places(around, edge));
        edges.filter(|(from, to)| !is_untaken(*from) && !is_untaken(*to)).collect()
    }

    /// An edge from one place to another; `None` if it stays in an inner loop.
    fn between_places(&self, around: LoopId, (from, to): Edge) -> Option<Edge> {
        let edge = (self.place(around, from), self.place(around, to));
        (edge.0 != edge.1 || self.inner(around, from).is_none()).then_some(edge)
    }

    fn place(&self, around: LoopId, block: Block) -> Block {
        self.inner(around, block).unwrap_or(block)
    }

    fn inner(&self, around: LoopId, block: Block) -> Option<Block> {
        inner(&self.nest, around, block)
    }

    fn seen(&self) -> &HashMap<u64, Seen> {
        self.paths.get_or_init(|| {
            let mut paths: HashMap<u64, Seen> = HashMap::new();
            for id in self.streams.iter().flatten() {
                let decoded = || {
                    // A path that ends elsewhere is in no loop.
                    let path = path_of(self.graph, self.numbering, *id).filter(|path| path.end == PathEnd::Cut);
                    let blocks = path.map(|path| path.blocks.iter().map(|node| block_of(*node)).collect());
                    Seen { blocks: blocks.unwrap_or_default(), count: 0 }
                };
                paths.entry(*id).or_insert_with(decoded).count += 1;
            }
            paths
        })
    }

    /// True if a path is of a loop's iterations: it starts at the header or at one inside, and ends at a back edge of such a one.
    fn is_of(&self, around: LoopId, blocks: &[Block]) -> bool {
        let loops = &self.nest.loops;
        blocks.first().is_some_and(|first| loops.headed_by(*first).is_some())
            && blocks.iter().all(|block| loops.contains(around, *block))
    }

    /// Counts what was seen of a loop, in all and on the edges of its smaller graph.
    fn count(&self, around: LoopId, graph: &mut SmallerGraph) -> Iterations {
        let l = self.nest.loops.get(around);
        let mut iterations = Iterations::default();
        let mut stays: HashMap<u64, bool> = HashMap::new();
        for (id, Seen { blocks, count }) in self.seen() {
            if !self.is_of(around, blocks) {
                continue;
            }
            let closing = blocks.last().filter(|last| l.latches.contains(last)).map(|last| (*last, l.header));
            let passed = blocks.windows(2).map(|pair| (pair[0], pair[1])).chain(closing);
            let edges: Vec<Edge> = passed.filter_map(|edge| self.between_places(around, edge)).collect();
            let is_in = edges.iter().all(|edge| graph.has(*edge));
            iterations.begun += if blocks[0] == l.header { *count } else { 0 };
            iterations.left += if is_in { 0 } else { *count };
            if is_in {
                edges.into_iter().for_each(|edge| graph.add(edge, *count));
            }
            stays.insert(*id, is_in);
        }
        let stays = |id: &u64| stays.get(id).copied().unwrap_or(false);
        let runs =
            |stream: &Vec<u64>| stream.chunk_by(|a, b| stays(a) == stays(b)).filter(|run| stays(&run[0])).count();
        iterations.runs = self.streams.iter().map(runs).sum::<usize>() as u64;
        iterations
    }

    /// A loop inside, with the executions of its header each time it is passed.
    fn collapsed(&self, around: LoopId, header: Block) -> Collapsed {
        let (mut passes, mut visits) = (0, 0);
        for Seen { blocks, count } in self.seen().values().filter(|seen| self.is_of(around, &seen.blocks)) {
            let at = blocks.iter().position(|block| *block == header);
            passes += if at.is_some_and(|at| at > 0) { *count } else { 0 };
            visits += if at.is_some() { *count } else { 0 };
        }
        Collapsed { header, visits: visits as f64 / (passes as f64).max(1.0) }
    }
}

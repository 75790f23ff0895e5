//! Polls of loops: where they are, and at which site.
//!
//! In: a function, its source loops and its graph. Out: the polls on edges that go back ([`Polls::on_edge`]) and those at the
//! beginning of blocks that such edges lead to ([`Polls::at_start`]), each with the site of the source loop's header: what stops the program there
//! stops it in the header, whatever became of the header's own block.
//!
//! A branch that goes back needs a block for its poll, from which a jump goes on, so loops poll in their header where all their back
//! edges belong to one source loop: a poll in place needs no block there. Where polls are tests, only small loops do: in large
//! ones the jump costs nothing; and unrolled ones, which are large, are mostly left before they go back.
//!
//! Code that counts paths has polls of its own (`Op::Poll`), and gets none here.
//!
//! Invariant: each edge that goes back in the order of blocks polls, or what it leads to does, or whatever is in front of it; every cycle has such
//! an edge.
//! Each block of an SSA loop is a copy of blocks in the loop's source loop, those in loops further in included.

use crate::opt::cfg::{Graph, Loop};
use crate::opt::op::Op;
use crate::opt::source_loops::SourceLoop;
use crate::opt::ssa::{Block, Func, Term};
use crate::request::LoopPolls;
use crate::settings::clif::MOST_POLLED_IN_HEADER;
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::LoopId;

/// The polls of a function's loops.
pub(super) struct Polls<'a> {
    func: &'a Func,
    graph: &'a Graph,
    form: LoopPolls,
    /// The source loop of each SSA loop.
    source: SecondaryMap<LoopId, Option<SourceLoop>>,
    /// The site of the poll at the beginning of each block that has one: headers, and entries of loops that have several.
    starts: SecondaryMap<Block, Option<u32>>,
}

impl<'a> Polls<'a> {
    /// Finds them.
    pub(super) fn compute(func: &'a Func, graph: &'a Graph, form: LoopPolls) -> Polls<'a> {
        let mut polls = Polls { func, graph, form, source: SecondaryMap::new(), starts: SecondaryMap::new() };
        polls.find_source_loops();
        for l in graph.loops.values() {
            polls.starts[l.header] = polls.header_site(l);
        }
        if form == LoopPolls::InPlace {
            for block in &graph.rpo {
                polls.starts[*block] = polls.starts[*block].or_else(|| polls.entry_site(*block));
            }
        }
        polls
    }

    /// The site of the poll at the beginning of a block.
    pub(super) fn at_start(&self, block: Block) -> Option<u32> {
        self.starts[block]
    }

    /// The site of the poll on an edge, if it polls.
    pub(super) fn on_edge(&self, from: Block, to: Block) -> Option<u32> {
        let polls = self.is_polled(from, to) && self.starts[to].is_none();
        polls.then(|| self.edge_site(from, to))
    }

    /// The site of the poll in a loop's header, if it is better there than on the back edges.
    fn header_site(&self, l: &Loop) -> Option<u32> {
        let size: usize = l.blocks.iter().map(|block| self.func.blocks[*block].insts.len()).sum();
        let is_better = match self.form {
            LoopPolls::InPlace => true,
            LoopPolls::Tested => size <= MOST_POLLED_IN_HEADER && l.latches.iter().any(|latch| self.branches(*latch)),
        };
        let site = self.site_of_back_edges(l.header, |from| l.latches.contains(&from))?;
        is_better.then_some(site)
    }

    /// The same of a block that may head no loop, where branches go back to it: those of a loop with several entries. Jumps poll before they go.
    fn entry_site(&self, block: Block) -> Option<u32> {
        let mut preds = self.graph.preds[block].iter();
        let is_better = preds.any(|from| self.graph.goes_back(*from, block) && self.branches(*from));
        is_better.then(|| self.site_of_back_edges(block, |_| true)).flatten()
    }

    /// The site that all edges have which go back to a block, if there are some, each polls, and each is from where it may be.
    fn site_of_back_edges(&self, to: Block, may_be: impl Fn(Block) -> bool) -> Option<u32> {
        let mut sites = Vec::new();
        for from in self.graph.preds[to].iter().filter(|from| self.graph.goes_back(**from, to)) {
            let polls = may_be(*from) && self.is_polled(*from, to);
            sites.push(polls.then(|| self.edge_site(*from, to))?);
        }
        sites.dedup();
        (sites.len() == 1).then(|| sites[0])
    }

    fn branches(&self, block: Block) -> bool {
        !matches!(self.func.blocks[block].term, Term::Jump(_))
    }

    /// Returns whether a cycle with an edge polls there: each edge that goes back in the order of blocks, which is a back edge where loops have
    /// one entry, unless what it leads to or comes from, or its loop on the way there, polls and may be left.
    fn is_polled(&self, block: Block, to: Block) -> bool {
        let polls =
            |at: &Block| self.func.blocks[*at].insts.iter().any(|inst| self.func.insts[*inst].op == Op::OsrPoint);
        let own_loop = |l: &Loop| {
            let inner = |at: &Block| self.graph.loop_depth(*at) == l.depth;
            l.blocks.iter().any(|at| inner(at) && self.graph.dominates(*at, block) && polls(at))
        };
        let is_exempt = match self.graph.loops.headed_by(to).filter(|_| self.graph.is_back_edge(block, to)) {
            Some(at) => own_loop(&self.graph.loops[at]),
            None => polls(&block) || polls(&to) || self.graph.preds[block].iter().all(polls),
        };
        self.graph.goes_back(block, to) && !self.func.has_polls && !(self.func.has_osr_points && is_exempt)
    }

    fn edge_site(&self, from: Block, to: Block) -> u32 {
        self.site(from, to).unwrap_or(self.func.blocks[from].term_site)
    }

    fn find_source_loops(&mut self) {
        let (func, graph) = (self.func, self.graph);
        let loops = &func.source_loops;
        let mut outermost: SecondaryMap<LoopId, Option<SourceLoop>> = SecondaryMap::new();
        for (at, l) in graph.loops.iter() {
            let sources = l.blocks.iter().filter_map(|block| self.around(*block));
            outermost[at] = sources.min_by_key(|around| loops.depth(*around));
        }
        // Take the source loop around the inner loop's where nothing is left of an outer loop's own blocks, unless that is another loop's around both: copies
        // of a loop's blocks may be loops in each other.
        let mut deepest: SecondaryMap<LoopId, u32> = SecondaryMap::with_default(u32::MAX);
        for at in graph.loops.keys().rev() {
            let l = &graph.loops[at];
            let Some(outermost_here) = outermost[at] else { continue };
            let parents = std::iter::successors(l.parent, |parent| graph.loops[*parent].parent);
            let mut around = parents.filter_map(|parent| outermost[parent]).map(|source| loops.depth(source));
            let taken = around.find(|depth| *depth < loops.depth(outermost_here)).unwrap_or(0);
            let source = loops.at_depth(outermost_here, deepest[at].max(taken + 1)).unwrap_or(outermost_here);
            self.source[at] = Some(source);
            if let Some(parent) = l.parent {
                deepest[parent] = deepest[parent].min(loops.depth(source) - 1);
            }
        }
    }

    /// The site of the source loop's header that a back edge leads to. Where threading left no header, it is that of the loop around the edge's
    /// target.
    fn site(&self, from: Block, to: Block) -> Option<u32> {
        let loops = &self.func.source_loops;
        if !self.graph.is_back_edge(from, to) {
            return self.around(to).map(|source| loops.header(source));
        }
        let at = self.graph.loops.headed_by(to)?;
        let l = &self.graph.loops[at];
        if !l.latches.contains(&from) {
            return None;
        }
        let mut source = self.source[at]?;
        // Two source loops can be one with two latches, if the outer one's header is empty.
        if l.latches.len() > 1
            && let (Some(header), Some(latch)) = (self.around(to), self.around(from))
        {
            let inner = loops.depth(header).min(loops.depth(latch));
            if inner > loops.depth(source) {
                source = loops.at_depth(latch, inner).unwrap_or(source);
            }
        }
        Some(loops.header(source))
    }

    fn around(&self, block: Block) -> Option<SourceLoop> {
        self.func.source_loops.around(&self.func.sites, self.func.blocks[block].term_site)
    }
}

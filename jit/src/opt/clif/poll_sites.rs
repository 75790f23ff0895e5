//! Sites of the polls on back edges.
//!
//! In: the source loops of a function and its graph. Out: for each back edge the site of the source loop's header
//! ([`PollSites::site`]). A back edge polls when it is taken, so what stops the program there stops it in the header, whatever
//! became of the header's own block.
//!
//! Invariant: each block of an SSA loop is a copy of blocks in the loop's source loop, those in loops further in included.

use crate::opt::cfg::Graph;
use crate::opt::source_loops::SourceLoop;
use crate::opt::ssa::{Block, Func};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::LoopId;

/// The source loop of each SSA loop.
pub(super) struct PollSites<'a> {
    func: &'a Func,
    graph: &'a Graph,
    source: SecondaryMap<LoopId, Option<SourceLoop>>,
}

impl<'a> PollSites<'a> {
    /// Finds them.
    pub(super) fn compute(func: &'a Func, graph: &'a Graph) -> PollSites<'a> {
        let mut sites = PollSites { func, graph, source: SecondaryMap::new() };
        let loops = &func.source_loops;
        // Take the source loop around the inner loop's where nothing is left of an outer loop's own blocks.
        let mut deepest: SecondaryMap<LoopId, u32> = SecondaryMap::with_default(u32::MAX);
        for at in graph.loops.keys().rev() {
            let l = &graph.loops[at];
            let sources = l.blocks.iter().filter_map(|block| sites.around(*block));
            let Some(outermost) = sources.min_by_key(|around| loops.depth(*around)) else { continue };
            let source = loops.at_depth(outermost, deepest[at]).unwrap_or(outermost);
            sites.source[at] = Some(source);
            if let Some(parent) = l.parent {
                deepest[parent] = deepest[parent].min(loops.depth(source) - 1);
            }
        }
        sites
    }

    /// The site of the source loop's header that a back edge leads to. Where threading left no header, it is that of the loop around the edge's
    /// target.
    pub(super) fn site(&self, from: Block, to: Block) -> Option<u32> {
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

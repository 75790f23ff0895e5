//! The source loops that the loops of the SSA form come from: where polls on back edges stand.
//!
//! In: the loops of each body that is translated, inlined ones too. Out: for each back edge the site of the source loop's header
//! ([`Headers::site`]). A back edge polls when it is taken, so what stops the program there stops it in the header, whatever
//! became of the header's own block.
//!
//! Invariant: each block of an SSA loop is a copy of blocks in the loop's source loop, those in loops further in included.

use super::cfg::Graph;
use super::ssa::{Block, Func};
use crate::code_map::Site;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use holloway_lang::ir::LoopId;
use std::iter::successors;
use std::ops::Range;

/// A loop of the function itself or of one that is inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SourceLoop(u32);
entity_impl!(SourceLoop, "loop");

#[derive(Clone, Copy, PartialEq, Eq)]
struct SiteId(u32);
entity_impl!(SiteId, "site");

#[derive(Clone, Copy, Debug)]
struct SourceLoopData {
    /// The site of the header's first instruction.
    header: u32,
    parent: Option<SourceLoop>,
    /// Number of source loops it is in, itself included.
    depth: u32,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct SourceLoops {
    all: PrimaryMap<SourceLoop, SourceLoopData>,
    /// The innermost one around a site.
    around: SecondaryMap<SiteId, Option<SourceLoop>>,
}

impl SourceLoops {
    /// Adds a loop whose header's first site is `header`.
    pub fn add(&mut self, header: u32, parent: Option<SourceLoop>) -> SourceLoop {
        let depth = 1 + parent.map_or(0, |parent| self.all[parent].depth);
        self.all.push(SourceLoopData { header, parent, depth })
    }

    /// Notes the innermost loop around some sites.
    pub fn put_around(&mut self, sites: Range<u32>, innermost: SourceLoop) {
        sites.for_each(|site| self.around[SiteId(site)] = Some(innermost));
    }

    /// The innermost loop around a site.
    pub fn around(&self, sites: &[Site], site: u32) -> Option<SourceLoop> {
        let calls = successors(Some(site), |site| sites[*site as usize].inlined_at);
        calls.filter_map(|site| self.around[SiteId(site)]).next()
    }

    fn depth(&self, of: SourceLoop) -> u32 {
        self.all[of].depth
    }

    /// The loop around one at a depth.
    fn at_depth(&self, inner: SourceLoop, depth: u32) -> Option<SourceLoop> {
        successors(Some(inner), |at| self.all[*at].parent).find(|at| self.depth(*at) <= depth)
    }
}

/// The source loop of each SSA loop.
pub(super) struct Headers<'a> {
    func: &'a Func,
    graph: &'a Graph,
    source: SecondaryMap<LoopId, Option<SourceLoop>>,
}

impl<'a> Headers<'a> {
    /// Finds them.
    pub(super) fn compute(func: &'a Func, graph: &'a Graph) -> Headers<'a> {
        let mut headers = Headers { func, graph, source: SecondaryMap::new() };
        let loops = &func.source_loops;
        // Take the source loop around the inner loop's where nothing is left of an outer loop's own blocks.
        let mut deepest: SecondaryMap<LoopId, u32> = SecondaryMap::with_default(u32::MAX);
        for at in graph.loops.keys().rev() {
            let l = &graph.loops[at];
            let sources = l.blocks.iter().filter_map(|block| headers.around(*block));
            let Some(outermost) = sources.min_by_key(|around| loops.depth(*around)) else { continue };
            let source = loops.at_depth(outermost, deepest[at]).unwrap_or(outermost);
            headers.source[at] = Some(source);
            if let Some(parent) = l.parent {
                deepest[parent] = deepest[parent].min(loops.depth(source) - 1);
            }
        }
        headers
    }

    /// The site of the source loop's header that a back edge leads to.
    pub(super) fn site(&self, from: Block, to: Block) -> Option<u32> {
        let loops = &self.func.source_loops;
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
        Some(loops.all[source].header)
    }

    fn around(&self, block: Block) -> Option<SourceLoop> {
        self.func.source_loops.around(&self.func.sites, self.func.blocks[block].term_site)
    }
}

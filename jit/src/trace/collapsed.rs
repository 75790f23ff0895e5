//! Inner loops that traces pass as a whole, by their blocks.
//!
//! In: a body's loops, a spec. Out: for each block of such a loop, which it is. Invariant: these loops are inside the loop of the traces, none is in
//! another, and none catches failures.

use super::spec::{Collapsed, Declined, TraceSpec};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Block, Cfg, EdgeKind, Function, LoopId, Loops};

/// Blocks of inner loops that are passed as a whole.
pub(super) struct CollapsedLoops {
    of: SecondaryMap<Block, Option<Collapsed>>,
}

impl CollapsedLoops {
    /// The loops that a spec names.
    pub(super) fn of(
        body: &Function,
        loops: &Loops,
        around: LoopId,
        spec: &TraceSpec,
    ) -> Result<CollapsedLoops, Declined> {
        let mut of: SecondaryMap<Block, Option<Collapsed>> = SecondaryMap::new();
        for one in &spec.collapsed {
            let inner = loops.headed_by(one.header).filter(|inner| *inner != around);
            let inner = inner.filter(|_| loops.contains(around, one.header)).ok_or(Declined::NotCollapsible)?;
            for block in &loops.get(inner).blocks {
                if of[*block].is_some() || body.blocks[*block].handler.is_some() {
                    return Err(Declined::NotCollapsible);
                }
                of[*block] = Some(*one);
            }
        }
        Ok(CollapsedLoops { of })
    }

    /// The loop that a block is of.
    pub(super) fn around(&self, block: Block) -> Option<Collapsed> {
        self.of[block]
    }

    /// True if a block is the header of such a loop.
    pub(super) fn is_header(&self, block: Block) -> bool {
        self.of[block].is_some_and(|one| one.header == block)
    }

    /// True if a trace may go on from a block to another: along an edge, or over a loop to where an edge of it leads.
    pub(super) fn leads(&self, cfg: &Cfg, loops: &Loops, from: Block, to: Block) -> bool {
        let has_edge = |from: Block| cfg.succs(from).contains(&(to, EdgeKind::Normal));
        match self.of[from] {
            None => has_edge(from),
            Some(one) => one.header == from && to != from && expand(loops, from, true).into_iter().any(has_edge),
        }
    }

    /// The blocks that an element of a trace stands for.
    pub(super) fn expand(&self, loops: &Loops, block: Block) -> Vec<Block> {
        expand(loops, block, self.is_header(block))
    }
}

/// The blocks that an element of a path stands for: those of the loop that it heads if that is passed as a whole, else itself.
pub(super) fn expand(loops: &Loops, block: Block, is_collapsed: bool) -> Vec<Block> {
    let inner = loops.headed_by(block).filter(|_| is_collapsed);
    inner.map_or_else(|| vec![block], |inner| loops.get(inner).blocks.clone())
}

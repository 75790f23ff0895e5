//! Inner loops that traces pass as a whole, by their blocks.
//!
//! In: a body's loops, a spec. Out: for each block of such a loop, which it is. Invariant: these loops are inside the loop of the traces, none is in
//! another, and none catches failures.

use super::spec::{Declined, TraceSpec};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Block, Cfg, EdgeKind, Function, LoopId, Loops};

/// Blocks of inner loops that are passed as a whole.
pub(super) struct CollapsedLoops {
    of: SecondaryMap<Block, Option<Collapsed>>,
}

/// The loop that a block is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Collapsed {
    pub(super) header: Block,
    /// Executions of the loop's header each time it is passed.
    pub(super) visits: f64,
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
                of[*block] = Some(Collapsed { header: one.header, visits: one.visits });
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
            Some(one) => one.header == from && to != from && self.blocks(loops, from).iter().any(|at| has_edge(*at)),
        }
    }

    /// The blocks of the loop with a header.
    pub(super) fn blocks<'l>(&self, loops: &'l Loops, header: Block) -> &'l [Block] {
        let inner = loops.headed_by(header).expect("it heads a loop");
        &loops.get(inner).blocks
    }

    /// The blocks that an element of a trace stands for.
    pub(super) fn expand(&self, loops: &Loops, block: Block) -> Vec<Block> {
        if self.is_header(block) { self.blocks(loops, block).to_vec() } else { vec![block] }
    }
}

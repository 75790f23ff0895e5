//! Counters while SSA is built: of guards of traces, and of the loop that two versions are compared by.
//!
//! In: the counters of blocks and edges, which a body formed of traces has, and the counted loop. Out: a [`Probe::Count`] wherever one of them
//! counts. Invariant: what failures of guards add to the iterations of the counted loop follows from their own counters.

use super::{Builder, Frame};
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::progress::CountedLoop;
use holloway_lang::ir;

impl Builder<'_> {
    /// Counts an execution of a block.
    pub(super) fn count_block(&mut self, frame: &Frame<'_>, block: ir::Block, at: Block) {
        let counter = frame.counted.blocks.get(&block).copied();
        self.count(at, counter);
        let counted = self.counted_loop(frame).filter(|counted| counted.is_counted_in(frame.origin(block)));
        self.count(at, counted.map(|counted| counted.address));
    }

    /// Counts an execution of an edge, in its block.
    pub(super) fn count_edge(&mut self, frame: &Frame<'_>, from: ir::Block, to: ir::Block, edge: Block) {
        self.count(edge, frame.counted.edges.get(&(from, to)).copied());
        if let Some((address, added)) = self.iterations(frame, from, to) {
            let added = self.func.int(added);
            self.count_many(edge, address, added);
        }
    }

    /// The counter of the counted loop, and the iterations that are added to it on an edge, if there are any.
    pub(super) fn iterations(&self, frame: &Frame<'_>, from: ir::Block, to: ir::Block) -> Option<(usize, i64)> {
        let counted = self.counted_loop(frame).filter(|_| !frame.counted.edges.contains_key(&(from, to)))?;
        let added = counted.added((from, to), (frame.origin(from), frame.origin(to)));
        (added != 0).then_some((counted.address, added))
    }

    /// Adds one to a counter.
    pub(super) fn count(&mut self, at: Block, counter: Option<usize>) {
        if let Some(address) = counter {
            let one = self.func.int(1);
            self.count_many(at, address, one);
        }
    }

    /// Adds many to a counter.
    pub(super) fn count_many(&mut self, at: Block, address: usize, many: Value) {
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Probe(Probe::Count(address)), [many], None, site);
    }

    /// The counted loop, if it is one of the frame's.
    fn counted_loop(&self, frame: &Frame<'_>) -> Option<&CountedLoop> {
        let is_of = |counted: &&CountedLoop| match counted.inlined {
            None => frame.inlined.is_none(),
            Some(func) => frame.inlined.is_some() && frame.func == func,
        };
        self.progress.as_ref().filter(is_of)
    }
}

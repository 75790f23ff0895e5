//! The progress of a version: how often it came round one loop of its function.
//!
//! In: the header of a loop. Out: a counter that code raises on each of the loop's back edges, wherever copies of them stand: in a
//! trace, in a bridge, in what is left of an iteration. So two versions of one body count the same work alike, and their speeds
//! compare.
//! Invariants: a loop of several blocks is not its own latch, so that no edge within a copy of its header is a back edge; the counter stays
//! where it is as long as this lives, and code that counts in it keeps it alive.

use holloway_lang::ir::{Block, Cfg, Function, Loops};
use std::sync::atomic::{AtomicU64, Ordering};

/// The counter of a loop.
#[derive(Debug)]
pub struct Progress {
    header: Block,
    iterations: AtomicU64,
}

/// The back edges of a loop, with the address of the counter that they raise.
#[derive(Clone, Debug)]
pub(crate) struct CountedLoop {
    header: Block,
    latches: Vec<Block>,
    /// The counter.
    pub(crate) address: usize,
}

impl Progress {
    /// A counter for the loop with that header.
    pub fn new(header: Block) -> Progress {
        Progress { header, iterations: AtomicU64::new(0) }
    }

    /// Iterations so far.
    pub fn iterations(&self) -> u64 {
        self.iterations.load(Ordering::Relaxed)
    }

    /// The back edges in a body.
    pub(crate) fn counted(&self, body: &Function) -> CountedLoop {
        let loops = Loops::of(&Cfg::compute(body));
        let latches = loops.headed_by(self.header).map(|id| loops.get(id).latches.clone()).unwrap_or_default();
        CountedLoop { header: self.header, latches, address: self.iterations.as_ptr().expose_provenance() }
    }
}

impl CountedLoop {
    /// True iff the blocks that these are copies of are a latch and the header.
    pub(crate) fn is_back_edge(&self, from: Block, to: Block) -> bool {
        to == self.header && self.latches.contains(&from)
    }
}

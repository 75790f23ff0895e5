//! Paths of which bursts are recorded, in profiled code.
//!
//! In: the registers of a body. Out: an operation for each path and each activation. The number of the activation's paths is kept where
//! schemes of slabs keep the slab: pending, for the unwinder. Invariant: it is 0 iff none has ended since the start or a failure.

use super::Builder;
use super::variables::Probed;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::burst_cell::BurstCell;
use holloway_lang::ir::{BinaryOp, Scalar};
use holloway_profiler::repeat::Repeat;

impl Builder<'_> {
    /// An activation begins, or goes on behind a failure.
    pub(super) fn begin_sample(&mut self, probed: &Probed, at: Block, cell: BurstCell) {
        self.set(at, probed.slab, 0);
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Probe(Probe::BeginSample(cell.address, probed.state_slot())), [], None, site);
    }

    /// A path is complete.
    pub(super) fn sample(&mut self, probed: &Probed, at: Block, cell: BurstCell, id: Value) {
        self.add_to(at, probed.slab, 1);
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Probe(Probe::Sample(cell.address, probed.state_slot())), [id], None, site);
    }

    /// The last path of an activation is complete.
    pub(super) fn sample_last(&mut self, probed: &Probed, at: Block, cell: BurstCell, id: Value) {
        self.sample(probed, at, cell, id);
        let (paths, site) = (self.read(at, probed.slab), self.func.blocks[at].term_site);
        let index = match self.func.as_int(paths) {
            Some(paths) => self.func.int(paths.min(i64::from(cell.k)) - 1),
            None => {
                let (index, last) = (self.plus(at, paths, -1), self.func.int(i64::from(cell.k) - 1));
                let shorter = self.func.push(at, Op::Below, [index, last], Some(Scalar::Bool), site);
                let args = vec![shorter.expect("it has a result"), index, last];
                self.func.push(at, Op::Select, args, Some(Scalar::Int), site).expect("it has a result")
            }
        };
        self.func.push(at, Op::Probe(Probe::Count(cell.lengths())), [index], None, site);
        // Should something fail on the way out, this activation has been counted.
        self.set(at, probed.slab, 0);
    }

    /// A loop that has one path is left: the id of its first iteration, and how many there were.
    pub(super) fn sample_run(
        &mut self,
        probed: &Probed,
        at: Block,
        cell: BurstCell,
        (first, times, repeat): (Value, Value, Repeat),
    ) {
        let paths = self.read(at, probed.slab);
        let paths = self.binary_of(at, BinaryOp::IntAdd, paths, times);
        self.write(at, probed.slab, paths);
        let (id, site) = (self.func.int(repeat.id.b), self.func.blocks[at].term_site);
        let probe = Probe::SampleRun(cell.address, probed.state_slot());
        self.func.push(at, Op::Probe(probe), [first, id, times], None, site);
    }
}

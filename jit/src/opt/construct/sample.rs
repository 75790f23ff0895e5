//! Paths of which bursts are recorded, in profiled code.
//!
//! In: the registers of a body. Out: what bursts need beside the operation for each path. The number of the activation's paths is kept where
//! other schemes keep their word: pending, for the unwinder. Invariant: it is 0 iff none has ended since the start or a failure.

use super::Builder;
use super::variables::Probed;
use crate::opt::op::{Extent, PathSink, Probe};
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::burst_cell::BurstCell;
use holloway_lang::ir::{BinaryOp, Scalar};

impl Builder<'_> {
    /// An activation begins, or goes on behind a failure.
    pub(super) fn begin_sample(&mut self, probed: &Probed, at: Block, cell: BurstCell) {
        self.set(at, probed.word, 0);
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Probe(Probe::BeginSample(cell.address, probed.tag_slot())), [], None, site);
    }

    /// Paths are complete: the activation has more of them.
    pub(super) fn add_sampled(&mut self, probed: &Probed, at: Block, (extent, ids): (Extent, &[Value])) {
        let paths = self.read(at, probed.word);
        let paths = match extent {
            Extent::One | Extent::Last => self.plus(at, paths, 1),
            Extent::Repeated(_) => self.binary_of(at, BinaryOp::IntAdd, paths, ids[2]),
        };
        self.write(at, probed.word, paths);
    }

    /// The last path of an activation is complete: the activation is counted by the number of its paths.
    pub(super) fn end_sample(&mut self, probed: &Probed, at: Block, cell: BurstCell) {
        let (paths, site) = (self.read(at, probed.word), self.func.blocks[at].term_site);
        let index = match self.func.as_int(paths) {
            Some(paths) => self.func.int(paths.min(i64::from(cell.k)) - 1),
            None => {
                let (index, last) = (self.plus(at, paths, -1), self.func.int(i64::from(cell.k) - 1));
                let shorter = self.func.push(at, Op::Below, [index, last], Some(Scalar::Bool), site);
                let args = vec![shorter.expect("it has a result"), index, last];
                self.func.push(at, Op::Select, args, Some(Scalar::Int), site).expect("it has a result")
            }
        };
        let counted = Probe::Paths(PathSink::Array(cell.lengths()), Extent::One);
        self.func.push(at, Op::Probe(counted), [index], None, site);
        // Should something fail on the way out, this activation has been counted.
        self.set(at, probed.word, 0);
    }
}

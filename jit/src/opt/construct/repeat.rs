//! Loops that have one path, in profiled code: iterations are counted, and reported when the loop is left.
//!
//! In: the registers of a body. Out: on the back edge one addition; the path register stays what it was at the entry, so that it
//! needs no register of the machine in the loop, and is set right at the exits.

use super::Builder;
use super::variables::Probed;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::{RegionMemory, Report};
use holloway_lang::ir::{BinaryOp, Scalar};
use holloway_profiler::repeat::Repeat;

impl Builder<'_> {
    /// On the way into the loop.
    pub(super) fn enter_repeat(&mut self, probed: &Probed, at: Block) {
        self.set(at, probed.times, 0);
        let path = self.read(at, probed.path);
        self.write(at, probed.before, path);
    }

    /// On the back edge.
    pub(super) fn repeat(&mut self, probed: &Probed, at: Block) {
        self.add_to(at, probed.times, 1);
        let path = self.read(at, probed.before);
        self.write(at, probed.path, path);
    }

    /// On the way out.
    pub(super) fn leave_repeat(&mut self, probed: &Probed, at: Block, repeat: Repeat) {
        let (times, before) = (self.read(at, probed.times), self.read(at, probed.before));
        let first = self.plus(at, before, repeat.first());
        match &probed.probes.report {
            Report::Count(array) => {
                let (id, site) = (self.func.int(repeat.id), self.func.blocks[at].term_site);
                self.func.push(at, Op::Probe(Probe::CountRepeated(*array)), vec![first, id, times], None, site);
            }
            Report::Slabs(table, period) => {
                let nth = probed.probes.repeats.iter().position(|known| *known == repeat).expect("it is one of them");
                let gathered = vec![self.read(at, probed.slab), first, times];
                self.gather(probed, at, Probe::GatherRun(*table, probed.state_slot(), nth as u32, *period), gathered);
            }
            Report::Packed(packing) => {
                let packed = vec![self.read(at, probed.slab), first, self.func.int(repeat.id), times];
                self.gather(probed, at, Probe::PackRun(*packing), packed);
            }
            Report::Bursts(cell) => self.sample_run(probed, at, *cell, (first, times, repeat)),
            Report::Regions(memory) => {
                let RegionMemory::Counter(address) = memory[repeat.id as usize] else {
                    unreachable!("a region with a single path has a counter")
                };
                let site = self.func.blocks[at].term_site;
                self.func.push(at, Op::Probe(Probe::CountMany(address)), vec![times], None, site);
                self.set(at, probed.times, 0);
                return;
            }
            Report::Tally(_) | Report::Histories(_) => unreachable!("paths of a table are counted one by one"),
            Report::Stream { .. } => unreachable!("a stream has a word for each path"),
        }
        self.set_path_right(probed, at, (times, before), repeat);
        // Should a poll on the way out fail, these iterations have been reported.
        self.set(at, probed.times, 0);
    }

    /// Behind the first iteration the register counts from where others start.
    fn set_path_right(&mut self, probed: &Probed, at: Block, (times, before): (Value, Value), repeat: Repeat) {
        let zero = self.func.int(0);
        let site = self.func.blocks[at].term_site;
        let none = vec![times, zero];
        let none = self.func.push(at, Op::Binary(BinaryOp::IntEq), none, Some(Scalar::Bool), site);
        let restart = self.func.int(repeat.restart);
        let further = self.binary_of(at, BinaryOp::IntSub, restart, before);
        let chosen = vec![none.expect("it has a result"), zero, further];
        let further = self.func.push(at, Op::Select, chosen, Some(Scalar::Int), site).expect("it has a result");
        let path = self.read(at, probed.path);
        let path = self.binary_of(at, BinaryOp::IntAdd, path, further);
        self.write(at, probed.path, path);
    }

    /// Puts ids into the slab.
    pub(super) fn gather(&mut self, probed: &Probed, at: Block, probe: Probe, args: Vec<Value>) {
        let site = self.func.blocks[at].term_site;
        let slab = self.func.push(at, Op::Probe(probe), args, Some(Scalar::Int), site).expect("it has a result");
        self.write(at, probed.slab, slab);
    }
}

//! Loops that have one path, in profiled code: iterations are counted, and reported when the loop is left.
//!
//! In: the registers of a body. Out: on the back edge one addition; the path register stays what it was at the entry, so that it
//! needs no register of the machine in the loop, and is set right at the exits.

use super::Builder;
use super::step::changes_part;
use super::variables::Probed;
use crate::opt::op::Probe;
use crate::opt::ssa::{Block, Op, Value};
use crate::probes::{RegionMemory, Report};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{BinaryOp, Scalar};
use holloway_profiler::graph::EdgeId;
use holloway_profiler::plan::Action;
use holloway_profiler::plan::across::Scaled;
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
    pub(super) fn leave_repeat(&mut self, probed: &Probed, at: Block, (repeat, edge): (Repeat, EdgeId)) {
        let (times, before) = (self.read(at, probed.times), self.read(at, probed.before));
        let first = self.further(probed, at, before, repeat.first);
        match &probed.probes.report {
            Report::Count(array) => {
                let (id, site) = (self.in_context(probed, at, &repeat, repeat.id), self.func.blocks[at].term_site);
                self.func.push(at, Op::Probe(Probe::CountRepeated(*array)), [first, id, times], None, site);
            }
            Report::Slabs(table, period) => {
                let nth = probed.probes.repeats.iter().position(|known| *known == repeat).expect("it is one of them");
                let gathered = vec![self.read(at, probed.slab), first, times];
                self.gather(probed, at, Probe::GatherRun(*table, probed.state_slot(), nth as u32, *period), gathered);
            }
            Report::Packed(packing) => {
                let packed = vec![self.read(at, probed.slab), first, self.func.int(repeat.id.b), times];
                self.gather(probed, at, Probe::PackRun(*packing), packed);
            }
            Report::Bursts(cell) => self.sample_run(probed, at, *cell, (first, times, repeat)),
            Report::Regions(memory) => {
                let RegionMemory::Counter(address) = memory[repeat.id.b as usize] else {
                    unreachable!("a region with a single path has a counter")
                };
                let site = self.func.blocks[at].term_site;
                self.func.push(at, Op::Probe(Probe::CountMany(address)), [times], None, site);
                self.set(at, probed.times, 0);
                return;
            }
            Report::Tally(_) | Report::Histories(_) => unreachable!("paths of a table are counted one by one"),
            Report::Stream { .. } => unreachable!("a stream has a word for each path"),
        }
        self.set_path_right(probed, at, times, (repeat, edge));
        // Should a poll on the way out fail, these iterations have been reported.
        self.set(at, probed.times, 0);
    }

    /// On the way out, where paths span several iterations: the path register becomes what `c[itr]` would be behind the edge.
    pub(super) fn leave_iterations(&mut self, probed: &Probed, at: Block, (repeat, edge): (Repeat, EdgeId)) {
        let Report::Count(array) = probed.probes.report else { unreachable!("others count one by one") };
        let (times, before) = (self.read(at, probed.times), self.read(at, probed.before));
        let (none, site) = (self.func.int(0), self.func.blocks[at].term_site);
        let reported = self.plus(at, times, 1 - i64::from(repeat.k));
        let some = self.comparison(at, BinaryOp::IntLt, (none, reported));
        let reported = self.selected(at, some, (reported, none));
        let (first, id) = (self.plus(at, before, repeat.first.b), self.func.int(repeat.id.b));
        self.func.push(at, Op::Probe(Probe::CountRepeated(array)), [first, id, reported], None, site);
        let (added, last) = added_by(probed, (repeat, edge));
        let mut sum = self.func.int(added[added.len() - 1]);
        for n in (0..added.len() - 1).rev().filter(|&n| added[n] != added[n + 1]) {
            let (up_to, fewer) = (self.func.int(n as i64 + 1), self.func.int(added[n]));
            let is_fewer = self.comparison(at, BinaryOp::IntLt, (times, up_to));
            sum = self.selected(at, is_fewer, (fewer, sum));
        }
        let path = self.binary_of(at, BinaryOp::IntAdd, before, sum);
        let last = self.func.int(last);
        let path = self.selected(at, some, (last, path));
        self.write(at, probed.path, path);
        self.set(at, probed.times, 0);
    }

    /// Behind the first iteration the register counts from where others start, and the path may know no caller.
    fn set_path_right(&mut self, probed: &Probed, at: Block, times: Value, (repeat, edge): (Repeat, EdgeId)) {
        let zero = self.func.int(0);
        let none = self.comparison(at, BinaryOp::IntEq, (times, zero));
        let (graph, repeats) = (&probed.probes.graph, &probed.probes.repeats);
        let started = repeat.restart.plus(repeats.offset(&repeat, graph.edge(edge).from));
        let others = self.in_context(probed, at, &repeat, started);
        let path = self.read(at, probed.path);
        let path = self.selected(at, none, (path, others));
        self.write(at, probed.path, path);
        let Some(completions) = repeat.detached else { return };
        for (variable, behind) in [(probed.completions, completions), (probed.detached, 1)] {
            let (before, behind) = (self.read(at, variable), self.func.int(behind));
            let value = self.selected(at, none, (before, behind));
            self.write(at, variable, value);
        }
    }

    /// A value of later iterations, where what paths go on from is what is saved.
    fn in_context(&mut self, probed: &Probed, at: Block, repeat: &Repeat, by: Scaled) -> Value {
        let Some(from) = repeat.from else { return self.scaled(probed, at, by) };
        let saved = self.read(at, probed.saved[from.index()]);
        self.further(probed, at, saved, by)
    }

    /// Puts ids into the slab.
    pub(super) fn gather(&mut self, probed: &Probed, at: Block, probe: Probe, args: Vec<Value>) {
        let site = self.func.blocks[at].term_site;
        let slab = self.func.push(at, Op::Probe(probe), args, Some(Scalar::Int), site).expect("it has a result");
        self.write(at, probed.slab, slab);
    }
}

/// The oldest path behind an edge that leaves a loop: beyond the register at the entry after 0 to k-1 iterations; and after more.
fn added_by(probed: &Probed, (repeat, edge): (Repeat, EdgeId)) -> (Vec<i64>, i64) {
    let (graph, plan, repeats) = (&probed.probes.graph, &probed.probes.plan, &probed.probes.repeats);
    let from = graph.edge(edge).from;
    let of_loop = plan.edges[edge].iter().take_while(|step| !changes_part(**step));
    let table = of_loop.into_iter().find_map(|step| match step {
        Action::AddIterations(table) => Some(*table),
        _ => None,
    });
    let own = |n: usize| table.map_or(0, |table| plan.iteration_weights[table][n].val);
    let added = repeats.added(from).iter().enumerate().map(|(n, added)| added.b.wrapping_add(own(n))).collect();
    let last = repeat.restart.plus(repeats.offset(&repeat, from));
    (added, last.b.wrapping_add(own(repeat.k as usize - 1)))
}

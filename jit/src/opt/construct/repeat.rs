//! Loops that have one path, in profiled code: iterations are counted, and reported when the loop is left.
//!
//! In: the registers of a body. Out: on the back edge one addition; the path register stays what it was at the entry, so that it
//! needs no register of the machine in the loop, and is set right at the exits.

use super::Builder;
use super::step::changes_part;
use super::variables::Probed;
use crate::opt::op::Extent;
use crate::opt::ssa::{Block, Value};
use crate::probes::across::PathCode;
use crate::probes::step_table::RepeatedLoop;
use cranelift_entity::EntityRef;
use holloway_lang::ir::BinaryOp;
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

    /// On the way out: its iterations are reported, and registers become what they are behind the edge.
    pub(super) fn leave_repeat(
        &mut self,
        probed: &Probed,
        at: Block,
        (repeat, edge): (Repeat, EdgeId),
        words: &mut Vec<Value>,
    ) {
        let times = self.read(at, probed.times);
        if let Some(counter) = probed.counter_of(&repeat) {
            self.count_many(at, counter, times);
        } else if repeat.k == 1 {
            self.report_repeated(probed, at, (&repeat, times), words);
            self.set_path_right(probed, at, times, (repeat, edge));
        } else {
            // No iteration before the kth reports an id.
            let (none, reported) = (self.func.int(0), self.plus(at, times, 1 - i64::from(repeat.k)));
            let some = self.comparison(at, BinaryOp::IntLt, (none, reported));
            let reported = self.selected(at, some, (reported, none));
            self.report_repeated(probed, at, (&repeat, reported), words);
            self.set_oldest_right(probed, at, (times, some), (repeat, edge));
        }
        // Should a poll on the way out fail, these iterations have been reported.
        self.set(at, probed.times, 0);
    }

    fn report_repeated(
        &mut self,
        probed: &Probed,
        at: Block,
        (repeat, times): (&Repeat, Value),
        words: &mut Vec<Value>,
    ) {
        let before = self.read(at, probed.before);
        let first = self.registers(probed, at).further(before, repeat.first);
        let id = self.in_context(probed, at, repeat, repeat.id);
        let nth = probed.probes.repeats.iter().position(|known| known == repeat).expect("it is one of them");
        self.report(probed, at, (Extent::Repeated(RepeatedLoop::new(nth)), vec![first, id, times]), words);
    }

    /// Behind a loop whose paths span several iterations, the path register becomes what `c[itr]` would be; `some`
    /// reported an id.
    fn set_oldest_right(
        &mut self,
        probed: &Probed,
        at: Block,
        (times, some): (Value, Value),
        (repeat, edge): (Repeat, EdgeId),
    ) {
        let before = self.read(at, probed.before);
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
        let Some(from) = repeat.from else { return self.registers(probed, at).scaled(by) };
        let saved = self.read(at, probed.saved[from.index()]);
        self.registers(probed, at).further(saved, by)
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

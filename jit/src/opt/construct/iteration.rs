//! Paths of several iterations in profiled code: an accumulator for each iteration that paths may be in.
//!
//! In: the steps of a k-iteration plan ([`holloway_profiler::number::k_iteration`]). Out: arithmetic on `c[0]`, the path register, and `c[1]`, ...,
//! `c[k-1]`, without branches. There is no `itr`: accumulators above it are told from the others by their values
//! ([`holloway_profiler::plan::Unfinished`]), so that a loop needs no counter, and a back edge reports `c[k-1]` whatever it is.
//! Invariant: outside of loops every `c[j]` but the path register has the start of the unfinished ones.

use super::Builder;
use super::variables::{Kept, Probed, Variable};
use crate::opt::op::Extent;
use crate::opt::ssa::{Block, Value};
use crate::probes::{PathProbes, Report};
use holloway_lang::ir::{BinaryOp, Scalar};
use holloway_profiler::plan::IterationTable;

impl Builder<'_> {
    /// No path is in its second iteration.
    pub(super) fn start_iterations(&mut self, probed: &Probed, at: Block) {
        for older in &probed.iterations {
            self.set(at, *older, probed.probes.plan.unfinished.start);
        }
    }

    /// `c[j] += compensated[j]` for `j < itr`, `c[itr] += val[itr]`.
    pub(super) fn add_iterations(&mut self, probed: &Probed, at: Block, table: IterationTable) {
        let weights = probed.probes.plan.iteration_weights[table].clone();
        let last = weights.len() - 1;
        for (j, weight) in weights.into_iter().enumerate() {
            let accumulator = accumulator(probed, j);
            if weight.val == weight.compensated || j == last {
                self.add_to(at, accumulator, weight.val);
                continue;
            }
            let (val, compensated) = (self.func.int(weight.val), self.func.int(weight.compensated));
            let added = self.if_finished(probed, at, j + 1, (compensated, val));
            let before = self.read(at, accumulator);
            let after = self.binary_of(at, BinaryOp::IntAdd, before, added);
            self.write(at, accumulator, after);
        }
    }

    /// A back edge: reports `c[k-1]`, which is a path or passed over, shifts the accumulators, and starts a path.
    pub(super) fn next_iteration(
        &mut self,
        probed: &Probed,
        at: Block,
        (k, restart): (u32, i64),
        words: &mut Vec<Value>,
    ) {
        let last = k as usize - 1;
        let mut id = self.read(at, accumulator(probed, last));
        if let Report::Table(_) = probed.probes.report {
            // An entry of the table for each of them would be too many.
            let none = self.func.int(probed.probes.plan.unfinished.id);
            id = self.if_finished(probed, at, last, (id, none));
        }
        self.finish_path(probed, at, (Extent::One, id, 0), words);
        for j in (0..last).rev() {
            let value = self.read(at, accumulator(probed, j));
            self.write(at, accumulator(probed, j + 1), value);
        }
        self.set(at, probed.path, restart);
    }

    /// `c[0] = c[itr]`, with what the edge adds, and `itr = 0`. Younger paths cannot leave here, and would not be told from unfinished ones behind the
    /// edge.
    pub(super) fn leave_loop(&mut self, probed: &Probed, at: Block, added: Option<IterationTable>) {
        let weights = added.map_or(&[][..], |table| &probed.probes.plan.iteration_weights[table]);
        let added = |j: usize| weights.get(j).map_or(0, |weight| weight.val);
        let first = self.read(at, probed.path);
        let mut oldest = self.plus(at, first, added(0));
        for j in 1..=probed.iterations.len() {
            let value = self.read(at, accumulator(probed, j));
            let value = self.plus(at, value, added(j));
            oldest = self.if_finished(probed, at, j, (value, oldest));
        }
        self.write(at, probed.path, oldest);
        self.start_iterations(probed, at);
    }

    /// The homes of accumulators that are put aside: behind the slots for what is pending, where the unwinder finds them.
    pub(super) fn aside(&mut self, probes: &PathProbes) -> Vec<Vec<Variable>> {
        let (depths, accumulators) = (probes.plan.most_put_aside(), probes.plan.most_iterations());
        let mut home = |_| {
            self.func.slots.push(Scalar::Int);
            self.variables.push(Kept::Slot(self.func.slots.len() as u32 - 1, Scalar::Int))
        };
        (0..depths).map(|_| (0..accumulators).map(&mut home).collect()).collect()
    }

    /// Keeps the accumulators of the part around a loop that has paths of its own.
    pub(super) fn put_aside(&mut self, probed: &Probed, at: Block, depth: u32) {
        for (j, &home) in probed.aside[depth as usize].iter().enumerate() {
            let value = self.read(at, accumulator(probed, j));
            self.write(at, home, value);
        }
        self.start_iterations(probed, at);
    }

    /// They become what was kept.
    pub(super) fn take_back(&mut self, probed: &Probed, at: Block, depth: u32) {
        for (j, &home) in probed.aside[depth as usize].iter().enumerate() {
            let value = self.read(at, home);
            self.write(at, accumulator(probed, j), value);
        }
    }

    /// One value if `itr` is at least `j`, another if not.
    fn if_finished(&mut self, probed: &Probed, at: Block, j: usize, (then, otherwise): (Value, Value)) -> Value {
        let (value, from) = (self.read(at, accumulator(probed, j)), probed.probes.plan.unfinished.from);
        if let Some(known) = self.func.as_int(value) {
            return if known < from { then } else { otherwise };
        }
        let from = self.func.int(from);
        let is_finished = self.comparison(at, BinaryOp::IntLt, (value, from));
        self.selected(at, is_finished, (then, otherwise))
    }
}

fn accumulator(probed: &Probed, j: usize) -> Variable {
    match j {
        0 => probed.path,
        _ => probed.iterations[j - 1],
    }
}

//! Paths of several iterations in profiled code: an accumulator for each iteration that paths may be in.
//!
//! In: the steps of a k-iteration plan ([`holloway_profiler::number::k_iteration`]). Out: arithmetic on `c[0]`, the path register,
//! `c[1]`, ..., `c[k-1]` and `itr`, without branches: where the plan reports nothing, code reports [`Plan::skipped`].
//! Invariant: `c[j]` with `j > itr` may hold anything; it is overwritten before it is read.
//!
//! [`Plan::skipped`]: holloway_profiler::plan::Plan::skipped

use super::Builder;
use super::variables::{Probed, Variable};
use crate::opt::ssa::{Block, Op, Value};
use holloway_lang::ir::{BinaryOp, Scalar};
use holloway_profiler::plan::IterationTable;

impl Builder<'_> {
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
            let added = self.if_oldest(probed, at, j, (val, compensated));
            let before = self.read(at, accumulator);
            let after = self.binary_of(at, BinaryOp::IntAdd, before, added);
            self.write(at, accumulator, after);
        }
    }

    /// A back edge: reports `c[k-1]` if there is a path in its last iteration, shifts the accumulators, and starts a path.
    pub(super) fn next_iteration(
        &mut self,
        probed: &Probed,
        at: Block,
        (k, restart): (u32, i64),
        words: &mut Vec<Value>,
    ) {
        let last = k as usize - 1;
        let complete = self.read(at, accumulator(probed, last));
        let skipped = self.func.int(probed.probes.plan.skipped);
        let id = self.if_oldest(probed, at, last, (complete, skipped));
        self.report(probed, at, (id, 0), words);
        let itr = self.read(at, probed.iterations.itr);
        let next = self.plus(at, itr, 1);
        let next = self.if_oldest(probed, at, last, (itr, next));
        self.write(at, probed.iterations.itr, next);
        for j in (0..last).rev() {
            let value = self.read(at, accumulator(probed, j));
            self.write(at, accumulator(probed, j + 1), value);
        }
        self.set(at, probed.path, restart);
    }

    /// `c[0] = c[itr]`, `itr = 0`.
    pub(super) fn leave_loop(&mut self, probed: &Probed, at: Block) {
        let oldest = self.oldest(probed, at);
        self.write(at, probed.path, oldest);
        self.set(at, probed.iterations.itr, 0);
    }

    /// `c[itr]`.
    pub(super) fn oldest(&mut self, probed: &Probed, at: Block) -> Value {
        let mut oldest = self.read(at, probed.path);
        for j in 1..=probed.iterations.older.len() {
            let value = self.read(at, accumulator(probed, j));
            oldest = self.if_oldest(probed, at, j, (value, oldest));
        }
        oldest
    }

    /// One value if `itr` is `j`, another if not.
    fn if_oldest(&mut self, probed: &Probed, at: Block, j: usize, (then, otherwise): (Value, Value)) -> Value {
        let itr = self.read(at, probed.iterations.itr);
        if let Some(known) = self.func.as_int(itr) {
            return if known == j as i64 { then } else { otherwise };
        }
        let site = self.func.blocks[at].term_site;
        let j = self.func.int(j as i64);
        let is_oldest = self.func.push(at, Op::Binary(BinaryOp::IntEq), vec![itr, j], Some(Scalar::Bool), site);
        let args = vec![is_oldest.expect("it has a result"), then, otherwise];
        self.func.push(at, Op::Select, args, Some(Scalar::Int), site).expect("it has a result")
    }
}

fn accumulator(probed: &Probed, j: usize) -> Variable {
    match j {
        0 => probed.path,
        _ => probed.iterations.older[j - 1],
    }
}

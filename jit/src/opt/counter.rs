//! Counters of loops: what a loop compares at its end, and by how much each iteration changes it.
//!
//! In: a rotated loop. Out: its [`Counter`], if the comparison in its [`test`] bounds one. The counter goes from its value at the
//! entry by steps of one sign to the bound. A [`Run`] of iterations that need no test in between begins where a test ahead holds.

use super::cfg::{Graph, Loop};
use super::correlated_values::range_at_entry;
use super::op::negated;
use super::ssa::{Block, Def, Func, Op, Target, Term, Value};
use super::version::Wanted;
use holloway_lang::ir::{BinaryOp, Scalar};

/// A counter: a parameter of the header that every iteration changes by the same amount.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The parameter.
    pub(super) param: Value,
    /// The step of each iteration: a constant, or an invariant value that must be positive.
    pub(super) step: Step,
    /// The bound that the comparison puts on the next value: at most (or, downwards, at least) `bound + slack`.
    pub(super) bound: Value,
    pub(super) slack: i64,
    /// True if the loop goes on only while what is tested is short of the bound: then the next value does not wrap.
    pub(super) is_strict: bool,
}

#[derive(Clone, Copy, Debug)]
/// The step of each iteration.
pub(super) enum Step {
    /// A constant, small and not 0.
    Known(i64),
    /// An invariant value, of use where it is positive.
    Positive(Value),
}

impl Counter {
    /// The counter among the values for the header's parameters.
    pub(super) fn among(&self, func: &Func, to: &Target) -> Value {
        let Def::Param(_, at) = func.values[self.param].def else { unreachable!("a counter is a parameter") };
        to.args[at as usize]
    }
}

/// A run of iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    counter: Counter,
    step: i64,
    /// The part of the way to the bound that must be left for all iterations to take place.
    distance: i64,
    /// The bound may be so near to the least integer (downwards, the greatest) that the limit wraps.
    may_wrap: bool,
}

impl Run {
    /// Iterations of a loop that is entered as it is now, behind which `further` more take place.
    pub(super) fn followed_by(
        func: &mut Func,
        graph: &Graph,
        l: &Loop,
        (counter, step): (Counter, i64),
        further: i64,
    ) -> Run {
        let distance = counter.slack - further * step;
        let of_bound = range_at_entry(func, graph, l, counter.bound);
        // Against the direction of the steps, the limit is on the bound's other side.
        let may_wrap = match step > 0 {
            true => of_bound.least.checked_add(distance).is_none(),
            false => of_bound.most.checked_add(distance).is_none(),
        };
        Run { counter, step, distance, may_wrap }
    }

    /// The greatest value (downwards, the least) of the counter that the run may start with.
    pub(super) fn limit(self, func: &mut Func, block: Block) -> Value {
        if let Some(bound) = func.as_int(self.counter.bound)
            && let Some(limit) = bound.checked_add(self.distance)
        {
            return func.int(limit);
        }
        let by = func.int(self.distance);
        binary(func, block, BinaryOp::IntAdd, self.counter.bound, by, Scalar::Int)
    }

    /// Returns whether the run may start with a value of the counter, provided that the limit did not wrap.
    pub(super) fn may_start(self, func: &mut Func, block: Block, at: Value, limit: Value) -> Value {
        let op = if self.step > 0 { BinaryOp::IntLe } else { BinaryOp::IntGe };
        binary(func, block, op, at, limit, Scalar::Bool)
    }

    /// The conditions under which the run may start at the entry of the loop: the limit did not wrap either.
    pub(super) fn may_enter(self, func: &mut Func, block: Block, limit: Value, entering: &Target) -> Vec<Wanted> {
        let first = self.counter.among(func, entering);
        let fits = self.may_start(func, block, first, limit);
        if !self.may_wrap {
            return vec![(fits, true)];
        }
        let (op, edge) = match self.step > 0 {
            true => (BinaryOp::IntGe, i64::MIN - self.distance),
            false => (BinaryOp::IntLe, i64::MAX - self.distance),
        };
        let edge = func.int(edge);
        let is_true = binary(func, block, op, self.counter.bound, edge, Scalar::Bool);
        vec![(fits, true), (is_true, true)]
    }
}

fn binary(func: &mut Func, block: Block, op: BinaryOp, x: Value, y: Value, scalar: Scalar) -> Value {
    let site = func.blocks[block].term_site;
    func.push(block, Op::Binary(op), [x, y], Some(scalar), site).expect("an operator has a result")
}

/// The block at whose end a loop goes on or is left: its only latch, or the one before it, as where probes stand on the back edge.
pub(super) fn test(func: &Func, l: &Loop) -> Option<Block> {
    let [latch] = l.latches.as_slice() else { return None };
    match &func.blocks[*latch].term {
        Term::Branch { .. } => Some(*latch),
        Term::Jump(_) if *latch != l.header => {
            let leads_there = |block: &&Block| func.blocks[**block].term.targets().any(|to| to.block == *latch);
            let mut before = l.blocks.iter().filter(leads_there);
            let test = *before.next().filter(|_| before.next().is_none())?;
            let Term::Branch { then, otherwise, .. } = &func.blocks[test].term else { return None };
            let is_left = [then, otherwise].iter().any(|to| !l.blocks.contains(&to.block));
            is_left.then_some(test)
        }
        _ => None,
    }
}

/// The counter that the loop compares at its end.
pub(super) fn counter(func: &Func, l: &Loop, invariant: &impl Fn(Value) -> bool) -> Option<Counter> {
    let (test, latch) = (test(func, l)?, l.latches[0]);
    let Term::Branch { cond, then, .. } = &func.blocks[test].term else { return None };
    let stays = then.block == if test == latch { l.header } else { latch };
    let back = func.blocks[latch].term.targets().find(|to| to.block == l.header)?;
    let compare = &func.insts[func.def_inst(*cond)?];
    let Op::Binary(op) = compare.op else { return None };
    let (tested, bound, op) = if invariant(compare.args[1]) {
        (compare.args[0], compare.args[1], op)
    } else if invariant(compare.args[0]) {
        (compare.args[1], compare.args[0], mirrored(op)?)
    } else {
        return None;
    };
    let op = if stays { op } else { negated(op)? };
    let params = &func.blocks[l.header].params;
    params.iter().zip(&back.args).find_map(|(param, next)| {
        let step = step(func, *param, *next, invariant)?;
        let reached = if tested == *next {
            0
        } else if tested == *param {
            match step {
                Step::Known(by) => by,
                Step::Positive(_) => return None,
            }
        } else {
            return None;
        };
        let slack = match (op, step) {
            (BinaryOp::IntLt, Step::Known(1..) | Step::Positive(_)) => -1,
            (BinaryOp::IntLe, Step::Known(1..) | Step::Positive(_)) | (BinaryOp::IntGe, Step::Known(..0)) => 0,
            (BinaryOp::IntGt, Step::Known(..0)) => 1,
            _ => return None,
        };
        let is_strict = matches!(op, BinaryOp::IntLt | BinaryOp::IntGt);
        Some(Counter { param: *param, step, bound, slack: slack + reached, is_strict })
    })
}

/// The step from a parameter to its next value, if that is one.
pub(super) fn step(func: &Func, param: Value, next: Value, invariant: &impl Fn(Value) -> bool) -> Option<Step> {
    let data = &func.insts[func.def_inst(next)?];
    let (x, y) = match data.args.as_slice() {
        [x, y] => (*x, *y),
        _ => return None,
    };
    let small = |by: i64| (by != 0 && by.unsigned_abs() < 1 << 31).then_some(Step::Known(by));
    match data.op {
        Op::Binary(BinaryOp::IntAdd) => {
            let by = if x == param {
                y
            } else if y == param {
                x
            } else {
                return None;
            };
            match func.as_int(by) {
                Some(by) => small(by),
                None => invariant(by).then_some(Step::Positive(by)),
            }
        }
        Op::Binary(BinaryOp::IntSub) if x == param => func.as_int(y).and_then(|by| small(by.wrapping_neg())),
        _ => None,
    }
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::IntLt => BinaryOp::IntGt,
        BinaryOp::IntLe => BinaryOp::IntGe,
        BinaryOp::IntGt => BinaryOp::IntLt,
        BinaryOp::IntGe => BinaryOp::IntLe,
        _ => return None,
    })
}

//! Counters of loops: what a loop's only latch compares, and by how much each iteration changes it.
//!
//! In: a rotated loop. Out: its [`Counter`], if the latch's comparison bounds one. The counter goes from its value at the
//! entry by steps of one sign to the bound.

use super::cfg::Loop;
use super::op::negated;
use super::ssa::{Func, Op, Term, Value};
use holloway_lang::ir::BinaryOp;

/// A counter: a parameter of the header that every iteration changes by the same amount.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The parameter.
    pub(super) param: Value,
    /// The step of each iteration: a constant, or an invariant value that must be positive.
    pub(super) step: Step,
    /// The bound that the latch's comparison puts on the next value: at most (or, downwards, at least) `bound + slack`.
    pub(super) bound: Value,
    pub(super) slack: i64,
}

#[derive(Clone, Copy, Debug)]
/// The step of each iteration.
pub(super) enum Step {
    /// A constant, small and not 0.
    Known(i64),
    /// An invariant value, of use where it is positive.
    Positive(Value),
}

/// The counter that the loop's only latch compares.
pub(super) fn counter(func: &Func, l: &Loop, invariant: &impl Fn(Value) -> bool) -> Option<Counter> {
    let [latch] = l.latches.as_slice() else { return None };
    let Term::Branch { cond, then, otherwise } = &func.blocks[*latch].term else { return None };
    let (back, stays) = if then.block == l.header { (then, true) } else { (otherwise, false) };
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
        Some(Counter { param: *param, step, bound, slack: slack + reached })
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

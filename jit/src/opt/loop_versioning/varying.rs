//! Indices that vary within known bounds: a value of a known range, whatever it is computed of, and what is added to it
//! or multiplies it ahead of the loop.
//!
//! In: an index. Out: the value of known range in it. Invariant: that is in its range in every iteration.

use crate::opt::correlated_values::Walk;
use crate::opt::ssa::{Func, Op, Value};
use crate::range::Range;
use crate::settings::loop_versioning::MAX_STEPS;
use holloway_lang::ir::BinaryOp;

/// A value that varies, and its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Varying {
    pub(super) value: Value,
    pub(super) range: Range,
}

/// Finds the value of known range in an index that everything else in it is invariant beside.
pub(super) fn varying(walk: &Walk<'_>, index: Value, invariant: &impl Fn(Value) -> bool) -> Option<Varying> {
    let func: &Func = walk.func;
    let mut value = index;
    for _ in 0..MAX_STEPS {
        let range = walk.range(value, 0);
        let is_narrow = |end: i64| end.unsigned_abs() <= super::affine::SMALL;
        if is_narrow(range.least) && is_narrow(range.most) {
            return Some(Varying { value, range });
        }
        let data = &func.insts[func.def_inst(value)?];
        let (Op::Binary(op), &[x, y]) = (data.op, data.args.as_slice()) else { return None };
        let is_followed = matches!(op, BinaryOp::IntAdd | BinaryOp::IntSub | BinaryOp::IntMul | BinaryOp::IntShl);
        value = match (invariant(x), invariant(y)) {
            (true, false) if is_followed => y,
            (false, true) if is_followed => x,
            _ => return None,
        };
    }
    None
}

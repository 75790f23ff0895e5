//! Ranges of integers, and those that operators give their results.
//!
//! In: the ranges of operands. Out: a range that has every result. Invariant: what may wrap can be anything.

use holloway_lang::ir::BinaryOp;

/// The values an integer or a `bool` may have, both ends included; a `bool` is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::opt) struct Range {
    pub(in crate::opt) least: i64,
    pub(in crate::opt) most: i64,
}

impl Range {
    /// Returns whether all of another range is in this one.
    pub(super) fn contains(self, other: Range) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// The least range with all of both.
    pub(super) fn hull(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

pub(super) const ANY: Range = Range { least: i64::MIN, most: i64::MAX };
pub(super) const BOOL: Range = Range { least: 0, most: 1 };

/// Returns whether the range of an operator's result depends on those of its operands; else they need not be looked at.
pub(super) fn is_bounded(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, IntAdd | IntSub | IntMul | IntAnd | IntUshr | IntShr | IntRem | IntMin | IntMax | BoolAnd | BoolOr)
        || is_comparison(op)
}

/// Returns whether an operator compares integers.
pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, IntEq | IntNe | IntLt | IntLe | IntGt | IntGe)
}

/// The range of an operator's result.
pub(super) fn binary(op: BinaryOp, x: Range, y: Range) -> Range {
    let decided = |always: bool, never: bool| match (always, never) {
        (true, _) => Range { least: 1, most: 1 },
        (_, true) => Range { least: 0, most: 0 },
        _ => BOOL,
    };
    let ends = |least: Option<i64>, most: Option<i64>| match (least, most) {
        (Some(least), Some(most)) => Range { least, most },
        _ => ANY,
    };
    match op {
        BinaryOp::IntAdd => ends(x.least.checked_add(y.least), x.most.checked_add(y.most)),
        BinaryOp::IntSub => ends(x.least.checked_sub(y.most), x.most.checked_sub(y.least)),
        BinaryOp::IntMul if x.least >= 0 && y.least >= 0 => {
            ends(x.least.checked_mul(y.least), x.most.checked_mul(y.most))
        }
        BinaryOp::IntAnd if x.least >= 0 && y.least >= 0 => Range { least: 0, most: x.most.min(y.most) },
        BinaryOp::IntAnd if x.least >= 0 => Range { least: 0, most: x.most },
        BinaryOp::IntAnd if y.least >= 0 => Range { least: 0, most: y.most },
        BinaryOp::IntUshr if y.least == y.most && (1..64).contains(&y.least) => {
            let most = if x.least >= 0 { x.most as u64 } else { u64::MAX };
            Range { least: 0, most: (most >> y.least) as i64 }
        }
        BinaryOp::IntShr if y.least == y.most && (0..64).contains(&y.least) => {
            Range { least: x.least >> y.least, most: x.most >> y.least }
        }
        BinaryOp::IntRem if y.least == y.most && y.least > 0 => {
            let below = y.least - 1;
            Range { least: if x.least >= 0 { 0 } else { -below }, most: below }
        }
        BinaryOp::IntMin => Range { least: x.least.min(y.least), most: x.most.min(y.most) },
        BinaryOp::IntMax => Range { least: x.least.max(y.least), most: x.most.max(y.most) },
        BinaryOp::IntEq => decided(x.least == x.most && x == y, x.most < y.least || y.most < x.least),
        BinaryOp::IntNe => decided(x.most < y.least || y.most < x.least, x.least == x.most && x == y),
        BinaryOp::IntLt => decided(x.most < y.least, x.least >= y.most),
        BinaryOp::IntLe => decided(x.most <= y.least, x.least > y.most),
        BinaryOp::IntGt => decided(x.least > y.most, x.most <= y.least),
        BinaryOp::IntGe => decided(x.least >= y.most, x.most < y.least),
        BinaryOp::BoolAnd => decided(x.least == 1 && y.least == 1, x.most == 0 || y.most == 0),
        BinaryOp::BoolOr => decided(x.least == 1 || y.least == 1, x.most == 0 && y.most == 0),
        _ => ANY,
    }
}

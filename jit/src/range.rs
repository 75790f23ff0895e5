//! Ranges of integers, and those that operators give their results.
//!
//! In: the ranges of operands. Out: a range that has every result. Invariant: what may wrap can be anything.

use holloway_lang::ir::{Access, BinaryOp, UnaryOp};

/// The values an integer or a `bool` may have, both ends included; a `bool` is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least of them.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

impl Range {
    /// A range of one value.
    pub(crate) fn just(value: i64) -> Range {
        Range { least: value, most: value }
    }

    /// From 0 to a greatest value.
    pub(crate) fn up_to(most: i64) -> Range {
        Range { least: 0, most }
    }

    /// Returns whether all of another range is in this one.
    pub(crate) fn contains(self, other: Range) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// The least range with all of both.
    pub(crate) fn hull(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The intersection with another one; none if that is empty.
    pub(crate) fn both(self, other: Range) -> Option<Range> {
        let both = Range { least: self.least.max(other.least), most: self.most.min(other.most) };
        (both.least <= both.most).then_some(both)
    }
}

/// Every integer.
pub(crate) const ANY: Range = Range { least: i64::MIN, most: i64::MAX };
/// Every `bool`.
pub(crate) const BOOL: Range = Range { least: 0, most: 1 };
/// Integers of which only the low 32 bits are not 0.
pub(crate) const WORD: Range = Range { least: 0, most: u32::MAX as i64 };

/// Returns whether the range of an operator's result depends on those of its operands; else they need not be looked at.
pub(crate) fn is_bounded(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        IntAdd
            | IntSub
            | IntMul
            | IntAnd
            | IntOr
            | IntXor
            | IntShl
            | IntUshr
            | IntShr
            | IntDiv
            | IntRem
            | IntMin
            | IntMax
            | WordAdd
            | WordSub
            | WordMul
            | WordShl
            | WordRotl
            | UintRem
            | BoolAnd
            | BoolOr
    ) || is_comparison(op)
}

/// Returns whether an operator compares integers.
pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, IntEq | IntNe | IntLt | IntLe | IntGt | IntGe)
}

/// The range of an operator's result.
pub(crate) fn unary(op: UnaryOp, x: Range) -> Range {
    match op {
        UnaryOp::IntNot => Range { least: !x.most, most: !x.least },
        UnaryOp::BoolToInt => x.both(BOOL).unwrap_or(BOOL),
        UnaryOp::BoolNot => x.both(BOOL).map_or(BOOL, |x| Range { least: 1 - x.most, most: 1 - x.least }),
        UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz => Range::up_to(64),
        UnaryOp::Signed8 => extended(x, i64::from(i8::MIN), i64::from(i8::MAX)),
        UnaryOp::Signed16 => extended(x, i64::from(i16::MIN), i64::from(i16::MAX)),
        UnaryOp::Signed32 => extended(x, i64::from(i32::MIN), i64::from(i32::MAX)),
        UnaryOp::FloatToSingle | UnaryOp::IntToSingle | UnaryOp::UintToSingle => WORD,
        UnaryOp::IntNeg
        | UnaryOp::IntAbs
        | UnaryOp::Nearest
        | UnaryOp::FloatBits
        | UnaryOp::FloatOfBits
        | UnaryOp::UintToFloat
        | UnaryOp::FloatToUint
        | UnaryOp::SingleToFloat
        | UnaryOp::IntToFloat
        | UnaryOp::FloatToInt
        | UnaryOp::FloatNeg
        | UnaryOp::FloatAbs
        | UnaryOp::Sqrt
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Trunc => ANY,
    }
}

/// The range of an operator's result.
pub(crate) fn binary(op: BinaryOp, x: Range, y: Range) -> Range {
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
        BinaryOp::IntAnd if x.least >= 0 && y.least >= 0 => Range::up_to(x.most.min(y.most)),
        BinaryOp::IntAnd if x.least >= 0 => Range::up_to(x.most),
        BinaryOp::IntAnd if y.least >= 0 => Range::up_to(y.most),
        BinaryOp::IntOr if x.least >= 0 && y.least >= 0 => {
            Range { least: x.least.max(y.least), most: bits_of(x.most | y.most) }
        }
        BinaryOp::IntXor if x.least >= 0 && y.least >= 0 => Range::up_to(bits_of(x.most | y.most)),
        BinaryOp::IntShl if y.least == y.most && (0..63).contains(&y.least) => {
            let fits = x.least >= 0 && x.most <= i64::MAX >> y.least;
            if fits { Range { least: x.least << y.least, most: x.most << y.least } } else { ANY }
        }
        BinaryOp::IntUshr if y.least == y.most && (1..64).contains(&y.least) => {
            let most = if x.least >= 0 { x.most as u64 } else { u64::MAX };
            Range::up_to((most >> y.least) as i64)
        }
        BinaryOp::IntShr if y.least == y.most && (0..64).contains(&y.least) => {
            Range { least: x.least >> y.least, most: x.most >> y.least }
        }
        BinaryOp::IntShr | BinaryOp::IntUshr if x.least >= 0 => Range::up_to(x.most),
        BinaryOp::IntDiv if y.least > 0 => {
            let of = |x: i64| [x / y.least, x / y.most];
            let [a, b] = of(x.least);
            let [c, d] = of(x.most);
            Range { least: a.min(b), most: c.max(d) }
        }
        BinaryOp::WordAdd => word(binary(BinaryOp::IntAdd, x, y)),
        BinaryOp::WordSub => word(binary(BinaryOp::IntSub, x, y)),
        BinaryOp::WordMul => word(binary(BinaryOp::IntMul, x, y)),
        BinaryOp::WordShl | BinaryOp::WordRotl => WORD,
        BinaryOp::UintRem if x.least >= 0 && y.least > 0 => remainder(x, y),
        BinaryOp::IntRem => remainder(x, y),
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

/// The range of the low 32 bits of a number.
fn word(x: Range) -> Range {
    if WORD.contains(x) { x } else { WORD }
}

/// The range of the low bits of a number, extended to one between two ends.
fn extended(x: Range, least: i64, most: i64) -> Range {
    let all = Range { least, most };
    if all.contains(x) { x } else { all }
}

/// The range of what is read from the linear memory.
pub(crate) fn of_access(access: Access) -> Range {
    match access {
        Access::U8 => Range::up_to(i64::from(u8::MAX)),
        Access::U16 => Range::up_to(i64::from(u16::MAX)),
        Access::U32 => WORD,
        Access::S8 => Range { least: i64::from(i8::MIN), most: i64::from(i8::MAX) },
        Access::S16 => Range { least: i64::from(i16::MIN), most: i64::from(i16::MAX) },
        Access::S32 => Range { least: i64::from(i32::MIN), most: i64::from(i32::MAX) },
        Access::Int | Access::Float => ANY,
    }
}

/// A remainder has the sign of the dividend, and is less than the divisor and at most the dividend.
fn remainder(x: Range, y: Range) -> Range {
    let below = match y.least {
        1.. => y.most - 1,
        _ => i64::MAX,
    };
    let most = if x.most >= 0 { x.most.min(below) } else { 0 };
    let least = if x.least < 0 { x.least.max(-below) } else { 0 };
    Range { least, most }
}

/// The greatest number with no more bits than one that is not negative.
fn bits_of(most: i64) -> i64 {
    match most {
        ..=0 => 0,
        _ => (u64::MAX >> most.leading_zeros()) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::{Range, binary, unary};
    use holloway_lang::ir::{BinaryOp, UnaryOp};
    use proptest::prelude::{any, prop_assert, proptest};

    /// Both ends and what is between, near them and far.
    fn of(a: i64, b: i64, at: i64) -> (Range, i64) {
        let (least, most) = (a.min(b), a.max(b));
        let value =
            least.saturating_add(at.unsigned_abs().min(most.wrapping_sub(least) as u64) as i64).clamp(least, most);
        (Range { least, most }, value)
    }

    proptest! {
        #[test]
        fn results_are_in_their_range(
            ends in any::<[i64; 4]>(), at in any::<[i64; 2]>(), bits in proptest::array::uniform6(0..64u32),
        ) {
            let ends: Vec<i64> = ends.iter().zip(bits).map(|(end, bits)| end >> bits).collect();
            let (of_x, x) = of(ends[0], ends[1], at[0] >> bits[4]);
            let (of_y, y) = of(ends[2], ends[3], at[1] >> bits[5]);
            for op in BinaryOp::ALL {
                if let Some(holloway_lang::ir::Operand::Int(result)) = crate::opt::simplify::fold_ints(*op, x, y) {
                    let range = binary(*op, of_x, of_y);
                    prop_assert!(range.least <= result && result <= range.most, "{op:?} {x} {y}: {result} in {range:?}");
                }
            }
            let range = unary(UnaryOp::IntNot, of_x);
            prop_assert!(range.least <= !x && !x <= range.most);
        }
    }

    #[test]
    fn masks_and_rotations_stay_within_their_bits() {
        let word = Range::up_to(0xffff_ffff);
        assert_eq!(binary(BinaryOp::IntXor, word, word), word);
        assert_eq!(binary(BinaryOp::IntOr, word, Range::just(1)), Range { least: 1, most: 0xffff_ffff });
        assert_eq!(binary(BinaryOp::IntShl, word, Range::just(7)), Range::up_to(0xffff_ffff << 7));
        assert_eq!(binary(BinaryOp::IntRem, word, Range { least: i64::MIN, most: i64::MAX }), word);
    }
}

//! Operators on words: the definition of each operator of the IR.
//! In: operands as words. Out: the result as a word; for division by 0, a failure.
//! Invariant: compiled code is compared with this definition, down to the bits of a float; of a NaN only that it is
//! one.

use holloway_ir::{BinaryOp, UnaryOp};
use holloway_runtime::failure::FailureKind;

/// Applies an operator of one operand.
pub fn unary(op: UnaryOp, word: u64) -> u64 {
    let (int, float) = (word as i64, f64::from_bits(word));
    match op {
        UnaryOp::IntNeg => int.wrapping_neg() as u64,
        UnaryOp::IntNot => !word,
        UnaryOp::IntAbs => int.wrapping_abs() as u64,
        UnaryOp::Popcount => u64::from(word.count_ones()),
        UnaryOp::Clz => u64::from(word.leading_zeros()),
        UnaryOp::Ctz => u64::from(word.trailing_zeros()),
        UnaryOp::IntToFloat => (int as f64).to_bits(),
        UnaryOp::FloatToInt => float as i64 as u64,
        UnaryOp::FloatNeg => (-float).to_bits(),
        UnaryOp::FloatAbs => float.abs().to_bits(),
        UnaryOp::Sqrt => float.sqrt().to_bits(),
        UnaryOp::Floor => rounded(float, f64::floor),
        UnaryOp::Ceil => rounded(float, f64::ceil),
        UnaryOp::Trunc => rounded(float, f64::trunc),
        UnaryOp::Nearest => rounded(float, f64::round_ties_even),
        UnaryOp::Signed8 => word as i8 as u64,
        UnaryOp::Signed16 => word as i16 as u64,
        UnaryOp::Signed32 => word as i32 as u64,
        UnaryOp::FloatBits | UnaryOp::FloatOfBits => word,
        UnaryOp::UintToFloat => (word as f64).to_bits(),
        UnaryOp::FloatToUint => float as u64,
        UnaryOp::SingleToFloat => f64::from(f32::from_bits(word as u32)).to_bits(),
        UnaryOp::FloatToSingle => u64::from((float as f32).to_bits()),
        UnaryOp::IntToSingle => u64::from((int as f32).to_bits()),
        UnaryOp::UintToSingle => u64::from((word as f32).to_bits()),
        UnaryOp::BoolNot => word ^ 1,
        UnaryOp::BoolToInt => word,
    }
}

/// Rounds; a NaN becomes a quiet one, as in all other operators.
fn rounded(float: f64, round: fn(f64) -> f64) -> u64 {
    /// Tells quiet NaNs from signalling ones.
    const QUIET: u64 = 1 << 51;
    if float.is_nan() { float.to_bits() | QUIET } else { round(float).to_bits() }
}

/// Applies an operator of two operands.
pub fn binary(op: BinaryOp, lhs: u64, rhs: u64) -> Result<u64, FailureKind> {
    let (a, b) = (lhs as i64, rhs as i64);
    let (x, y) = (f64::from_bits(lhs), f64::from_bits(rhs));
    Ok(match op {
        BinaryOp::IntAdd => a.wrapping_add(b) as u64,
        BinaryOp::IntSub => a.wrapping_sub(b) as u64,
        BinaryOp::IntMul => a.wrapping_mul(b) as u64,
        BinaryOp::IntDiv if b == 0 => return Err(FailureKind::DivisionByZero),
        BinaryOp::IntDiv => a.wrapping_div(b) as u64,
        BinaryOp::IntRem if b == 0 => return Err(FailureKind::DivisionByZero),
        BinaryOp::IntRem => a.wrapping_rem(b) as u64,
        BinaryOp::IntAnd | BinaryOp::BoolAnd => lhs & rhs,
        BinaryOp::IntOr | BinaryOp::BoolOr => lhs | rhs,
        BinaryOp::IntXor | BinaryOp::BoolXor => lhs ^ rhs,
        // The wrapping shifts take the low 6 bits of the count.
        BinaryOp::IntShl => a.wrapping_shl(b as u32) as u64,
        BinaryOp::IntShr => a.wrapping_shr(b as u32) as u64,
        BinaryOp::IntUshr => lhs.wrapping_shr(b as u32),
        BinaryOp::IntMin => a.min(b) as u64,
        BinaryOp::IntMax => a.max(b) as u64,
        BinaryOp::WordAdd => u64::from((lhs as u32).wrapping_add(rhs as u32)),
        BinaryOp::WordSub => u64::from((lhs as u32).wrapping_sub(rhs as u32)),
        BinaryOp::WordMul => u64::from((lhs as u32).wrapping_mul(rhs as u32)),
        BinaryOp::WordShl => u64::from((lhs as u32).wrapping_shl(rhs as u32)),
        BinaryOp::WordRotl => u64::from((lhs as u32).rotate_left(rhs as u32 % 32)),
        BinaryOp::IntRotl => lhs.rotate_left(rhs as u32 % 64),
        BinaryOp::UintDiv => lhs.checked_div(rhs).ok_or(FailureKind::DivisionByZero)?,
        BinaryOp::UintRem => lhs.checked_rem(rhs).ok_or(FailureKind::DivisionByZero)?,
        BinaryOp::UintLt => u64::from(lhs < rhs),
        BinaryOp::IntEq | BinaryOp::BoolEq | BinaryOp::RefEq | BinaryOp::FuncEq => u64::from(lhs == rhs),
        BinaryOp::IntNe | BinaryOp::BoolNe | BinaryOp::RefNe | BinaryOp::FuncNe => u64::from(lhs != rhs),
        BinaryOp::IntLt => u64::from(a < b),
        BinaryOp::IntLe => u64::from(a <= b),
        BinaryOp::IntGt => u64::from(a > b),
        BinaryOp::IntGe => u64::from(a >= b),
        BinaryOp::FloatAdd => (x + y).to_bits(),
        BinaryOp::FloatSub => (x - y).to_bits(),
        BinaryOp::FloatMul => (x * y).to_bits(),
        BinaryOp::FloatDiv => (x / y).to_bits(),
        BinaryOp::FloatRem => (x % y).to_bits(),
        BinaryOp::FloatMin => float_min(x, y).to_bits(),
        BinaryOp::FloatMax => float_max(x, y).to_bits(),
        BinaryOp::FloatMinimum => if x.is_nan() || y.is_nan() { x + y } else { float_min(x, y) }.to_bits(),
        BinaryOp::FloatMaximum => if x.is_nan() || y.is_nan() { x + y } else { float_max(x, y) }.to_bits(),
        BinaryOp::FloatCopysign => x.copysign(y).to_bits(),
        BinaryOp::FloatEq => u64::from(x == y),
        BinaryOp::FloatNe => u64::from(x != y),
        BinaryOp::FloatLt => u64::from(x < y),
        BinaryOp::FloatLe => u64::from(x <= y),
        BinaryOp::FloatGt => u64::from(x > y),
        BinaryOp::FloatGe => u64::from(x >= y),
    })
}

/// The lesser; of a NaN and a number, the number; -0.0 is less than 0.0. Rust's own `min` leaves the zeros open.
fn float_min(x: f64, y: f64) -> f64 {
    match x == y {
        true if x.is_sign_negative() => x,
        true => y,
        false => x.min(y),
    }
}

/// The greater; of a NaN and a number, the number; 0.0 is greater than -0.0.
fn float_max(x: f64, y: f64) -> f64 {
    match x == y {
        true if x.is_sign_positive() => x,
        true => y,
        false => x.max(y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, a: i64, b: i64) -> i64 {
        binary(op, a as u64, b as u64).expect("no failure") as i64
    }

    fn float(op: BinaryOp, a: f64, b: f64) -> f64 {
        f64::from_bits(binary(op, a.to_bits(), b.to_bits()).expect("no failure"))
    }

    #[test]
    fn division_truncates_and_its_edges_are_defined() {
        assert_eq!([int(BinaryOp::IntDiv, -7, 2), int(BinaryOp::IntRem, -7, 2)], [-3, -1]);
        assert_eq!([int(BinaryOp::IntDiv, i64::MIN, -1), int(BinaryOp::IntRem, i64::MIN, -1)], [i64::MIN, 0]);
        for op in [BinaryOp::IntDiv, BinaryOp::IntRem] {
            assert_eq!(binary(op, 1, 0), Err(FailureKind::DivisionByZero));
        }
    }

    #[test]
    fn shift_counts_use_six_bits() {
        assert_eq!(int(BinaryOp::IntShl, 1, 65), 2);
        assert_eq!(int(BinaryOp::IntShl, 1, -1), i64::MIN);
        assert_eq!(int(BinaryOp::IntShr, -8, 64 + 1), -4);
        assert_eq!(int(BinaryOp::IntUshr, -1, 60 + 64), 15);
        assert_eq!(int(BinaryOp::IntShl, 3, 1 << 40), 3);
    }

    #[test]
    fn minimum_and_maximum_know_zeros_and_nan() {
        for (a, b) in [(-0.0, 0.0), (0.0, -0.0)] {
            assert_eq!(float(BinaryOp::FloatMin, a, b).to_bits(), (-0.0_f64).to_bits());
            assert_eq!(float(BinaryOp::FloatMax, a, b).to_bits(), 0.0_f64.to_bits());
        }
        for op in [BinaryOp::FloatMin, BinaryOp::FloatMax] {
            assert_eq!([float(op, f64::NAN, 1.0), float(op, 1.0, -f64::NAN)], [1.0, 1.0]);
            assert!(float(op, f64::NAN, f64::NAN).is_nan());
        }
        assert_eq!([float(BinaryOp::FloatMin, 1.0, 2.0), float(BinaryOp::FloatMax, 1.0, 2.0)], [1.0, 2.0]);
    }

    #[test]
    fn conversions_saturate() {
        let to_int = |x: f64| unary(UnaryOp::FloatToInt, x.to_bits()) as i64;
        assert_eq!([to_int(f64::NAN), to_int(1e300), to_int(-1e300), to_int(-1.9)], [0, i64::MAX, i64::MIN, -1]);
        assert_eq!(unary(UnaryOp::IntAbs, i64::MIN as u64), i64::MIN as u64);
        assert_eq!([unary(UnaryOp::Clz, 0), unary(UnaryOp::Ctz, 0), unary(UnaryOp::Popcount, u64::MAX)], [64; 3]);
    }

    #[test]
    fn remainder_is_that_of_c() {
        assert_eq!(float(BinaryOp::FloatRem, -7.5, 2.0), -1.5);
        assert!(float(BinaryOp::FloatRem, 1.0, 0.0).is_nan());
    }
}

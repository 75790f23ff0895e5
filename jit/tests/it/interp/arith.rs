//! Operators on words, for the interpreter of the SSA form.
//!
//! In: operands as words. Out: the result as a word. Invariant: as the reference interpreter computes them; a division by 0,
//! which a check stands before, breaks the machine.

use super::Stop;
use holloway_lang::ir::{BinaryOp, UnaryOp};

/// Applies an operator of one operand.
pub(super) fn unary(op: UnaryOp, word: u64) -> u64 {
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
        UnaryOp::FloatNeg => word ^ (1 << 63),
        UnaryOp::FloatAbs => word & !(1 << 63),
        UnaryOp::Sqrt => float.sqrt().to_bits(),
        UnaryOp::Floor => float.floor().to_bits(),
        UnaryOp::Ceil => float.ceil().to_bits(),
        UnaryOp::Trunc => float.trunc().to_bits(),
        UnaryOp::Nearest => float.round_ties_even().to_bits(),
        UnaryOp::Signed8 => (int << 56 >> 56) as u64,
        UnaryOp::Signed16 => (int << 48 >> 48) as u64,
        UnaryOp::Signed32 => (int << 32 >> 32) as u64,
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

/// Applies an operator of two operands.
pub(super) fn binary(op: BinaryOp, lhs: u64, rhs: u64) -> Result<u64, Stop> {
    let (a, b) = (lhs as i64, rhs as i64);
    let (x, y) = (f64::from_bits(lhs), f64::from_bits(rhs));
    if op.can_fail() && b == 0 {
        return Err(Stop::Broken("a division by zero that nothing checked".to_owned()));
    }
    Ok(match op {
        BinaryOp::IntAdd => a.wrapping_add(b) as u64,
        BinaryOp::IntSub => a.wrapping_sub(b) as u64,
        BinaryOp::IntMul => a.wrapping_mul(b) as u64,
        BinaryOp::IntDiv => a.wrapping_div(b) as u64,
        BinaryOp::IntRem => a.wrapping_rem(b) as u64,
        BinaryOp::IntAnd | BinaryOp::BoolAnd => lhs & rhs,
        BinaryOp::IntOr | BinaryOp::BoolOr => lhs | rhs,
        BinaryOp::IntXor | BinaryOp::BoolXor => lhs ^ rhs,
        BinaryOp::IntShl => a.wrapping_shl(b as u32) as u64,
        BinaryOp::IntShr => a.wrapping_shr(b as u32) as u64,
        BinaryOp::IntUshr => lhs.wrapping_shr(b as u32),
        BinaryOp::IntMin => a.min(b) as u64,
        BinaryOp::IntMax => a.max(b) as u64,
        BinaryOp::WordAdd => a.wrapping_add(b) as u64 & 0xffff_ffff,
        BinaryOp::WordSub => a.wrapping_sub(b) as u64 & 0xffff_ffff,
        BinaryOp::WordMul => a.wrapping_mul(b) as u64 & 0xffff_ffff,
        BinaryOp::WordShl => lhs << (rhs & 31) & 0xffff_ffff,
        BinaryOp::WordRotl => u64::from((lhs as u32).rotate_left(rhs as u32 & 31)),
        BinaryOp::IntRotl => lhs.rotate_left(rhs as u32 & 63),
        BinaryOp::UintDiv => lhs / rhs,
        BinaryOp::UintRem => lhs % rhs,
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
        BinaryOp::FloatMin => if x.is_nan() || y < x || (x == y && y.is_sign_negative()) { y } else { x }.to_bits(),
        BinaryOp::FloatMax => if x.is_nan() || y > x || (x == y && y.is_sign_positive()) { y } else { x }.to_bits(),
        BinaryOp::FloatMinimum | BinaryOp::FloatMaximum if x.is_nan() || y.is_nan() => f64::NAN.to_bits(),
        BinaryOp::FloatMinimum => if y < x || (x == y && y.is_sign_negative()) { y } else { x }.to_bits(),
        BinaryOp::FloatMaximum => if y > x || (x == y && y.is_sign_positive()) { y } else { x }.to_bits(),
        BinaryOp::FloatCopysign => x.copysign(y).to_bits(),
        BinaryOp::FloatEq => u64::from(x == y),
        BinaryOp::FloatNe => u64::from(x != y),
        BinaryOp::FloatLt => u64::from(x < y),
        BinaryOp::FloatLe => u64::from(x <= y),
        BinaryOp::FloatGt => u64::from(x > y),
        BinaryOp::FloatGe => u64::from(x >= y),
    })
}

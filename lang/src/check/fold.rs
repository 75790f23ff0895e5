//! The value of a constant expression.
//!
//! In: a checked expression. Out: its value, or the part that is not constant. Invariant: the value is the one that the
//! expression would have at run time: integers wrap, shifts use six bits, floats are IEEE.

use super::environment::{ConstValue, Environment};
use super::error::CheckError;
use crate::ir::{BinaryOp, Builtin, UnaryOp};
use crate::settings::check::MAX_STRING;
use crate::source::Span;
use crate::tast::{Callee, Comparison, Expr, ExprKind};

type Folded<T> = Result<T, (CheckError, Span)>;

/// Evaluates `expr`.
pub(super) fn fold(env: &mut Environment, expr: &Expr) -> Folded<ConstValue> {
    use ConstValue::{Bool, Float, Int, Str};
    let not_constant = || Err((CheckError::NotConstant, expr.span));
    match &expr.kind {
        ExprKind::Int(n) => Ok(Int(*n)),
        ExprKind::Float(x) => Ok(Float(*x)),
        ExprKind::Bool(b) => Ok(Bool(*b)),
        ExprKind::Str(s) => Ok(Str(*s)),
        ExprKind::Unary { op, operand } => unary(*op, fold(env, operand)?).map_or_else(not_constant, Ok),
        ExprKind::Binary { op, lhs, rhs } => match (*op, fold(env, lhs)?, fold(env, rhs)?) {
            (BinaryOp::IntDiv | BinaryOp::IntRem, _, Int(0)) => Err((CheckError::ConstantDivision, expr.span)),
            (op, Int(a), Int(b)) => int_binary(op, a, b).map_or_else(not_constant, Ok),
            (op, Float(a), Float(b)) => float_binary(op, a, b).map_or_else(not_constant, Ok),
            (op, Bool(a), Bool(b)) => bool_binary(op, a, b).map_or_else(not_constant, |b| Ok(Bool(b))),
            _ => not_constant(),
        },
        ExprKind::And(lhs, rhs) => match (fold(env, lhs)?, fold(env, rhs)?) {
            (Bool(a), Bool(b)) => Ok(Bool(a && b)),
            _ => not_constant(),
        },
        ExprKind::Or(lhs, rhs) => match (fold(env, lhs)?, fold(env, rhs)?) {
            (Bool(a), Bool(b)) => Ok(Bool(a || b)),
            _ => not_constant(),
        },
        ExprKind::StrCompare { op, lhs, rhs } => match (fold(env, lhs)?, fold(env, rhs)?) {
            (Str(a), Str(b)) => Ok(Bool(compare(*op, &env.module.strings[a], &env.module.strings[b]))),
            _ => not_constant(),
        },
        ExprKind::Call(call) => {
            let Callee::Builtin(builtin) = call.callee else { return not_constant() };
            let args = call.args.iter().map(|arg| fold(env, arg)).collect::<Folded<Vec<_>>>()?;
            let Some(text) = text_of(env, builtin, &args) else { return not_constant() };
            if text.len() > MAX_STRING {
                return Err((CheckError::ConstantTooLong { limit: MAX_STRING }, expr.span));
            }
            Ok(Str(env.string(&text)))
        }
        ExprKind::None
        | ExprKind::Func(_)
        | ExprKind::Var(_)
        | ExprKind::Global(_)
        | ExprKind::Some(_)
        | ExprKind::Construct { .. }
        | ExprKind::Closure { .. }
        | ExprKind::ListIndex { .. }
        | ExprKind::Select(_)
        | ExprKind::Index { .. }
        | ExprKind::Slice { .. }
        | ExprKind::Field { .. }
        | ExprKind::Unwrap(_)
        | ExprKind::Len(_)
        | ExprKind::Array { .. }
        | ExprKind::Repeat { .. }
        | ExprKind::If(_)
        | ExprKind::Match(_)
        | ExprKind::Block(_) => not_constant(),
    }
}

fn unary(op: UnaryOp, value: ConstValue) -> Option<ConstValue> {
    use ConstValue::{Bool, Float, Int};
    Some(match (op, value) {
        (UnaryOp::IntNeg, Int(n)) => Int(n.wrapping_neg()),
        (UnaryOp::IntNot, Int(n)) => Int(!n),
        (UnaryOp::IntAbs, Int(n)) => Int(n.wrapping_abs()),
        (UnaryOp::Popcount, Int(n)) => Int(i64::from(n.count_ones())),
        (UnaryOp::Clz, Int(n)) => Int(i64::from(n.leading_zeros())),
        (UnaryOp::Ctz, Int(n)) => Int(i64::from(n.trailing_zeros())),
        (UnaryOp::IntToFloat, Int(n)) => Float(n as f64),
        (UnaryOp::FloatToInt, Float(x)) => Int(x as i64),
        (UnaryOp::FloatNeg, Float(x)) => Float(-x),
        (UnaryOp::FloatAbs, Float(x)) => Float(x.abs()),
        (UnaryOp::Sqrt, Float(x)) => Float(x.sqrt()),
        (UnaryOp::Floor, Float(x)) => Float(x.floor()),
        (UnaryOp::Ceil, Float(x)) => Float(x.ceil()),
        (UnaryOp::Trunc, Float(x)) => Float(x.trunc()),
        (UnaryOp::BoolNot, Bool(b)) => Bool(!b),
        (UnaryOp::BoolToInt, Bool(b)) => Int(i64::from(b)),
        (_, Int(_) | Float(_) | Bool(_) | ConstValue::Str(_)) => return None,
    })
}

/// Divisions by zero are refused before.
fn int_binary(op: BinaryOp, a: i64, b: i64) -> Option<ConstValue> {
    use BinaryOp as Op;
    use ConstValue::{Bool, Int};
    Some(match op {
        Op::IntAdd => Int(a.wrapping_add(b)),
        Op::IntSub => Int(a.wrapping_sub(b)),
        Op::IntMul => Int(a.wrapping_mul(b)),
        Op::IntDiv => Int(a.wrapping_div(b)),
        Op::IntRem => Int(a.wrapping_rem(b)),
        Op::IntAnd => Int(a & b),
        Op::IntOr => Int(a | b),
        Op::IntXor => Int(a ^ b),
        Op::IntShl => Int(a.wrapping_shl((b & 63) as u32)),
        Op::IntShr => Int(a.wrapping_shr((b & 63) as u32)),
        Op::IntUshr => Int((a as u64).wrapping_shr((b & 63) as u32) as i64),
        Op::IntMin => Int(a.min(b)),
        Op::IntMax => Int(a.max(b)),
        Op::IntEq => Bool(a == b),
        Op::IntNe => Bool(a != b),
        Op::IntLt => Bool(a < b),
        Op::IntLe => Bool(a <= b),
        Op::IntGt => Bool(a > b),
        Op::IntGe => Bool(a >= b),
        _ => return None,
    })
}

fn float_binary(op: BinaryOp, a: f64, b: f64) -> Option<ConstValue> {
    use BinaryOp as Op;
    use ConstValue::{Bool, Float};
    // -0.0 is less than 0.0 here, though equal to it.
    let zeros = a == 0.0 && b == 0.0;
    Some(match op {
        Op::FloatAdd => Float(a + b),
        Op::FloatSub => Float(a - b),
        Op::FloatMul => Float(a * b),
        Op::FloatDiv => Float(a / b),
        Op::FloatRem => Float(a % b),
        Op::FloatMin if zeros => Float(if a.is_sign_negative() { a } else { b }),
        Op::FloatMax if zeros => Float(if a.is_sign_negative() { b } else { a }),
        Op::FloatMin => Float(a.min(b)),
        Op::FloatMax => Float(a.max(b)),
        Op::FloatEq => Bool(a == b),
        Op::FloatNe => Bool(a != b),
        Op::FloatLt => Bool(a < b),
        Op::FloatLe => Bool(a <= b),
        Op::FloatGt => Bool(a > b),
        Op::FloatGe => Bool(a >= b),
        _ => return None,
    })
}

fn bool_binary(op: BinaryOp, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        BinaryOp::BoolAnd => a & b,
        BinaryOp::BoolOr => a | b,
        BinaryOp::BoolXor | BinaryOp::BoolNe => a != b,
        BinaryOp::BoolEq => a == b,
        _ => return None,
    })
}

fn compare(op: Comparison, a: &[u8], b: &[u8]) -> bool {
    match op {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

/// The string that a conversion or concatenation gives.
fn text_of(env: &Environment, builtin: Builtin, args: &[ConstValue]) -> Option<Vec<u8>> {
    use ConstValue::{Bool, Float, Int, Str};
    Some(match (builtin, args) {
        (Builtin::StrOfInt, [Int(n)]) => n.to_string().into_bytes(),
        (Builtin::StrOfFloat, [Float(x)]) if x.is_nan() => b"nan".to_vec(),
        (Builtin::StrOfFloat, [Float(x)]) => format!("{x:?}").into_bytes(),
        (Builtin::StrOfBool, [Bool(b)]) => b.to_string().into_bytes(),
        (Builtin::StrConcat, [Str(a), Str(b)]) => [&*env.module.strings[*a], &*env.module.strings[*b]].concat(),
        _ => return None,
    })
}

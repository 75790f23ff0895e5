//! Constant folding and algebraic simplification, one instruction at a time; branches on constants become jumps.
//!
//! Requires: nothing. Preserves: effects in their order, every bit of every result. Arithmetic is folded by the rules of the
//! language; of floats constants only, as Cranelift would, but before code is placed by what is constant; floats are not reassociated.
//!
//! The divisions by powers of two follow [Warren], the reciprocals the rule that a quotient by a power of two is exact.
//!
//! [Warren] H. S. Warren, "Hacker's Delight", 2nd edition, Addison-Wesley 2013, chapter 10.

use super::Changed;
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, Mem, Op, Term, Value};
use holloway_lang::ir::{BinaryOp, Operand, Scalar, UnaryOp};

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    let mut with = Replacements::new(func);
    let mut changed = Changed::No;
    let blocks: Vec<Block> = func.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            func.insts[inst].args.iter_mut().for_each(|arg| *arg = with.resolve(*arg));
            match fold(func, inst) {
                Folded::Stays => kept.push(inst),
                Folded::Rewritten => {
                    kept.push(inst);
                    changed = Changed::Yes;
                }
                Folded::Gone => changed = Changed::Yes,
                Folded::Behind(new) => {
                    kept.extend([new, inst]);
                    changed = Changed::Yes;
                }
                Folded::Is(value) => {
                    let result = func.insts[inst].result.expect("what is folded has a result");
                    with.insert(result, value);
                    changed = Changed::Yes;
                }
            }
        }
        func.blocks[block].insts = kept;
    }
    with.apply(func);
    changed.or(branches(func))
}

enum Folded {
    Stays,
    /// It does the same in another way.
    Rewritten,
    /// A check that never fails.
    Gone,
    Is(Value),
    /// It has an operand that this instruction makes.
    Behind(Inst),
}

fn fold(func: &mut Func, inst: Inst) -> Folded {
    let data = &func.insts[inst];
    let (op, args) = (data.op, data.args.clone());
    if op == Op::Binary(BinaryOp::FloatDiv)
        && let Some(factor) = reciprocal(func, args[1])
    {
        func.insts[inst].op = Op::Binary(BinaryOp::FloatMul);
        func.insts[inst].args[1] = func.constant(factor);
        return Folded::Rewritten;
    }
    if op == Op::Binary(BinaryOp::IntSub)
        && let Some(bits) = func.as_int(args[0])
        && is_within(func, args[1], bits)
    {
        // Nothing is borrowed.
        func.insts[inst].op = Op::Binary(BinaryOp::IntXor);
        func.insts[inst].args.swap(0, 1);
        return Folded::Rewritten;
    }
    match op {
        Op::Unary(op) => match func.as_const(args[0]).and_then(|x| fold_unary(op, x)) {
            Some(constant) => Folded::Is(func.constant(constant)),
            None => Folded::Stays,
        },
        Op::Binary(op) => match low_bits_tested(func, op, &args) {
            Some((x, mask)) => {
                let (mask, site) = (func.int(mask), func.insts[inst].site);
                let low = func.make_inst(Op::Binary(BinaryOp::IntAnd), [x, mask], Some(Scalar::Int), site);
                func.insts[inst].args[0] = func.insts[low].result.expect("it has a result");
                Folded::Behind(low)
            }
            None => fold_binary(func, op, args[0], args[1]),
        },
        Op::Select => match func.as_const(args[0]) {
            Some(Operand::Bool(cond)) => Folded::Is(if cond { args[1] } else { args[2] }),
            _ => Folded::Stays,
        },
        Op::CallIndirect(_) => {
            let Some(Operand::Func(callee)) = func.as_const(args[0]) else { return Folded::Stays };
            let data = &mut func.insts[inst];
            data.op = Op::Call(callee);
            data.args.remove(0);
            Folded::Rewritten
        }
        Op::Load(Mem::Len) => length(func, args[0]).map_or(Folded::Stays, Folded::Is),
        Op::Load(Mem::Elem(_)) => match func.as_int(args[1]).and_then(|index| item(func, args[0], index)) {
            Some(constant) => Folded::Is(func.constant(constant)),
            None => Folded::Stays,
        },
        Op::Below => match (func.as_int(args[0]), func.as_int(args[1])) {
            (Some(a), Some(b)) => Folded::Is(func.constant(Operand::Bool((a as u64) < b as u64))),
            _ => Folded::Stays,
        },
        Op::CheckZero if func.as_int(args[0]).is_some_and(|divisor| divisor != 0) => Folded::Gone,
        Op::CheckIndex => match (func.as_int(args[0]), func.as_int(args[1])) {
            (Some(index), Some(len)) if (index as u64) < len as u64 => Folded::Gone,
            _ => Folded::Stays,
        },
        _ => Folded::Stays,
    }
}

/// Returns whether a value has no other bits than these.
fn is_within(func: &Func, value: Value, bits: i64) -> bool {
    let Some(data) = func.def_inst(value).map(|inst| &func.insts[inst]) else { return false };
    data.op == Op::Binary(BinaryOp::IntAnd)
        && data.args.iter().filter_map(|arg| func.as_int(*arg)).any(|mask| mask & !bits == 0)
}

/// Finds the dividend of a remainder by a power of two that is compared with 0, and the bits that are zero when it is.
fn low_bits_tested(func: &Func, op: BinaryOp, args: &[Value]) -> Option<(Value, i64)> {
    let tests = matches!(op, BinaryOp::IntEq | BinaryOp::IntNe) && func.as_int(args[1]) == Some(0);
    tests.then(|| low_bits(func, args[0])).flatten()
}

/// Finds the dividend of a remainder by a power of two, and the bits that are zero when it is: the low ones, whatever the sign.
fn low_bits(func: &Func, remainder: Value) -> Option<(Value, i64)> {
    let data = &func.insts[func.def_inst(remainder)?];
    let divisor = func.as_int(*data.args.get(1)?)?;
    let is_power = data.op == Op::Binary(BinaryOp::IntRem) && divisor > 0 && divisor & (divisor - 1) == 0;
    is_power.then(|| (data.args[0], divisor - 1))
}

/// The length of an array that is allocated here, or of which it is known wherever it is.
pub(super) fn length(func: &mut Func, array: Value) -> Option<Value> {
    if let Some(fact) = func.arrays.get(&array) {
        let length = fact.length;
        return Some(func.int(length));
    }
    let data = &func.insts[func.def_inst(array)?];
    match data.op {
        Op::NewArray(_) => Some(data.args[0]),
        Op::Allocated => data.args.get(1).copied(),
        Op::ArrayOf(_) => {
            let len = data.args.len() as i64;
            Some(func.int(len))
        }
        _ => None,
    }
}

/// The element of an array at an index, if nobody writes it.
fn item(func: &Func, array: Value, index: i64) -> Option<Operand> {
    func.arrays.get(&array)?.table.as_ref()?.at(index)
}

/// Returns the factor to multiply by instead of dividing, if that gives the same bits: the inverse of a power of two, neither subnormal.
fn reciprocal(func: &Func, divisor: Value) -> Option<Operand> {
    let Some(Operand::Float(bits)) = func.as_const(divisor) else { return None };
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) & 0x7ff);
    (fraction == 0 && (1..=2045).contains(&exponent)).then(|| Operand::Float((1.0 / f64::from_bits(bits)).to_bits()))
}

/// The result of an operation on a constant, if it has one.
pub(crate) fn fold_unary(op: UnaryOp, x: Operand) -> Option<Operand> {
    Some(match (op, x) {
        (UnaryOp::IntNeg, Operand::Int(x)) => Operand::Int(x.wrapping_neg()),
        (UnaryOp::IntNot, Operand::Int(x)) => Operand::Int(!x),
        (UnaryOp::Signed8, Operand::Int(x)) => Operand::Int(i64::from(x as i8)),
        (UnaryOp::Signed16, Operand::Int(x)) => Operand::Int(i64::from(x as i16)),
        (UnaryOp::Signed32, Operand::Int(x)) => Operand::Int(i64::from(x as i32)),
        (UnaryOp::FloatOfBits, Operand::Int(x)) => Operand::Float(x as u64),
        (UnaryOp::FloatBits, Operand::Float(x)) => Operand::Int(x as i64),
        (UnaryOp::IntToFloat, Operand::Int(x)) => Operand::Float((x as f64).to_bits()),
        (UnaryOp::BoolNot, Operand::Bool(x)) => Operand::Bool(!x),
        (UnaryOp::BoolToInt, Operand::Bool(x)) => Operand::Int(i64::from(x)),
        (UnaryOp::FloatNeg, Operand::Float(x)) => Operand::Float(x ^ (1 << 63)),
        _ => return None,
    })
}

fn fold_binary(func: &mut Func, op: BinaryOp, x: Value, y: Value) -> Folded {
    if let (Some(Operand::Int(a)), Some(Operand::Int(b))) = (func.as_const(x), func.as_const(y))
        && let Some(constant) = fold_ints(op, a, b)
    {
        return Folded::Is(func.constant(constant));
    }
    if let (Some(Operand::Float(a)), Some(Operand::Float(b))) = (func.as_const(x), func.as_const(y))
        && let Some(constant) = fold_floats(op, f64::from_bits(a), f64::from_bits(b))
    {
        return Folded::Is(func.constant(constant));
    }
    match (op, func.as_int(x), func.as_int(y)) {
        (BinaryOp::IntAdd | BinaryOp::IntOr | BinaryOp::IntXor, Some(0), _) => Folded::Is(y),
        (
            BinaryOp::IntAdd
            | BinaryOp::IntSub
            | BinaryOp::IntOr
            | BinaryOp::IntXor
            | BinaryOp::IntShl
            | BinaryOp::IntShr
            | BinaryOp::IntUshr,
            _,
            Some(0),
        )
        | (BinaryOp::IntMul | BinaryOp::IntDiv, _, Some(1)) => Folded::Is(x),
        (BinaryOp::IntMul, Some(1), _)
        | (BinaryOp::IntMin, Some(i64::MAX), _)
        | (BinaryOp::IntMax, Some(i64::MIN), _) => Folded::Is(y),
        (BinaryOp::IntMin, _, Some(i64::MAX)) | (BinaryOp::IntMax, _, Some(i64::MIN)) => Folded::Is(x),
        (BinaryOp::IntMul | BinaryOp::IntAnd, _, Some(0)) | (BinaryOp::IntMul | BinaryOp::IntAnd, Some(0), _) => {
            Folded::Is(func.int(0))
        }
        _ => Folded::Stays,
    }
}

/// The result of an operation on integers, if it has one.
pub(crate) fn fold_ints(op: BinaryOp, a: i64, b: i64) -> Option<Operand> {
    let int = Operand::Int;
    let bool = Operand::Bool;
    let word = |word: u32| int(i64::from(word));
    Some(match op {
        BinaryOp::IntAdd => int(a.wrapping_add(b)),
        BinaryOp::IntSub => int(a.wrapping_sub(b)),
        BinaryOp::IntMul => int(a.wrapping_mul(b)),
        BinaryOp::IntDiv if b != 0 => int(a.wrapping_div(b)),
        BinaryOp::IntRem if b != 0 => int(a.wrapping_rem(b)),
        BinaryOp::IntAnd => int(a & b),
        BinaryOp::IntOr => int(a | b),
        BinaryOp::IntXor => int(a ^ b),
        BinaryOp::IntShl => int(a.wrapping_shl(b as u32 & 63)),
        BinaryOp::IntShr => int(a.wrapping_shr(b as u32 & 63)),
        BinaryOp::IntUshr => int(((a as u64).wrapping_shr(b as u32 & 63)) as i64),
        BinaryOp::WordAdd => word((a as u32).wrapping_add(b as u32)),
        BinaryOp::WordSub => word((a as u32).wrapping_sub(b as u32)),
        BinaryOp::WordMul => word((a as u32).wrapping_mul(b as u32)),
        BinaryOp::WordShl => word((a as u32).wrapping_shl(b as u32)),
        BinaryOp::WordRotl => word((a as u32).rotate_left(b as u32 & 31)),
        BinaryOp::IntRotl => int(a.rotate_left(b as u32 & 63)),
        BinaryOp::UintDiv if b != 0 => int((a as u64 / b as u64) as i64),
        BinaryOp::UintRem if b != 0 => int((a as u64 % b as u64) as i64),
        BinaryOp::UintLt => bool((a as u64) < b as u64),
        BinaryOp::IntMin => int(a.min(b)),
        BinaryOp::IntMax => int(a.max(b)),
        BinaryOp::IntEq => bool(a == b),
        BinaryOp::IntNe => bool(a != b),
        BinaryOp::IntLt => bool(a < b),
        BinaryOp::IntLe => bool(a <= b),
        BinaryOp::IntGt => bool(a > b),
        BinaryOp::IntGe => bool(a >= b),
        _ => return None,
    })
}

/// The result of arithmetic on floats; none if it is not a number, since which one is the machine's choice.
fn fold_floats(op: BinaryOp, a: f64, b: f64) -> Option<Operand> {
    let result = match op {
        BinaryOp::FloatAdd => a + b,
        BinaryOp::FloatSub => a - b,
        BinaryOp::FloatMul => a * b,
        BinaryOp::FloatDiv => a / b,
        _ => return None,
    };
    (!result.is_nan()).then(|| Operand::Float(result.to_bits()))
}

/// Branches on constants become jumps.
fn branches(func: &mut Func) -> Changed {
    let mut changed = Changed::No;
    let blocks: Vec<Block> = func.blocks.keys().collect();
    for block in blocks {
        let known = match &func.blocks[block].term {
            Term::Branch { cond, then, otherwise } => match func.as_const(*cond) {
                Some(Operand::Bool(true)) => Some(then.clone()),
                Some(Operand::Bool(false)) => Some(otherwise.clone()),
                _ => None,
            },
            Term::Switch { value, cases, default } => func.as_int(*value).map(|value| {
                let case = cases.iter().find(|(case, _)| *case == value);
                case.map_or_else(|| default.clone(), |(_, target)| target.clone())
            }),
            Term::Jump(_) | Term::Return(_) | Term::Fail(..) | Term::Exit(_) => None,
        };
        if let Some(target) = known {
            func.blocks[block].term = Term::Jump(target);
            changed = Changed::Yes;
        }
    }
    changed
}

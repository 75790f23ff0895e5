//! Operations on numbers that are known to be small, which have a shorter form there.
//!
//! In: ranges, as branches, checks, masks and the program's arrays tell them. Out: rotations of 32-bit words in place
//! of two shifts and a mask; no masks that change nothing; quotients of small numbers by constants as a product and a
//! shift, rounded up [GM94]; remainders by constants as a difference, so that a quotient of the same numbers is
//! computed once; and tests for divisibility as a product and a comparison [LKK19].
//!
//! Requires: sums in their final form, and value numbering behind it. Preserves: every value. Ranges are those ahead of
//! the instruction: a check behind it proves nothing of it.
//!
//! [GM94] T. Granlund, P. L. Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994.
//! [LKK19] D. Lemire, O. Kaser, N. Kurz, "Faster Remainder by Direct Computation", Software: Practice and Experience 49(6), 2019.

use super::Changed;
use super::cfg::{Edges, uses};
use super::correlated_values::{Walk, each};
use super::replacements::Replacements;
use super::ssa::{Block, Func, Inst, Op, Value};
use crate::range::{Range, WORD};
use cranelift_entity::SecondaryMap;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, Scalar};

/// The shorter form of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Short {
    /// That value.
    Is(Value),
    /// 0.
    Zero,
    /// A word, rotated left.
    Rotated(Value, i64),
    /// A value divided by multiplying it.
    Quotient(Value, Reciprocal),
    /// The rest of a value, by a divisor; its quotient in the shorter form, if it has one.
    Rest(Value, i64, Option<Reciprocal>),
    /// True iff a divisor divides a value, or iff it does not, by products of so many bits.
    Divides(Value, i64, bool, u32),
}

/// `x * factor >> shift` is the quotient of `x` by some divisor, unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reciprocal {
    factor: i64,
    shift: u32,
}

impl Reciprocal {
    /// The one with the least shift that divides what is at most `most`: what rounding adds to the factor is less than
    /// one part in `most`.
    fn of(divisor: i64, most: i64) -> Option<Reciprocal> {
        let (divisor, most) = (divisor as u128, most as u128);
        (1..63).find_map(|shift| {
            let factor = (1_u128 << shift).div_ceil(divisor);
            let excess = factor * divisor - (1 << shift);
            let fits = excess * most < 1 << shift && factor * most <= u128::from(u64::MAX);
            fits.then_some(Reciprocal { factor: factor as i64, shift })
        })
    }
}

/// Runs the pass.
pub fn run(func: &mut Func) -> Changed {
    if !has_candidates(func) {
        return Changed::No;
    }
    let uses = uses(func, &Edges::of(func).rpo);
    let mut found: HashMap<Inst, Short> = HashMap::new();
    each(func, |walk, inst| found.extend(short(walk, inst, &uses).map(|short| (inst, short))));
    if found.is_empty() {
        return Changed::No;
    }
    rewrite(func, &found);
    Changed::Yes
}

/// Returns whether there is more to be found than masks, which cost next to nothing.
fn has_candidates(func: &Func) -> bool {
    let insts = || func.blocks.values().flat_map(|data| &data.insts).map(|inst| &func.insts[*inst]);
    insts().any(|data| match data.op {
        Op::Binary(BinaryOp::IntDiv | BinaryOp::IntRem) => divisor(func, data.args[1]).is_some(),
        Op::Binary(BinaryOp::IntAnd) => rotated(func, data.args[0], data.args[1]).is_some(),
        _ => false,
    })
}

/// The divisor, if it is a constant greater than 1 that is no power of two.
fn divisor(func: &Func, value: Value) -> Option<i64> {
    func.as_int(value).filter(|by| *by > 2 && by & (by - 1) != 0)
}

/// The word and by how much it is rotated, if it is one.
pub(super) fn rotated(func: &Func, value: Value, mask: Value) -> Option<(Value, i64)> {
    let of = |value: Value| {
        let data = &func.insts[func.def_inst(value)?];
        let Op::Binary(op) = data.op else { return None };
        Some((op, data.args[0], data.args[1]))
    };
    let (op, a, b) = of(value)?;
    let (left, right) = match (of(a)?, of(b)?) {
        (left @ (BinaryOp::IntShl, ..), right) | (right, left @ (BinaryOp::IntShl, ..)) => (left, right),
        _ => return None,
    };
    let (by, back) = (func.as_int(left.2)?, func.as_int(right.2)?);
    let is_rotation = op == BinaryOp::IntOr
        && matches!(right.0, BinaryOp::IntShr | BinaryOp::IntUshr)
        && left.1 == right.1
        && (1..32).contains(&by)
        && by + back == 32
        && func.as_int(mask) == Some(WORD.most);
    is_rotation.then_some((left.1, by))
}

/// The shorter form of an instruction, if it has one where it stands.
fn short(walk: &Walk<'_>, inst: Inst, uses: &SecondaryMap<Value, u32>) -> Option<Short> {
    let func = &*walk.func;
    let data = &func.insts[inst];
    let Op::Binary(op) = data.op else { return None };
    let &[x, y] = data.args.as_slice() else { return None };
    match op {
        BinaryOp::IntAnd => {
            if let Some((word, by)) = rotated(func, x, y)
                && WORD.contains(walk.range(word, 0))
            {
                return Some(Short::Rotated(word, by));
            }
            let mask = func.as_int(y).filter(|mask| *mask > 0 && mask & mask.wrapping_add(1) == 0)?;
            Range::up_to(mask).contains(walk.range(x, 0)).then_some(Short::Is(x))
        }
        BinaryOp::IntDiv => {
            let (by, range) = (divisor(func, y)?, walk.range(x, 0));
            match range.least >= 0 {
                true if range.most < by => Some(Short::Zero),
                true => Some(Short::Quotient(x, Reciprocal::of(by, range.most)?)),
                false => None,
            }
        }
        BinaryOp::IntRem => {
            let (by, range) = (divisor(func, y)?, walk.range(x, 0));
            let is_small = range.least >= 0;
            if is_small && range.most < by {
                return Some(Short::Is(x));
            }
            let reciprocal = if is_small { Reciprocal::of(by, range.most) } else { None };
            Some(Short::Rest(x, by, reciprocal))
        }
        BinaryOp::IntEq | BinaryOp::IntNe if func.as_int(y) == Some(0) => {
            let rest = &func.insts[func.def_inst(x).filter(|_| uses[x] == 1)?];
            let is_rest = rest.op == Op::Binary(BinaryOp::IntRem);
            let by = divisor(func, *rest.args.get(1)?).filter(|by| is_rest && WORD.contains(Range::just(*by)))?;
            let range = walk.range(rest.args[0], 0);
            let bits = if i128::from(range.most) * i128::from(by) < 1 << 32 { 32 } else { 64 };
            let divides = Short::Divides(rest.args[0], by, op == BinaryOp::IntEq, bits);
            WORD.contains(range).then_some(divides)
        }
        _ => None,
    }
}

/// Rewrites the instructions, with what their shorter forms are made of in front of them.
fn rewrite(func: &mut Func, found: &HashMap<Inst, Short>) {
    let mut with = Replacements::new(func);
    let blocks: Vec<Block> = func.blocks.keys().collect();
    for block in blocks {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        for inst in insts {
            let result = func.insts[inst].result;
            match (found.get(&inst), result) {
                (Some(Short::Is(value)), Some(result)) => with.insert(result, *value),
                (Some(Short::Zero), Some(result)) => with.insert(result, func.int(0)),
                (Some(short), Some(_)) => {
                    become_short(func, block, inst, *short);
                    func.blocks[block].insts.push(inst);
                }
                (_, _) => func.blocks[block].insts.push(inst),
            }
        }
    }
    with.apply(func);
}

/// Makes an instruction compute its result in the shorter form, behind what is new at the end of a block.
fn become_short(func: &mut Func, block: Block, inst: Inst, short: Short) {
    let site = func.insts[inst].site;
    let push = |func: &mut Func, op: BinaryOp, x: Value, y: Value| {
        func.push(block, Op::Binary(op), [x, y], Some(Scalar::Int), site).expect("an operator has a result")
    };
    let multiplied = |func: &mut Func, x: Value, Reciprocal { factor, shift }: Reciprocal| {
        let (factor, shift) = (func.int(factor), func.int(i64::from(shift)));
        [push(func, BinaryOp::IntMul, x, factor), shift]
    };
    let (op, args) = match short {
        Short::Is(_) | Short::Zero => unreachable!("what is known is not computed"),
        Short::Rotated(word, by) => (Op::RotateWord, [word, func.int(by)]),
        Short::Quotient(x, reciprocal) => {
            let [product, shift] = multiplied(func, x, reciprocal);
            (Op::Binary(BinaryOp::IntUshr), [product, shift])
        }
        Short::Rest(x, by, reciprocal) => {
            let divisor = func.int(by);
            let quotient = match reciprocal {
                Some(reciprocal) => {
                    let [product, shift] = multiplied(func, x, reciprocal);
                    push(func, BinaryOp::IntUshr, product, shift)
                }
                None => push(func, BinaryOp::IntDiv, x, divisor),
            };
            let product = push(func, BinaryOp::IntMul, quotient, divisor);
            (Op::Binary(BinaryOp::IntSub), [x, product])
        }
        Short::Divides(x, by, holds, bits) => {
            let factor = ((u64::MAX >> (64 - bits)) / by as u64 + 1) as i64;
            let (factor, below, mask) = (func.int(factor), func.int(factor - 1), func.int(WORD.most));
            let whole = push(func, BinaryOp::IntMul, x, factor);
            let product = if bits == 32 { push(func, BinaryOp::IntAnd, whole, mask) } else { whole };
            (Op::Below, if holds { [product, factor] } else { [below, product] })
        }
    };
    let data = &mut func.insts[inst];
    data.op = op;
    data.args = args.into_iter().collect();
}

#[cfg(test)]
mod tests {
    use super::Reciprocal;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    #[test]
    fn small_numbers_have_short_reciprocals() {
        assert_eq!(Reciprocal::of(7, 0xffff), Some(Reciprocal { factor: 74_899, shift: 19 }));
        assert_eq!(Reciprocal::of(3, 255), Some(Reciprocal { factor: 171, shift: 9 }));
        assert_eq!(Reciprocal::of(3, i64::MAX), None);
    }

    proptest! {
        #[test]
        fn reciprocals_divide(x in any::<i64>(), most in any::<i64>(), divisor in 3..=i64::MAX, bits in 0..62u32, of in 0..62u32) {
            let (divisor, most) = ((divisor >> bits).max(3), (most >> of) & i64::MAX);
            if let Some(Reciprocal { factor, shift }) = Reciprocal::of(divisor, most) {
                let near = [most, most - most % divisor, (most - most % divisor - 1).max(0), (x & i64::MAX) % (most.max(1))];
                for x in near {
                    prop_assert_eq!((x as u64).wrapping_mul(factor as u64) >> shift, (x / divisor) as u64, "{} / {}", x, divisor);
                }
            }
        }

        #[test]
        fn divisible_numbers_are_told(x in any::<u32>(), divisor in 3..=u32::MAX, bits in 0..30u32, of in 0..32u32) {
            let divisor = u64::from((divisor >> bits).max(3));
            proptest::prop_assume!(!divisor.is_power_of_two());
            let x = u64::from(x >> of);
            for x in [x, x - x % divisor] {
                let factor = u64::MAX / divisor + 1;
                prop_assert_eq!(x.wrapping_mul(factor) < factor, x % divisor == 0);
                if x * divisor < 1 << 32 {
                    let factor = (u64::MAX >> 32) / divisor + 1;
                    prop_assert_eq!((x * factor) & 0xffff_ffff < factor, x % divisor == 0);
                }
            }
        }
    }
}

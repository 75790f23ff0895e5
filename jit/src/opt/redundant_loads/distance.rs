//! The distance between two indices, if a loop does not change it.
//!
//! In: two indices. Out: their difference as a sum of invariant values, each times a constant. Sums, differences and products by constants are the
//! same modulo 2^64 however they are arranged, so nothing is assumed about what wraps.
//! Invariant: the difference is 0 iff the indices are equal.

use crate::opt::ssa::{Block, Func, Op, Value};
use crate::settings::redundant_loads::MAX_DEPTH;
use holloway_lang::ir::{BinaryOp, Scalar, UnaryOp};

/// A sum: of values times constants, and of a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Distance {
    /// Values in their order, none of them times 0.
    terms: Vec<(Value, i64)>,
    constant: i64,
}

/// The difference of two indices, either way round; none if what remains of them varies.
pub(super) fn distance(func: &Func, a: Value, b: Value, invariant: &impl Fn(Value) -> bool) -> Option<Distance> {
    let mut sum = Distance::default();
    sum.add(func, a, 1, invariant, MAX_DEPTH);
    sum.add(func, b, -1, invariant, MAX_DEPTH);
    sum.terms.retain(|(_, times)| *times != 0);
    sum.terms.sort_unstable();
    if sum.terms.first().is_some_and(|(_, times)| *times == -1) {
        sum.negate();
    }
    sum.terms.iter().all(|(value, _)| invariant(*value)).then_some(sum)
}

impl Distance {
    fn negate(&mut self) {
        self.terms.iter_mut().for_each(|(_, times)| *times = times.wrapping_neg());
        self.constant = self.constant.wrapping_neg();
    }

    /// The distance, if it is the same wherever the loop is entered.
    pub(super) fn constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Adds a value times a constant.
    fn add(&mut self, func: &Func, value: Value, times: i64, invariant: &impl Fn(Value) -> bool, depth: usize) {
        if let Some(constant) = func.as_int(value) {
            self.constant = self.constant.wrapping_add(constant.wrapping_mul(times));
            return;
        }
        let inst = func.def_inst(value).filter(|_| depth > 0 && !invariant(value));
        let data = inst.map(|inst| &func.insts[inst]);
        let operand = |at: usize| data.expect("it has operands").args[at];
        let product = |x: usize, by: usize| Some((operand(x), func.as_int(operand(by))?));
        match data.map(|data| data.op) {
            Some(Op::Binary(op @ (BinaryOp::IntAdd | BinaryOp::IntSub))) => {
                let second = if op == BinaryOp::IntAdd { times } else { times.wrapping_neg() };
                self.add(func, operand(0), times, invariant, depth - 1);
                self.add(func, operand(1), second, invariant, depth - 1);
            }
            Some(Op::Unary(UnaryOp::IntNeg)) => {
                self.add(func, operand(0), times.wrapping_neg(), invariant, depth - 1);
            }
            Some(Op::Binary(BinaryOp::IntMul)) if let Some((of, by)) = product(0, 1).or_else(|| product(1, 0)) => {
                self.add(func, of, times.wrapping_mul(by), invariant, depth - 1);
            }
            Some(Op::Binary(BinaryOp::IntShl)) if let Some((of, by @ 0..64)) = product(0, 1) => {
                self.add(func, of, times.wrapping_shl(by as u32), invariant, depth - 1);
            }
            _ => match self.terms.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known = known.wrapping_add(times),
                None => self.terms.push((value, times)),
            },
        }
    }

    /// Appends what tells that it is not 0 to a block; gives its value.
    pub(super) fn is_not_0(&self, func: &mut Func, block: Block) -> Value {
        let site = func.blocks[block].term_site;
        let push = |func: &mut Func, op: BinaryOp, args: [Value; 2], scalar: Scalar| {
            func.push(block, Op::Binary(op), args.to_vec(), Some(scalar), site).expect("an operator has a result")
        };
        let mut sum: Option<Value> = None;
        for (value, times) in &self.terms {
            let term = match times {
                1 => *value,
                _ => {
                    let times = func.int(*times);
                    push(func, BinaryOp::IntMul, [*value, times], Scalar::Int)
                }
            };
            sum = Some(match sum {
                None => term,
                Some(sum) => push(func, BinaryOp::IntAdd, [sum, term], Scalar::Int),
            });
        }
        let against = func.int(self.constant.wrapping_neg());
        let sum = sum.expect("a constant distance needs no test");
        push(func, BinaryOp::IntNe, [sum, against], Scalar::Bool)
    }
}

//! Indices that are affine in a loop's counter: `counter * w + v` with invariant `w`, `v`, in any arrangement.

use crate::opt::ssa::{Block, Func, Op, Value};
use crate::settings::loop_versioning::MAX_DEPTH;
use holloway_lang::ir::{BinaryOp, Scalar};

/// Steps a computation may have: with operands below 2^31 and one product, four sums stay below 2^63.
const MAX_SUMS: usize = 4;

/// The computation of an index.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    counter: Value,
    root: Value,
    /// Invariant values that go in, constants aside.
    pub(super) leaves: Vec<Value>,
    /// Values on the way that depend on the counter.
    inner: Vec<Value>,
    sums: usize,
    products: usize,
    /// The number of times that the counter goes in.
    counters: usize,
}

/// Follows an index back to the counter and invariants.
pub(super) fn analyse(func: &Func, counter: Value, index: Value, invariant: &impl Fn(Value) -> bool) -> Option<Affine> {
    let mut affine =
        Affine { counter, root: index, leaves: Vec::new(), inner: Vec::new(), sums: 0, products: 0, counters: 0 };
    affine.visit(func, index, invariant, MAX_DEPTH)?;
    (affine.sums <= MAX_SUMS && affine.products <= 1).then_some(affine)
}

impl Affine {
    /// Returns whether the value depends on the counter; none if it is not affine.
    fn visit(&mut self, func: &Func, value: Value, invariant: &impl Fn(Value) -> bool, depth: usize) -> Option<bool> {
        if value == self.counter {
            self.counters += 1;
            return Some(true);
        }
        if let Some(constant) = func.as_int(value) {
            return (constant.unsigned_abs() < 1 << 31).then_some(false);
        }
        if invariant(value) {
            self.leaves.push(value);
            return Some(false);
        }
        let depth = depth.checked_sub(1)?;
        let data = &func.insts[func.def_inst(value)?];
        let Op::Binary(op) = data.op else { return None };
        let (x, y) = (data.args[0], data.args[1]);
        let depends = match op {
            BinaryOp::IntAdd | BinaryOp::IntSub => {
                self.sums += 1;
                let (x, y) = (self.visit(func, x, invariant, depth)?, self.visit(func, y, invariant, depth)?);
                x | y
            }
            BinaryOp::IntMul => {
                self.products += 1;
                let (x, y) = (self.visit(func, x, invariant, depth)?, self.visit(func, y, invariant, depth)?);
                if x && y {
                    return None;
                }
                x | y
            }
            BinaryOp::IntShl if func.as_int(y).is_some_and(|by| (0..16).contains(&by)) => {
                self.products += 1;
                self.visit(func, x, invariant, depth)?
            }
            _ => return None,
        };
        if !self.inner.contains(&value) {
            self.inner.push(value);
        }
        Some(depends)
    }

    /// Returns whether it goes up or down by as much as the counter does. Then it does so whatever wraps on the way.
    pub(super) fn goes_along(&self) -> bool {
        self.products == 0 && self.counters == 1
    }

    /// The index where the counter is `at`, computed at the end of `block`.
    pub(super) fn at(&self, func: &mut Func, block: Block, site: u32, at: Value) -> Value {
        self.copy(func, block, site, at, self.root)
    }

    fn copy(&self, func: &mut Func, block: Block, site: u32, at: Value, value: Value) -> Value {
        if value == self.counter {
            return at;
        }
        if !self.inner.contains(&value) {
            return value;
        }
        let inst = func.def_inst(value).expect("what depends on the counter is computed");
        let data = func.insts[inst].clone();
        let args: Vec<Value> = data.args.iter().map(|arg| self.copy(func, block, site, at, *arg)).collect();
        func.push(block, data.op, args, Some(Scalar::Int), site).expect("an operator has a result")
    }
}

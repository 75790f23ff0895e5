//! Indices that are affine in a loop's counter: `counter * w + v` with invariant `w`, `v`, in any arrangement.

use crate::opt::ssa::{Block, Func, Op, Value};
use crate::settings::loop_versioning::MAX_STEPS;
use holloway_lang::ir::{BinaryOp, Scalar};

/// The magnitude up to which counters and invariants are small: a product of sums of four of them is below 2^63 still.
pub(super) const SMALL: u64 = 1 << 29;

/// The computation of an index.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    counter: Value,
    root: Value,
    /// Invariant values that go in, constants aside.
    pub(super) leaves: Vec<Value>,
    /// Values on the way that depend on the counter.
    inner: Vec<Value>,
    /// True if something is multiplied.
    scaled: bool,
    /// The number of times that the counter goes in.
    counters: usize,
    /// Operations on the way, each as often as it goes in.
    steps: usize,
}

/// Follows an index back to the counter and invariants.
pub(super) fn analyse(func: &Func, counter: Value, index: Value, invariant: &impl Fn(Value) -> bool) -> Option<Affine> {
    let mut affine =
        Affine { counter, root: index, leaves: Vec::new(), inner: Vec::new(), scaled: false, counters: 0, steps: 0 };
    affine.visit(func, index, invariant)?;
    Some(affine)
}

/// A value on the way to an index.
#[derive(Clone, Copy)]
struct Visited {
    /// True if it depends on the counter.
    depends: bool,
    /// The most its magnitude can be, where the counter and the invariants that go in are at most [`SMALL`].
    most: u64,
}

impl Affine {
    /// Follows a value; none if it is not affine, or might wrap with a small counter and small invariants.
    fn visit(&mut self, func: &Func, value: Value, invariant: &impl Fn(Value) -> bool) -> Option<Visited> {
        if value == self.counter {
            self.counters += 1;
            return Some(Visited { depends: true, most: SMALL });
        }
        if let Some(constant) = func.as_int(value) {
            let most = constant.unsigned_abs();
            return (most < 1 << 31).then_some(Visited { depends: false, most });
        }
        if invariant(value) {
            self.leaves.push(value);
            return Some(Visited { depends: false, most: SMALL });
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let data = &func.insts[func.def_inst(value)?];
        let Op::Binary(op) = data.op else { return None };
        let (x, y) = (data.args[0], data.args[1]);
        let x = self.visit(func, x, invariant)?;
        let (depends, most) = match op {
            BinaryOp::IntAdd | BinaryOp::IntSub => {
                let y = self.visit(func, y, invariant)?;
                (x.depends | y.depends, x.most.checked_add(y.most)?)
            }
            BinaryOp::IntMul => {
                self.scaled = true;
                let y = self.visit(func, y, invariant)?;
                (!(x.depends && y.depends)).then_some((x.depends | y.depends, x.most.checked_mul(y.most)?))?
            }
            BinaryOp::IntShl => {
                self.scaled = true;
                let by = func.as_int(y).filter(|by| (0..63).contains(by))?;
                (x.depends, x.most.checked_mul(1 << by)?)
            }
            _ => return None,
        };
        if most > i64::MAX as u64 {
            return None;
        }
        if !self.inner.contains(&value) {
            self.inner.push(value);
        }
        Some(Visited { depends, most })
    }

    /// Returns whether it goes up or down by as much as the counter does. Then it does so whatever wraps on the way.
    pub(super) fn goes_along(&self) -> bool {
        !self.scaled && self.counters == 1
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

//! Steps of paths that keep a context or run across calls, while SSA is built.
//!
//! In: a step of a plan. Out: arithmetic on the body's registers, and words passed. A body's completions are a constant
//! wherever it begins its paths itself, and then so is all that is scaled by them.
//! Invariant: what outlives a failure that is caught is in memory.

use super::Builder;
use super::variables::Probed;
use crate::opt::op::{Extent, PassedWord};
use crate::opt::ssa::{Block, Value};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{BinaryOp, Operand};
use holloway_profiler::plan::across::{CrossStep, Origin, Saved, Scaled};

impl Builder<'_> {
    pub(super) fn cross_step(&mut self, probed: &Probed, at: Block, step: CrossStep, words: &mut Vec<Value>) {
        match step {
            CrossStep::Begin(origin) => self.begin_path(probed, at, origin),
            CrossStep::EnterByValue { by, flag } => self.enter_by_value(probed, at, (by, flag)),
            CrossStep::LeaveByValue { flag, value } => {
                let (detached, flag) = (self.read(at, probed.detached), self.read(at, probed.saved[flag.index()]));
                let returns = self.binary_of(at, BinaryOp::IntAnd, detached, flag);
                let (zero, value) = (self.func.int(0), self.func.int(value));
                let is_other = self.comparison(at, BinaryOp::IntEq, (returns, zero));
                let value = self.selected(at, is_other, (zero, value));
                let path = self.read(at, probed.path);
                self.write_sum(probed, at, (path, value));
            }
            CrossStep::Add(by) => {
                let (path, by) = (self.read(at, probed.path), self.scaled(probed, at, by));
                self.write_sum(probed, at, (path, by));
            }
            CrossStep::Save(to) => {
                let path = self.read(at, probed.path);
                self.write(at, probed.saved[to.index()], path);
            }
            CrossStep::Resume { from, by } => self.resume(probed, at, (from, by)),
            CrossStep::PassCompletions(by) => {
                let completions = self.scaled(probed, at, by);
                self.pass_word(probed, at, PassedWord::Completions, completions);
            }
            CrossStep::PassDetached => {
                let detached = self.read(at, probed.detached);
                self.pass_word(probed, at, PassedWord::Detached, detached);
            }
            CrossStep::ReceiveDetached { value, completions } => {
                self.receive_detached(probed, at, (value, completions))
            }
            CrossStep::Detach { completions } => {
                self.set(at, probed.completions, completions);
                self.set(at, probed.detached, 1);
            }
            CrossStep::FinishPassed => {
                let passed = self.receive_word(probed, at, PassedWord::Path);
                self.finish_path(probed, at, (Extent::One, passed, 0), words);
            }
        }
    }

    fn begin_path(&mut self, probed: &Probed, at: Block, origin: Origin) {
        self.set(at, probed.detached, 0);
        if let Origin::Own(number) = origin {
            self.set(at, probed.path, number);
            self.set(at, probed.completions, 1);
            return;
        }
        let (mut path, mut completions) =
            (self.receive_word(probed, at, PassedWord::Path), self.receive_word(probed, at, PassedWord::Completions));
        if let Origin::Either(number) = origin {
            let zero = self.func.int(0);
            let is_own = self.comparison(at, BinaryOp::IntEq, (completions, zero));
            let (number, one) = (self.func.int(number), self.func.int(1));
            path = self.selected(at, is_own, (number, path));
            completions = self.selected(at, is_own, (one, completions));
        }
        self.write(at, probed.path, path);
        self.write(at, probed.completions, completions);
    }

    fn enter_by_value(&mut self, probed: &Probed, at: Block, (by, flag): (Scaled, Option<Saved>)) {
        let (path, completions, zero) =
            (self.read(at, probed.path), self.read(at, probed.completions), self.func.int(0));
        let is_by_value = self.comparison(at, BinaryOp::IntLt, (completions, zero));
        let positive = self.binary_of(at, BinaryOp::IntSub, zero, completions);
        let completions = self.selected(at, is_by_value, (positive, completions));
        self.write(at, probed.completions, completions);
        let by = self.scaled(probed, at, by);
        let by = self.selected(at, is_by_value, (by, zero));
        self.write_sum(probed, at, (path, by));
        if let Some(flag) = flag {
            let one = self.func.int(1);
            let flagged = self.selected(at, is_by_value, (one, zero));
            self.write(at, probed.saved[flag.index()], flagged);
        }
    }

    fn resume(&mut self, probed: &Probed, at: Block, (from, by): (Saved, Scaled)) {
        let (saved, by) = (self.read(at, probed.saved[from.index()]), self.scaled(probed, at, by));
        self.write_sum(probed, at, (saved, by));
    }

    fn receive_detached(&mut self, probed: &Probed, at: Block, (value, completions): (i64, i64)) {
        let passed = self.receive_word(probed, at, PassedWord::Detached);
        let zero = self.func.int(0);
        let is_attached = self.comparison(at, BinaryOp::IntEq, (passed, zero));
        let path = self.read(at, probed.path);
        let further = self.plus(at, path, value);
        let path = self.selected(at, is_attached, (path, further));
        self.write(at, probed.path, path);
        let (before, completions) = (self.read(at, probed.completions), self.func.int(completions));
        let completions = self.selected(at, is_attached, (before, completions));
        self.write(at, probed.completions, completions);
        let before = self.read(at, probed.detached);
        let detached = self.binary_of(at, BinaryOp::IntOr, before, passed);
        self.write(at, probed.detached, detached);
    }

    /// `value + a * completions + b`.
    pub(super) fn further(&mut self, probed: &Probed, at: Block, value: Value, by: Scaled) -> Value {
        let by = self.scaled(probed, at, by);
        self.sum(at, (value, by))
    }

    /// `a * completions + b`.
    pub(super) fn scaled(&mut self, probed: &Probed, at: Block, Scaled { a, b }: Scaled) -> Value {
        if a == 0 {
            return self.func.int(b);
        }
        let completions = self.read(at, probed.completions);
        if let Some(Operand::Int(known)) = self.func.as_const(completions) {
            return self.func.int(a.wrapping_mul(known).wrapping_add(b));
        }
        let product = match a {
            1 => completions,
            _ => {
                let a = self.func.int(a);
                self.binary_of(at, BinaryOp::IntMul, completions, a)
            }
        };
        self.plus(at, product, b)
    }

    fn write_sum(&mut self, probed: &Probed, at: Block, sum: (Value, Value)) {
        let sum = self.sum(at, sum);
        self.write(at, probed.path, sum);
    }

    fn sum(&mut self, at: Block, (value, by): (Value, Value)) -> Value {
        match self.func.as_const(by) {
            Some(Operand::Int(known)) => self.plus(at, value, known),
            _ => self.binary_of(at, BinaryOp::IntAdd, value, by),
        }
    }
}

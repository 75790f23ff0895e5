//! Steps of paths that keep a context or run across calls, as code, for every tier.
//!
//! In: a step of a plan, and a compiler that makes code of arithmetic on registers. Out: the code. An activation's completions are a
//! constant wherever it begins its paths itself, and then so is all that is scaled by them, if the compiler knows constants.
//! Invariant: code does what the plan machine of the profiler does.

use crate::opt::op::PassedWord;
use holloway_lang::ir::BinaryOp;
use holloway_profiler::plan::across::{CrossStep, Origin, Saved, Scaled};

/// A register of an activation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Register {
    /// The path.
    Path,
    /// Completions at the exit.
    Completions,
    /// 1 if the path began behind every call that is open, else 0.
    Detached,
    /// A path that is kept.
    Saved(Saved),
}

/// A compiler at a place of the code.
pub(crate) trait PathCode {
    /// A value in the code.
    type Value: Copy;

    /// A constant.
    fn int(&mut self, value: i64) -> Self::Value;
    /// The constant that a value is, if that is known.
    fn known(&self, value: Self::Value) -> Option<i64>;
    /// Reads a register.
    fn read(&mut self, from: Register) -> Self::Value;
    /// Writes a register.
    fn write(&mut self, to: Register, value: Self::Value);
    /// An operator on two numbers.
    fn binary(&mut self, op: BinaryOp, x: Self::Value, y: Self::Value) -> Self::Value;
    /// The second value if the first, a comparison, holds; else the third.
    fn select(&mut self, holds: Self::Value, then: Self::Value, otherwise: Self::Value) -> Self::Value;
    /// Passes a word to the activation that is called, or returned to.
    fn pass(&mut self, to: PassedWord, word: Self::Value);
    /// Reads what was passed last.
    fn receive(&mut self, from: PassedWord) -> Self::Value;

    /// A value plus a constant.
    fn plus(&mut self, value: Self::Value, by: i64) -> Self::Value {
        match (self.known(value), by) {
            (_, 0) => value,
            (Some(known), by) => self.int(known.wrapping_add(by)),
            (None, by) => {
                let by = self.int(by);
                self.binary(BinaryOp::IntAdd, value, by)
            }
        }
    }

    /// Sets a register to a constant.
    fn set(&mut self, to: Register, value: i64) {
        let value = self.int(value);
        self.write(to, value);
    }

    /// `a * completions + b`.
    fn scaled(&mut self, Scaled { a, b }: Scaled) -> Self::Value {
        if a == 0 {
            return self.int(b);
        }
        let completions = self.read(Register::Completions);
        let product = match (self.known(completions), a) {
            (Some(known), a) => self.int(a.wrapping_mul(known)),
            (None, 1) => completions,
            (None, a) => {
                let a = self.int(a);
                self.binary(BinaryOp::IntMul, completions, a)
            }
        };
        self.plus(product, b)
    }

    /// `value + a * completions + b`.
    fn further(&mut self, value: Self::Value, by: Scaled) -> Self::Value {
        let by = self.scaled(by);
        match self.known(by) {
            Some(known) => self.plus(value, known),
            None => self.binary(BinaryOp::IntAdd, value, by),
        }
    }

    /// Carries a step out; gives a path that is complete then.
    fn cross(&mut self, step: CrossStep) -> Option<Self::Value> {
        match step {
            CrossStep::Begin(origin) => self.begin(origin),
            CrossStep::EnterByValue { by, flag } => self.enter_by_value(by, flag),
            CrossStep::LeaveByValue { flag, value } => {
                let (detached, flag) = (self.read(Register::Detached), self.read(Register::Saved(flag)));
                let returns = self.binary(BinaryOp::IntAnd, detached, flag);
                let (zero, value) = (self.int(0), self.int(value));
                let is_other = self.binary(BinaryOp::IntEq, returns, zero);
                let value = self.select(is_other, zero, value);
                self.add(value);
            }
            CrossStep::Add(by) => {
                let path = self.read(Register::Path);
                let path = self.further(path, by);
                self.write(Register::Path, path);
            }
            CrossStep::Save(to) => {
                let path = self.read(Register::Path);
                self.write(Register::Saved(to), path);
            }
            CrossStep::Resume { from, by } => {
                let saved = self.read(Register::Saved(from));
                let path = self.further(saved, by);
                self.write(Register::Path, path);
            }
            CrossStep::PassCompletions(by) => {
                let completions = self.scaled(by);
                self.pass(PassedWord::Completions, completions);
            }
            CrossStep::PassDetached => {
                let detached = self.read(Register::Detached);
                self.pass(PassedWord::Detached, detached);
            }
            CrossStep::ReceiveDetached { value, completions } => self.receive_detached(value, completions),
            CrossStep::Detach { completions } => {
                self.set(Register::Completions, completions);
                self.set(Register::Detached, 1);
            }
            CrossStep::FinishPassed => return Some(self.receive(PassedWord::Path)),
        }
        None
    }

    /// Adds to the path.
    fn add(&mut self, by: Self::Value) {
        let path = self.read(Register::Path);
        let path = self.binary(BinaryOp::IntAdd, path, by);
        self.write(Register::Path, path);
    }

    /// See [`CrossStep::Begin`].
    fn begin(&mut self, origin: Origin) {
        self.set(Register::Detached, 0);
        if let Origin::Own(number) = origin {
            self.set(Register::Path, number);
            return self.set(Register::Completions, 1);
        }
        let (mut path, mut completions) = (self.receive(PassedWord::Path), self.receive(PassedWord::Completions));
        if let Origin::Either(number) = origin {
            let (zero, number, one) = (self.int(0), self.int(number), self.int(1));
            let is_own = self.binary(BinaryOp::IntEq, completions, zero);
            path = self.select(is_own, number, path);
            completions = self.select(is_own, one, completions);
        }
        self.write(Register::Path, path);
        self.write(Register::Completions, completions);
    }

    /// See [`CrossStep::EnterByValue`].
    fn enter_by_value(&mut self, by: Scaled, flag: Option<Saved>) {
        let (completions, zero) = (self.read(Register::Completions), self.int(0));
        let is_by_value = self.binary(BinaryOp::IntLt, completions, zero);
        let positive = self.binary(BinaryOp::IntSub, zero, completions);
        let completions = self.select(is_by_value, positive, completions);
        self.write(Register::Completions, completions);
        let by = self.scaled(by);
        let by = self.select(is_by_value, by, zero);
        self.add(by);
        if let Some(flag) = flag {
            let one = self.int(1);
            let flagged = self.select(is_by_value, one, zero);
            self.write(Register::Saved(flag), flagged);
        }
    }

    /// See [`CrossStep::ReceiveDetached`].
    fn receive_detached(&mut self, value: i64, completions: i64) {
        let (passed, zero) = (self.receive(PassedWord::Detached), self.int(0));
        let is_attached = self.binary(BinaryOp::IntEq, passed, zero);
        let path = self.read(Register::Path);
        let further = self.plus(path, value);
        let path = self.select(is_attached, path, further);
        self.write(Register::Path, path);
        let (before, completions) = (self.read(Register::Completions), self.int(completions));
        let completions = self.select(is_attached, before, completions);
        self.write(Register::Completions, completions);
        let before = self.read(Register::Detached);
        let detached = self.binary(BinaryOp::IntOr, before, passed);
        self.write(Register::Detached, detached);
    }
}

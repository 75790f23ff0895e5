//! Steps of paths that keep a context or run across calls, while SSA is built.
//!
//! In: a step of a plan. Out: arithmetic on the body's registers, and words passed.
//! Invariant: what outlives a failure that is caught is in memory.

use super::Builder;
use super::variables::{Probed, Variable};
use crate::opt::op::PassedWord;
use crate::opt::ssa::{Block, Value};
use crate::probes::across::{PathCode, Register};
use cranelift_entity::EntityRef;
use holloway_lang::ir::{BinaryOp, Scalar};

/// The registers of a body in one of its blocks.
pub(super) struct PathRegisters<'a, 'b> {
    builder: &'a mut Builder<'b>,
    probed: &'a Probed,
    at: Block,
}

impl<'b> Builder<'b> {
    /// The registers of a body.
    pub(super) fn registers<'a>(&'a mut self, probed: &'a Probed, at: Block) -> PathRegisters<'a, 'b> {
        PathRegisters { builder: self, probed, at }
    }
}

impl PathRegisters<'_, '_> {
    fn variable(&self, register: Register) -> Variable {
        match register {
            Register::Path => self.probed.path,
            Register::Completions => self.probed.completions,
            Register::Detached => self.probed.detached,
            Register::Saved(saved) => self.probed.saved[saved.index()],
        }
    }
}

impl PathCode for PathRegisters<'_, '_> {
    type Value = Value;

    fn int(&mut self, value: i64) -> Value {
        self.builder.func.int(value)
    }

    fn known(&self, value: Value) -> Option<i64> {
        self.builder.func.as_int(value)
    }

    fn read(&mut self, from: Register) -> Value {
        self.builder.read(self.at, self.variable(from))
    }

    fn write(&mut self, to: Register, value: Value) {
        self.builder.write(self.at, self.variable(to), value);
    }

    fn binary(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        match op.result() {
            Scalar::Bool => self.builder.comparison(self.at, op, (x, y)),
            _ => self.builder.binary_of(self.at, op, x, y),
        }
    }

    fn select(&mut self, holds: Value, then: Value, otherwise: Value) -> Value {
        self.builder.selected(self.at, holds, (then, otherwise))
    }

    fn pass(&mut self, to: PassedWord, word: Value) {
        self.builder.pass_word(self.probed, self.at, to, word);
    }

    fn receive(&mut self, from: PassedWord) -> Value {
        self.builder.receive_word(self.probed, self.at, from)
    }
}

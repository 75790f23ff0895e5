//! Arithmetic on what probes keep: the path register and its like, which are values as all others are.
//!
//! In: a variable, or a value. Out: it set, or added to, at the end of a block; sums of constants are constants.

use super::Builder;
use super::variables::Variable;
use crate::opt::ssa::{Block, Op, Value};
use holloway_lang::ir::{BinaryOp, Operand, Scalar};

impl Builder<'_> {
    pub(super) fn set(&mut self, at: Block, variable: Variable, value: i64) {
        let value = self.func.int(value);
        self.write(at, variable, value);
    }

    pub(super) fn add_to(&mut self, at: Block, variable: Variable, by: i64) {
        let before = self.read(at, variable);
        let after = self.plus(at, before, by);
        self.write(at, variable, after);
    }

    pub(super) fn plus(&mut self, at: Block, value: Value, by: i64) -> Value {
        if by == 0 {
            return value;
        }
        if let Some(Operand::Int(known)) = self.func.as_const(value) {
            return self.func.int(known.wrapping_add(by));
        }
        let by = self.func.int(by);
        self.binary_of(at, BinaryOp::IntAdd, value, by)
    }

    pub(super) fn binary_of(&mut self, at: Block, op: BinaryOp, x: Value, y: Value) -> Value {
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Binary(op), [x, y], Some(Scalar::Int), site).expect("it has a result")
    }

    pub(super) fn comparison(&mut self, at: Block, op: BinaryOp, (x, y): (Value, Value)) -> Value {
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Binary(op), [x, y], Some(Scalar::Bool), site).expect("it has a result")
    }

    pub(super) fn selected(&mut self, at: Block, cond: Value, (then, otherwise): (Value, Value)) -> Value {
        let site = self.func.blocks[at].term_site;
        self.func.push(at, Op::Select, [cond, then, otherwise], Some(Scalar::Int), site).expect("it has a result")
    }
}

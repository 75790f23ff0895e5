//! Float constants as operands.
//!
//! In: a binary operation on SSA values. Out: its operands in CLIF, in an order that gives the same result.
//!
//! The machine reads the operand that an operation leaves alone from memory, at no cost; the one that it replaces, and the greater one of a
//! comparison, must be in a register. Cranelift makes a scalar constant again in each block that uses it, with two instructions, and a
//! vector constant once in front of the innermost loop. Lane 0 of a vector is the scalar's register, so a constant of the second kind is a
//! vector's lane.

use super::Translator;
use crate::opt::ssa::{Block, Def, Value};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{BinaryOp, Operand};

impl Translator<'_> {
    /// The operands of an operation in a block.
    pub(super) fn operands(&mut self, block: Block, op: BinaryOp, args: &[Value]) -> [clif::Value; 2] {
        let (mut x, mut y) = (args[0], args[1]);
        if matches!(op, BinaryOp::FloatAdd | BinaryOp::FloatMul) && self.float(x).is_some() {
            (x, y) = (y, x);
        }
        match op {
            BinaryOp::FloatAdd
            | BinaryOp::FloatSub
            | BinaryOp::FloatMul
            | BinaryOp::FloatDiv
            | BinaryOp::FloatGt
            | BinaryOp::FloatGe => [self.in_register(block, x), self.value(y)],
            BinaryOp::FloatLt | BinaryOp::FloatLe => [self.value(x), self.in_register(block, y)],
            _ => [self.value(x), self.value(y)],
        }
    }

    /// The bits of a constant that is worth a register: 0 is made by one short instruction. Which of two NaNs a sum is depends on their order.
    fn float(&self, value: Value) -> Option<u64> {
        match self.ssa.values[value].def {
            Def::Const(Operand::Float(bits)) if bits != 0 && !f64::from_bits(bits).is_nan() => Some(bits),
            _ => None,
        }
    }

    fn in_register(&mut self, block: Block, value: Value) -> clif::Value {
        let Some(bits) = self.float(value).filter(|_| self.graph.loop_depth(block) > 0) else {
            return self.value(value);
        };
        let mut lanes = [0; 16];
        lanes[..8].copy_from_slice(&bits.to_le_bytes());
        let builder = &mut self.emit.builder;
        let constant = builder.func.dfg.constants.insert(lanes.to_vec().into());
        let vector = builder.ins().vconst(types::F64X2, constant);
        builder.ins().extractlane(vector, 0)
    }
}

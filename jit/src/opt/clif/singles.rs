//! Floats of 32 bits, computed as such.
//!
//! In: operations on floats whose operands are widened from 32 bits and whose result is narrowed to as many. Out: the operation on 32 bits. A float
//! has more than twice the digits of these, so sums, differences, products, quotients and roots are rounded the same, once or twice; the
//! others are not rounded at all.
//! Invariant: the single of a value has the bits that are the value's low half.

use super::Translator;
use crate::opt::ssa::{Op, Value};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use holloway_lang::ir::{BinaryOp, UnaryOp};

impl Translator<'_> {
    /// The bits of a narrowed float, if it can be computed with 32 bits.
    pub(super) fn narrowed(&mut self, result: Value, float: Value) -> Option<clif::Value> {
        let data = &self.ssa.insts[self.ssa.def_inst(float)?];
        let single = match (data.op, data.args.as_slice()) {
            (Op::Binary(op), &[x, y]) if keeps_digits(op) => {
                let (x, y) = (self.widened(x)?, self.widened(y)?);
                let (x, y) = (self.single(x), self.single(y));
                self.emit.binary(op, x, y, None)
            }
            (Op::Unary(op), &[x]) if keeps_digits_of_one(op) => {
                let x = self.widened(x)?;
                let x = self.single(x);
                self.emit.unary(op, x)
            }
            _ => return None,
        };
        self.singles[result] = single.into();
        Some(self.emit.single_bits(single))
    }

    /// A comparison of two widened floats, on 32 bits; none of others.
    pub(super) fn compared_singles(&mut self, op: BinaryOp, x: Value, y: Value) -> Option<clif::Value> {
        use BinaryOp::{FloatEq, FloatGe, FloatGt, FloatLe, FloatLt, FloatNe};
        if !matches!(op, FloatEq | FloatNe | FloatLt | FloatLe | FloatGt | FloatGe) {
            return None;
        }
        let (x, y) = (self.widened(x)?, self.widened(y)?);
        let (x, y) = (self.single(x), self.single(y));
        Some(self.emit.binary(op, x, y, None))
    }

    /// The bits that a float is widened from.
    fn widened(&self, float: Value) -> Option<Value> {
        let data = &self.ssa.insts[self.ssa.def_inst(float)?];
        (data.op == Op::Unary(UnaryOp::SingleToFloat)).then(|| data.args[0])
    }

    /// The single whose bits a value is.
    fn single(&mut self, bits: Value) -> clif::Value {
        if let Some(constant) = self.ssa.as_int(bits) {
            return self.emit.builder.ins().f32const(f32::from_bits(constant as u32));
        }
        match self.singles[bits].expand() {
            Some(single) => single,
            None => {
                let word = self.word(bits);
                self.emit.single(word)
            }
        }
    }
}

fn keeps_digits(op: BinaryOp) -> bool {
    use BinaryOp::{FloatAdd, FloatDiv, FloatMaximum, FloatMinimum, FloatMul, FloatSub};
    matches!(op, FloatAdd | FloatSub | FloatMul | FloatDiv | FloatMinimum | FloatMaximum)
}

fn keeps_digits_of_one(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::Sqrt | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Nearest)
}

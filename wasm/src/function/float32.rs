//! Operators of `f32`, which is an integer with the bits of a binary32.
//!
//! In: operators. Out: operations on floats, whose results are rounded to a binary32, or on bits. Invariant: rounding twice gives what
//! rounding once gives, for sums, differences, products, quotients and square roots: a binary64 has more than twice the
//! digits of a binary32, and two more [F95]. Others are exact.
//!
//! [F95]: S. A. Figueroa, When is double rounding innocuous?, SIGNUM Newsletter, 1995.

use super::Lowering;
use holloway_ir::{BinaryOp, Inst, Operand, Scalar, UnaryOp};
use wasmparser::Operator;

/// The sign of a binary32.
const SIGN: i64 = 1 << 31;

impl Lowering<'_> {
    pub(super) fn float32(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::F32Add => self.single_binary(BinaryOp::FloatAdd),
            Operator::F32Sub => self.single_binary(BinaryOp::FloatSub),
            Operator::F32Mul => self.single_binary(BinaryOp::FloatMul),
            Operator::F32Div => self.single_binary(BinaryOp::FloatDiv),
            Operator::F32Min => self.single_binary(BinaryOp::FloatMinimum),
            Operator::F32Max => self.single_binary(BinaryOp::FloatMaximum),
            Operator::F32Ceil => self.single_unary(UnaryOp::Ceil),
            Operator::F32Floor => self.single_unary(UnaryOp::Floor),
            Operator::F32Trunc => self.single_unary(UnaryOp::Trunc),
            Operator::F32Nearest => self.single_unary(UnaryOp::Nearest),
            Operator::F32Sqrt => self.single_unary(UnaryOp::Sqrt),
            Operator::F32Eq => self.single_compare(BinaryOp::FloatEq),
            Operator::F32Ne => self.single_compare(BinaryOp::FloatNe),
            Operator::F32Lt => self.single_compare(BinaryOp::FloatLt),
            Operator::F32Gt => self.single_compare(BinaryOp::FloatGt),
            Operator::F32Le => self.single_compare(BinaryOp::FloatLe),
            Operator::F32Ge => self.single_compare(BinaryOp::FloatGe),
            Operator::F32Neg => self.on_bits(BinaryOp::IntXor, SIGN),
            Operator::F32Abs => self.on_bits(BinaryOp::IntAnd, SIGN - 1),
            Operator::F32Copysign => {
                let sign = self.pop_int();
                let sign = self.changed_by(BinaryOp::IntAnd, sign, SIGN);
                let value = self.pop_int();
                let value = self.changed_by(BinaryOp::IntAnd, value, SIGN - 1);
                self.push_binary(BinaryOp::IntOr, value, sign);
            }
            _ => return false,
        }
        true
    }

    /// Pops an `f32` as a float.
    pub(super) fn pop_single(&mut self) -> Operand {
        match self.pop_int() {
            // A signalling NaN stays for the operation that makes it a quiet one.
            Operand::Int(bits) if !f32::from_bits(bits as u32).is_nan() => {
                Operand::Float(f64::from(f32::from_bits(bits as u32)).to_bits())
            }
            bits => self.changed(UnaryOp::SingleToFloat, bits),
        }
    }

    fn single_compare(&mut self, op: BinaryOp) {
        let rhs = self.pop_single();
        let lhs = self.pop_single();
        self.push_binary(op, lhs, rhs);
    }

    fn single_binary(&mut self, op: BinaryOp) {
        self.single_compare(op);
        self.unary(UnaryOp::FloatToSingle);
    }

    fn single_unary(&mut self, op: UnaryOp) {
        let value = self.pop_single();
        let dst = self.slot(self.stack.depth(), Scalar::Float);
        self.builder.push(Inst::Unary { op, dst, src: value });
        self.push_unary(UnaryOp::FloatToSingle, Operand::Local(dst));
    }

    fn on_bits(&mut self, op: BinaryOp, mask: i64) {
        let bits = self.pop_int();
        self.push_binary(op, bits, Operand::Int(mask));
    }
}

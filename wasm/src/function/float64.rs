//! Operators of `f64`.
//!
//! In: operators. Out: operations on floats, all of which exist.

use super::Lowering;
use holloway_ir::{BinaryOp, UnaryOp};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn float64(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::F64Add => self.binary(BinaryOp::FloatAdd),
            Operator::F64Sub => self.binary(BinaryOp::FloatSub),
            Operator::F64Mul => self.binary(BinaryOp::FloatMul),
            Operator::F64Div => self.binary(BinaryOp::FloatDiv),
            Operator::F64Min => self.binary(BinaryOp::FloatMinimum),
            Operator::F64Max => self.binary(BinaryOp::FloatMaximum),
            Operator::F64Copysign => self.binary(BinaryOp::FloatCopysign),
            Operator::F64Abs => self.unary(UnaryOp::FloatAbs),
            Operator::F64Neg => self.unary(UnaryOp::FloatNeg),
            Operator::F64Ceil => self.unary(UnaryOp::Ceil),
            Operator::F64Floor => self.unary(UnaryOp::Floor),
            Operator::F64Trunc => self.unary(UnaryOp::Trunc),
            Operator::F64Nearest => self.unary(UnaryOp::Nearest),
            Operator::F64Sqrt => self.unary(UnaryOp::Sqrt),
            Operator::F64Eq => self.binary(BinaryOp::FloatEq),
            Operator::F64Ne => self.binary(BinaryOp::FloatNe),
            Operator::F64Lt => self.binary(BinaryOp::FloatLt),
            Operator::F64Gt => self.binary(BinaryOp::FloatGt),
            Operator::F64Le => self.binary(BinaryOp::FloatLe),
            Operator::F64Ge => self.binary(BinaryOp::FloatGe),
            _ => return false,
        }
        true
    }
}

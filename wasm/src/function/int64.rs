//! Operators of `i64`.
//!
//! In: operators. Out: operations of 64 bits. Invariant: a comparison without sign is `ult`, by swapping and negating.

use super::Lowering;
use super::arith::Order;
use holloway_ir::{BinaryOp, Operand, UnaryOp};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn int64(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::I64Add => self.binary(BinaryOp::IntAdd),
            Operator::I64Sub => self.binary(BinaryOp::IntSub),
            Operator::I64Mul => self.binary(BinaryOp::IntMul),
            Operator::I64DivS => self.divide_signed(),
            Operator::I64DivU => self.binary(BinaryOp::UintDiv),
            Operator::I64RemS => self.binary(BinaryOp::IntRem),
            Operator::I64RemU => self.binary(BinaryOp::UintRem),
            Operator::I64And => self.binary(BinaryOp::IntAnd),
            Operator::I64Or => self.binary(BinaryOp::IntOr),
            Operator::I64Xor => self.binary(BinaryOp::IntXor),
            Operator::I64Shl => self.binary(BinaryOp::IntShl),
            Operator::I64ShrS => self.binary(BinaryOp::IntShr),
            Operator::I64ShrU => self.binary(BinaryOp::IntUshr),
            Operator::I64Rotl => self.binary(BinaryOp::IntRotl),
            Operator::I64Rotr => {
                let count = match self.pop_int() {
                    Operand::Int(count) => Operand::Int(count.wrapping_neg() & 63),
                    count => self.changed(UnaryOp::IntNeg, count),
                };
                let value = self.pop_int();
                self.push_binary(BinaryOp::IntRotl, value, count);
            }
            Operator::I64Clz => self.unary(UnaryOp::Clz),
            Operator::I64Ctz => self.unary(UnaryOp::Ctz),
            Operator::I64Popcnt => self.unary(UnaryOp::Popcount),
            Operator::I64Eqz => {
                let value = self.pop_int();
                self.push_binary(BinaryOp::IntEq, value, Operand::Int(0));
            }
            Operator::I64Eq => self.binary(BinaryOp::IntEq),
            Operator::I64Ne => self.binary(BinaryOp::IntNe),
            Operator::I64LtS => self.binary(BinaryOp::IntLt),
            Operator::I64GtS => self.binary(BinaryOp::IntGt),
            Operator::I64LeS => self.binary(BinaryOp::IntLe),
            Operator::I64GeS => self.binary(BinaryOp::IntGe),
            Operator::I64LtU => self.less(Order::AsWritten),
            Operator::I64GtU => self.less(Order::Swapped),
            Operator::I64LeU => {
                self.less(Order::Swapped);
                self.negate();
            }
            Operator::I64GeU => {
                self.less(Order::AsWritten);
                self.negate();
            }
            Operator::I64Extend8S => self.unary(UnaryOp::Signed8),
            Operator::I64Extend16S => self.unary(UnaryOp::Signed16),
            Operator::I64Extend32S => self.unary(UnaryOp::Signed32),
            Operator::I64ExtendI32S => {
                let value = self.pop_signed();
                self.push(value);
            }
            Operator::I64ExtendI32U => {
                let value = self.pop_int();
                self.push(value);
            }
            _ => return false,
        }
        true
    }

    /// Less without sign.
    fn less(&mut self, order: Order) {
        let rhs = self.pop_int();
        let lhs = self.pop_int();
        match order {
            Order::AsWritten => self.push_binary(BinaryOp::UintLt, lhs, rhs),
            Order::Swapped => self.push_binary(BinaryOp::UintLt, rhs, lhs),
        }
    }
}

//! Operators of `i32`, which is an integer of 64 bits whose upper half is 0.
//!
//! In: operators but divisions. Out: operations of 32 bits, or of 64 where these give the same. Invariant: every result has 0 in its upper half.

use super::Lowering;
use holloway_ir::{BinaryOp, Operand, UnaryOp};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn int32(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::I32Add => self.binary(BinaryOp::WordAdd),
            Operator::I32Sub => self.binary(BinaryOp::WordSub),
            Operator::I32Mul => self.binary(BinaryOp::WordMul),
            Operator::I32And => self.bitwise(BinaryOp::IntAnd, BinaryOp::BoolAnd),
            Operator::I32Or => self.bitwise(BinaryOp::IntOr, BinaryOp::BoolOr),
            Operator::I32Xor => self.bitwise(BinaryOp::IntXor, BinaryOp::BoolXor),
            Operator::I32Eq => self.bitwise(BinaryOp::IntEq, BinaryOp::BoolEq),
            Operator::I32Ne => self.bitwise(BinaryOp::IntNe, BinaryOp::BoolNe),
            Operator::I32Shl => self.binary(BinaryOp::WordShl),
            Operator::I32Rotl => self.binary(BinaryOp::WordRotl),
            Operator::I32Rotr => self.rotate_right(),
            Operator::I32ShrU => {
                let count = self.pop_count();
                let value = self.pop_int();
                self.push_binary(BinaryOp::IntUshr, value, count);
            }
            Operator::I32ShrS => {
                let count = self.pop_count();
                let value = self.pop_signed();
                self.push_binary(BinaryOp::IntShr, value, count);
                self.mask_word();
            }
            Operator::I32Eqz => self.negate(),
            Operator::I32LtU => self.binary(BinaryOp::IntLt),
            Operator::I32GtU => self.binary(BinaryOp::IntGt),
            Operator::I32LeU => self.binary(BinaryOp::IntLe),
            Operator::I32GeU => self.binary(BinaryOp::IntGe),
            Operator::I32LtS => self.signed(BinaryOp::IntLt),
            Operator::I32GtS => self.signed(BinaryOp::IntGt),
            Operator::I32LeS => self.signed(BinaryOp::IntLe),
            Operator::I32GeS => self.signed(BinaryOp::IntGe),
            Operator::I32Clz => {
                let value = self.pop_int();
                let zeros = self.changed(UnaryOp::Clz, value);
                self.push_binary(BinaryOp::IntSub, zeros, Operand::Int(32));
            }
            Operator::I32Ctz => {
                let value = self.pop_int();
                let bounded = self.changed_by(BinaryOp::IntOr, value, 1 << 32);
                self.push_unary(UnaryOp::Ctz, bounded);
            }
            Operator::I32Popcnt => self.unary(UnaryOp::Popcount),
            Operator::I32Extend8S => {
                self.unary(UnaryOp::Signed8);
                self.mask_word();
            }
            Operator::I32Extend16S => {
                self.unary(UnaryOp::Signed16);
                self.mask_word();
            }
            Operator::I32WrapI64 => self.mask_word(),
            Operator::I32DivS | Operator::I32DivU | Operator::I32RemS | Operator::I32RemU => self.divide_words(op),
            _ => return false,
        }
        true
    }

    /// Pops an `i32` with its sign.
    pub(super) fn pop_signed(&mut self) -> Operand {
        match self.pop_int() {
            Operand::Int(value) => Operand::Int(i64::from(value as i32)),
            value => self.changed(UnaryOp::Signed32, value),
        }
    }

    /// An operation on both operands with their signs.
    fn signed(&mut self, op: BinaryOp) {
        let rhs = self.pop_signed();
        let lhs = self.pop_signed();
        self.push_binary(op, lhs, rhs);
    }

    /// An operation that exists on truth values, too.
    fn bitwise(&mut self, of_ints: BinaryOp, of_bools: BinaryOp) {
        self.binary(if self.is_bool(0) && self.is_bool(1) { of_bools } else { of_ints });
    }

    /// Pops the count of a shift, whose low 5 bits count.
    fn pop_count(&mut self) -> Operand {
        match self.pop_int() {
            Operand::Int(count) => Operand::Int(count & 31),
            count => self.changed_by(BinaryOp::IntAnd, count, 31),
        }
    }

    fn rotate_right(&mut self) {
        let count = match self.pop_int() {
            Operand::Int(count) => Operand::Int(count.wrapping_neg() & 31),
            count => self.changed(UnaryOp::IntNeg, count),
        };
        let value = self.pop_int();
        self.push_binary(BinaryOp::WordRotl, value, count);
    }

    /// Returns whether a word is a constant other than one.
    pub(super) fn is_other_constant(operand: Operand, than: i64) -> bool {
        matches!(operand, Operand::Int(value) if value != than)
    }
}

//! Conversions between numbers, but those that may fail.
//!
//! In: operators. Out: conversions of the IR, and clamps where the result is of 32 bits. Invariant: a conversion of 64 bits that saturates gives NaN 0, as one of 32
//! bits does.

use super::Lowering;
use super::arith::WORD;
use holloway_ir::{BinaryOp, Operand, UnaryOp};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn convert(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::F32ConvertI32S => {
                let value = self.pop_signed();
                self.push_unary(UnaryOp::IntToSingle, value);
            }
            Operator::F32ConvertI32U | Operator::F32ConvertI64S => self.unary(UnaryOp::IntToSingle),
            Operator::F32ConvertI64U => self.unary(UnaryOp::UintToSingle),
            Operator::F64ConvertI32S => {
                let value = self.pop_signed();
                self.push_unary(UnaryOp::IntToFloat, value);
            }
            Operator::F64ConvertI32U | Operator::F64ConvertI64S => self.unary(UnaryOp::IntToFloat),
            Operator::F64ConvertI64U => self.unary(UnaryOp::UintToFloat),
            Operator::F32DemoteF64 => self.unary(UnaryOp::FloatToSingle),
            Operator::F64PromoteF32 => self.unary(UnaryOp::SingleToFloat),
            Operator::I64ReinterpretF64 => self.unary(UnaryOp::FloatBits),
            Operator::F64ReinterpretI64 => self.unary(UnaryOp::FloatOfBits),
            Operator::I32ReinterpretF32 | Operator::F32ReinterpretI32 => {
                let bits = self.pop_int();
                self.push(bits);
            }
            Operator::I32TruncSatF32S => {
                let value = self.pop_single();
                self.clamp_signed(value);
            }
            Operator::I32TruncSatF64S => {
                let value = self.pop(UnaryOp::FloatToInt.operand());
                self.clamp_signed(value);
            }
            Operator::I32TruncSatF32U => {
                let value = self.pop_single();
                self.clamp_unsigned(value);
            }
            Operator::I32TruncSatF64U => {
                let value = self.pop(UnaryOp::FloatToInt.operand());
                self.clamp_unsigned(value);
            }
            Operator::I64TruncSatF32S => {
                let value = self.pop_single();
                self.push_unary(UnaryOp::FloatToInt, value);
            }
            Operator::I64TruncSatF64S => self.unary(UnaryOp::FloatToInt),
            Operator::I64TruncSatF32U => {
                let value = self.pop_single();
                self.push_unary(UnaryOp::FloatToUint, value);
            }
            Operator::I64TruncSatF64U => self.unary(UnaryOp::FloatToUint),
            other => return self.truncate(other),
        }
        true
    }

    fn clamp_signed(&mut self, value: Operand) {
        self.push_unary(UnaryOp::FloatToInt, value);
        self.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        self.mask_word();
    }

    fn clamp_unsigned(&mut self, value: Operand) {
        self.push_unary(UnaryOp::FloatToInt, value);
        self.clamp(0, WORD);
    }

    fn clamp(&mut self, least: i64, most: i64) {
        let value = self.pop_int();
        self.push_binary(BinaryOp::IntMax, value, Operand::Int(least));
        let value = self.pop_int();
        self.push_binary(BinaryOp::IntMin, value, Operand::Int(most));
    }
}

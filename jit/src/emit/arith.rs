//! Unary and binary operators. Semantics are the language's, where the machine's differ: float minimum and maximum.

use super::Emitter;
use super::division::Division;
use crate::abi::RuntimeCall;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types;
use holloway_lang::ir::{BinaryOp, UnaryOp};

/// Which of two floats is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Least,
    Greatest,
}

impl Emitter<'_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, x: clif::Value) -> clif::Value {
        let ins = self.builder.ins();
        match op {
            UnaryOp::IntNeg => ins.ineg(x),
            UnaryOp::IntNot => ins.bnot(x),
            UnaryOp::IntAbs => ins.iabs(x),
            UnaryOp::Popcount => ins.popcnt(x),
            UnaryOp::Clz => ins.clz(x),
            UnaryOp::Ctz => ins.ctz(x),
            UnaryOp::IntToFloat => ins.fcvt_from_sint(types::F64, x),
            UnaryOp::FloatToInt => ins.fcvt_to_sint_sat(types::I64, x),
            UnaryOp::FloatNeg => ins.fneg(x),
            UnaryOp::FloatAbs => ins.fabs(x),
            UnaryOp::Sqrt => ins.sqrt(x),
            UnaryOp::Floor => ins.floor(x),
            UnaryOp::Ceil => ins.ceil(x),
            UnaryOp::Trunc => ins.trunc(x),
            UnaryOp::Nearest => ins.nearest(x),
            UnaryOp::FloatBits => ins.bitcast(types::I64, clif::MemFlagsData::new(), x),
            UnaryOp::FloatOfBits => ins.bitcast(types::F64, clif::MemFlagsData::new(), x),
            UnaryOp::UintToFloat => ins.fcvt_from_uint(types::F64, x),
            UnaryOp::FloatToUint => ins.fcvt_to_uint_sat(types::I64, x),
            UnaryOp::Signed8 => self.signed(types::I8, x),
            UnaryOp::Signed16 => self.signed(types::I16, x),
            UnaryOp::Signed32 => self.signed(types::I32, x),
            UnaryOp::SingleToFloat => {
                let bits = ins.ireduce(types::I32, x);
                let single = self.single(bits);
                self.builder.ins().fpromote(types::F64, single)
            }
            UnaryOp::FloatToSingle => {
                let single = ins.fdemote(types::F32, x);
                self.single_bits(single)
            }
            UnaryOp::IntToSingle => {
                let single = ins.fcvt_from_sint(types::F32, x);
                self.single_bits(single)
            }
            UnaryOp::UintToSingle => {
                let single = ins.fcvt_from_uint(types::F32, x);
                self.single_bits(single)
            }
            UnaryOp::BoolNot => ins.bxor_imm_u(x, 1),
            UnaryOp::BoolToInt => ins.uextend(types::I64, x),
        }
    }

    /// Division by what may be 0 was checked before; `constant` is the right operand if it is a constant integer other than 0.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        x: clif::Value,
        y: clif::Value,
        constant: Option<i64>,
    ) -> clif::Value {
        match op {
            BinaryOp::IntDiv => return self.divide(Division::Quotient, x, y, constant),
            BinaryOp::IntRem => return self.divide(Division::Remainder, x, y, constant),
            BinaryOp::WordAdd | BinaryOp::WordSub | BinaryOp::WordMul | BinaryOp::WordShl | BinaryOp::WordRotl => {
                let (x, y) = (self.builder.ins().ireduce(types::I32, x), self.builder.ins().ireduce(types::I32, y));
                let word = self.on_words(op, x, y);
                return self.builder.ins().uextend(types::I64, word);
            }
            BinaryOp::FloatRem => return self.runtime_call_value(RuntimeCall::FloatRem, &[x, y]),
            BinaryOp::FloatMin => return self.extreme(Extreme::Least, x, y),
            BinaryOp::FloatMax => return self.extreme(Extreme::Greatest, x, y),
            // What keeps the lower half is a move of it; a mask of 32 ones is no immediate operand.
            BinaryOp::IntAnd if constant == Some(i64::from(u32::MAX)) => {
                let low = self.builder.ins().ireduce(types::I32, x);
                return self.builder.ins().uextend(types::I64, low);
            }
            _ => {}
        }
        if let Some(cc) = int_condition(op) {
            return self.builder.ins().icmp(cc, x, y);
        }
        if let Some(cc) = float_condition(op) {
            return self.builder.ins().fcmp(cc, x, y);
        }
        let ins = self.builder.ins();
        match op {
            BinaryOp::IntAdd => ins.iadd(x, y),
            BinaryOp::IntSub => ins.isub(x, y),
            BinaryOp::IntMul => ins.imul(x, y),
            BinaryOp::IntAnd | BinaryOp::BoolAnd => ins.band(x, y),
            BinaryOp::IntOr | BinaryOp::BoolOr => ins.bor(x, y),
            BinaryOp::IntXor | BinaryOp::BoolXor => ins.bxor(x, y),
            BinaryOp::IntShl => ins.ishl(x, y),
            BinaryOp::IntShr => ins.sshr(x, y),
            BinaryOp::IntUshr => ins.ushr(x, y),
            BinaryOp::IntMin => ins.smin(x, y),
            BinaryOp::IntMax => ins.smax(x, y),
            BinaryOp::IntRotl => ins.rotl(x, y),
            BinaryOp::UintDiv => ins.udiv(x, y),
            BinaryOp::UintRem => ins.urem(x, y),
            BinaryOp::FloatMinimum => ins.fmin(x, y),
            BinaryOp::FloatMaximum => ins.fmax(x, y),
            BinaryOp::FloatCopysign => ins.fcopysign(x, y),
            BinaryOp::FloatAdd => ins.fadd(x, y),
            BinaryOp::FloatSub => ins.fsub(x, y),
            BinaryOp::FloatMul => ins.fmul(x, y),
            BinaryOp::FloatDiv => ins.fdiv(x, y),
            other => unreachable!("{other:?} was translated above"),
        }
    }

    /// The low bits of a number, as a number with a sign.
    fn signed(&mut self, ty: clif::Type, x: clif::Value) -> clif::Value {
        let low = self.builder.ins().ireduce(ty, x);
        self.builder.ins().sextend(types::I64, low)
    }

    /// The bits of a binary32.
    pub(crate) fn single_bits(&mut self, single: clif::Value) -> clif::Value {
        let bits = self.builder.ins().bitcast(types::I32, clif::MemFlagsData::new(), single);
        self.builder.ins().uextend(types::I64, bits)
    }

    /// The binary32 whose bits a word is.
    pub(crate) fn single(&mut self, word: clif::Value) -> clif::Value {
        self.builder.ins().bitcast(types::F32, clif::MemFlagsData::new(), word)
    }

    /// An operator on words of 32 bits, or one of which only the low 32 bits of the result are wanted.
    pub(crate) fn on_words(&mut self, op: BinaryOp, x: clif::Value, y: clif::Value) -> clif::Value {
        let ins = self.builder.ins();
        match op {
            BinaryOp::IntAdd | BinaryOp::WordAdd => ins.iadd(x, y),
            BinaryOp::IntSub | BinaryOp::WordSub => ins.isub(x, y),
            BinaryOp::WordMul => ins.imul(x, y),
            BinaryOp::IntShl | BinaryOp::WordShl => ins.ishl(x, y),
            BinaryOp::WordRotl => ins.rotl(x, y),
            BinaryOp::IntAnd => ins.band(x, y),
            BinaryOp::IntOr => ins.bor(x, y),
            BinaryOp::IntXor => ins.bxor(x, y),
            other => unreachable!("{other:?} is not computed in halves"),
        }
    }

    /// The machine's minimum and maximum give NaN where the language gives the other operand.
    fn extreme(&mut self, which: Extreme, x: clif::Value, y: clif::Value) -> clif::Value {
        let machine = match which {
            Extreme::Least => self.builder.ins().fmin(x, y),
            Extreme::Greatest => self.builder.ins().fmax(x, y),
        };
        let y_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, y, y);
        let unless_y = self.builder.ins().select(y_is_nan, x, machine);
        let x_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, x, x);
        self.builder.ins().select(x_is_nan, y, unless_y)
    }
}

/// The condition of a comparison of words of any type but floats.
pub(crate) fn int_condition(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::IntEq | BinaryOp::BoolEq | BinaryOp::RefEq | BinaryOp::FuncEq => IntCC::Equal,
        BinaryOp::IntNe | BinaryOp::BoolNe | BinaryOp::RefNe | BinaryOp::FuncNe => IntCC::NotEqual,
        BinaryOp::IntLt => IntCC::SignedLessThan,
        BinaryOp::IntLe => IntCC::SignedLessThanOrEqual,
        BinaryOp::IntGt => IntCC::SignedGreaterThan,
        BinaryOp::IntGe => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::UintLt => IntCC::UnsignedLessThan,
        _ => return None,
    })
}

fn float_condition(op: BinaryOp) -> Option<FloatCC> {
    Some(match op {
        BinaryOp::FloatEq => FloatCC::Equal,
        BinaryOp::FloatNe => FloatCC::NotEqual,
        BinaryOp::FloatLt => FloatCC::LessThan,
        BinaryOp::FloatLe => FloatCC::LessThanOrEqual,
        BinaryOp::FloatGt => FloatCC::GreaterThan,
        BinaryOp::FloatGe => FloatCC::GreaterThanOrEqual,
        _ => return None,
    })
}

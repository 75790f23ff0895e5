//! Words of 32 bits: what masks and rotations leave of integers, computed in halves of registers.
//!
//! In: an operation whose result has low 32 bits alone, or a mask of an operation. Out: the operation on halves, which
//! clear what is above.
//! Invariant: the word of a value is its low half, and only values that have nothing above it are noted with one.
//!
//! A word is extended where the value is needed whole; that is no instruction behind those that clear the other half,
//! and none at all where only words are needed.

use super::Translator;
use crate::opt::ssa::{Op, Value};
use crate::range::{Range, WORD, of_access};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_lang::ir::{BinaryOp, UnaryOp};

impl Translator<'_> {
    /// A rotation of a word.
    pub(super) fn rotate_word(&mut self, result: Value, word: Value, by: Value) -> clif::Value {
        let by = self.ssa.as_int(by).expect("a word is rotated by a constant");
        let word = self.word(word);
        let rotated = self.emit.builder.ins().rotl_imm_u(word, by);
        self.extended(result, rotated)
    }

    /// The result of an operator that gives words, if it is made of such or keeps the lower half.
    pub(super) fn of_words(&mut self, result: Value, op: BinaryOp, x: Value, y: Value) -> Option<clif::Value> {
        if op == BinaryOp::IntAnd && self.ssa.as_int(y) == Some(WORD.most) {
            let low = self.low_half(x).unwrap_or_else(|| self.word(x));
            return Some(self.extended(result, low));
        }
        if let Some(compared) = self.compared(op, x, y).or_else(|| self.compared_singles(op, x, y)) {
            return Some(compared);
        }
        if let Some(half) = half_of(op) {
            let (x, y) = (self.word(x), self.word(y));
            let word = self.half_operation(half, x, y);
            return Some(self.extended(result, word));
        }
        let bits = matches!(op, BinaryOp::IntAnd | BinaryOp::IntOr | BinaryOp::IntXor);
        let is_made_of_words = bits && (self.words[x].is_some() || self.words[y].is_some());
        if !is_made_of_words || !self.is_word(x) || !self.is_word(y) {
            return None;
        }
        let (x, y) = (self.word(x), self.word(y));
        let word = self.half_operation(op, x, y);
        Some(self.extended(result, word))
    }

    /// A comparison of two numbers that are words with their signs extended, on the words; none of anything else.
    fn compared(&mut self, op: BinaryOp, x: Value, y: Value) -> Option<clif::Value> {
        let cc = signed_condition(op)?;
        let sources = [self.extended_word(x)?, self.extended_word(y)?];
        if sources.iter().all(|source| self.ssa.as_int(*source).is_some()) {
            return None;
        }
        let [x, y] = sources.map(|source| self.word(source));
        Some(self.emit.builder.ins().icmp(cc, x, y))
    }

    /// The value of whose word a number is the extension: what is extended, or a constant itself.
    fn extended_word(&self, value: Value) -> Option<Value> {
        if let Some(constant) = self.ssa.as_int(value) {
            return i32::try_from(constant).is_ok().then_some(value);
        }
        let data = &self.ssa.insts[self.ssa.def_inst(value)?];
        (data.op == Op::Unary(UnaryOp::Signed32)).then(|| data.args[0])
    }

    /// The operation that gives a value, on lower halves; none if that would be no shorter than a mask behind it.
    fn low_half(&mut self, value: Value) -> Option<clif::Value> {
        let data = &self.ssa.insts[self.ssa.def_inst(value)?];
        let (Op::Binary(op), &[x, y]) = (data.op, data.args.as_slice()) else { return None };
        // The machine adds what it loads, but not half of it.
        let is_load =
            |value: Value| self.ssa.def_inst(value).is_some_and(|inst| matches!(self.ssa.insts[inst].op, Op::Load(_)));
        let keeps_halves = match op {
            BinaryOp::IntAdd | BinaryOp::IntSub | BinaryOp::IntAnd | BinaryOp::IntOr | BinaryOp::IntXor => true,
            BinaryOp::IntShl => self.ssa.as_int(y).is_some_and(|by| (1..32).contains(&by)),
            _ => false,
        };
        if !keeps_halves || is_load(x) || is_load(y) {
            return None;
        }
        let (x, y) = (self.word(x), self.word(y));
        Some(self.half_operation(op, x, y))
    }

    fn half_operation(&mut self, op: BinaryOp, x: clif::Value, y: clif::Value) -> clif::Value {
        let ins = self.emit.builder.ins();
        match op {
            BinaryOp::IntAdd => ins.iadd(x, y),
            BinaryOp::IntSub => ins.isub(x, y),
            BinaryOp::IntAnd => ins.band(x, y),
            BinaryOp::IntOr => ins.bor(x, y),
            BinaryOp::IntXor => ins.bxor(x, y),
            BinaryOp::IntMul => ins.imul(x, y),
            BinaryOp::IntShl => ins.ishl(x, y),
            other => unreachable!("{other:?} is not computed in halves"),
        }
    }

    /// A number that the lower half of a value stands for, in a whole register.
    pub(super) fn signed_word(&mut self, value: Value) -> clif::Value {
        let word = self.word(value);
        self.emit.builder.ins().sextend(types::I64, word)
    }

    /// An address of the linear memory, with nothing above the lower half.
    pub(super) fn linear_address(&mut self, value: Value) -> clif::Value {
        match self.ssa.as_int(value) {
            Some(constant) => self.emit.int(i64::from(constant as u32)),
            None if self.is_word(value) || self.gives_words(value) => self.value(value),
            None => {
                let whole = self.value(value);
                self.emit.linear_address(whole)
            }
        }
    }

    /// Returns whether the operation that gives a value gives words alone.
    fn gives_words(&self, value: Value) -> bool {
        let Some(inst) = self.ssa.def_inst(value) else { return false };
        let data = &self.ssa.insts[inst];
        match data.op {
            Op::LinearLoad(access, _) => WORD.contains(of_access(access)),
            Op::Unary(UnaryOp::BoolToInt) => true,
            Op::Binary(BinaryOp::IntAnd) => data.args.iter().any(|arg| self.is_word(*arg) || self.gives_words(*arg)),
            Op::Binary(BinaryOp::IntUshr) => self.is_word(data.args[0]) || self.gives_words(data.args[0]),
            Op::Binary(BinaryOp::IntOr | BinaryOp::IntXor) | Op::Select => {
                let values = if data.op == Op::Select { &data.args[1..] } else { &data.args };
                values.iter().all(|arg| self.is_word(*arg) || self.is_loaded_word(*arg))
            }
            _ => false,
        }
    }

    fn is_loaded_word(&self, value: Value) -> bool {
        let op = self.ssa.def_inst(value).map(|inst| self.ssa.insts[inst].op);
        matches!(op, Some(Op::LinearLoad(access, _)) if WORD.contains(of_access(access)))
    }

    /// Returns whether a value has nothing above its lower half.
    fn is_word(&self, value: Value) -> bool {
        self.words[value].is_some() || self.ssa.as_int(value).is_some_and(|value| WORD.contains(Range::just(value)))
    }

    /// The lower half of a value.
    pub(super) fn word(&mut self, value: Value) -> clif::Value {
        if let Some(constant) = self.ssa.as_int(value) {
            return self.emit.builder.ins().iconst(types::I32, i64::from(constant as u32));
        }
        match self.words[value].expand() {
            Some(word) => word,
            None => {
                let whole = self.value(value);
                self.emit.builder.ins().ireduce(types::I32, whole)
            }
        }
    }

    /// The result that a word is, which is noted as such.
    fn extended(&mut self, result: Value, word: clif::Value) -> clif::Value {
        self.words[result] = word.into();
        self.emit.builder.ins().uextend(types::I64, word)
    }
}

fn signed_condition(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::IntEq => IntCC::Equal,
        BinaryOp::IntNe => IntCC::NotEqual,
        BinaryOp::IntLt => IntCC::SignedLessThan,
        BinaryOp::IntLe => IntCC::SignedLessThanOrEqual,
        BinaryOp::IntGt => IntCC::SignedGreaterThan,
        BinaryOp::IntGe => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}

/// The operator on halves that one on words is.
fn half_of(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::WordAdd => BinaryOp::IntAdd,
        BinaryOp::WordSub => BinaryOp::IntSub,
        BinaryOp::WordMul => BinaryOp::IntMul,
        BinaryOp::WordShl => BinaryOp::IntShl,
        _ => return None,
    })
}

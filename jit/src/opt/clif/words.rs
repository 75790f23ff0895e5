//! Words of 32 bits: what masks and rotations leave of integers, computed in halves of registers.
//!
//! In: an operation whose result has low 32 bits alone, or a mask of an operation. Out: the operation on halves, which
//! clear what is above.
//! Invariant: the word of a value is its low half, and only values that have nothing above it are noted with one.
//!
//! A word is extended where the value is needed whole; that is no instruction behind those that clear the other half,
//! and none at all where only words are needed.

use super::Translator;
use crate::emit::arith::int_condition;
use crate::opt::ssa::{InstData, Op, Value};
use crate::range::{Range, WORD, of_access};
use cranelift_codegen::ir as clif;
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
        let of_bits = matches!(op, BinaryOp::IntAnd | BinaryOp::IntOr | BinaryOp::IntXor);
        let has_word = self.words[x].is_some() || self.words[y].is_some();
        let is_made_of_words = of_bits && has_word && self.is_word(x) && self.is_word(y);
        if !(is_on_words(op) || is_made_of_words) {
            return None;
        }
        let (x, y) = (self.word(x), self.word(y));
        let word = self.emit.on_words(op, x, y);
        Some(self.extended(result, word))
    }

    /// A comparison of two numbers that are words with their signs extended, on the words; none of anything else.
    fn compared(&mut self, op: BinaryOp, x: Value, y: Value) -> Option<clif::Value> {
        let cc = int_condition(op)?;
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
        Some(self.emit.on_words(op, x, y))
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
            None if self.is_word(value) || self.clear_halves.contains(value) => self.value(value),
            None => {
                let whole = self.value(value);
                self.emit.linear_address(whole)
            }
        }
    }

    /// Notes the result of an operation, if nothing of it is above the lower half. Words are noted where they are made.
    pub(super) fn note_clear_half(&mut self, data: &InstData) {
        let is_clear = |arg: &Value| self.is_word(*arg) || self.clear_halves.contains(*arg);
        let gives = match data.op {
            Op::LinearLoad(access, _) => WORD.contains(of_access(access)),
            Op::Unary(UnaryOp::BoolToInt) => true,
            Op::Binary(BinaryOp::IntAnd) => data.args.iter().any(is_clear),
            Op::Binary(BinaryOp::IntOr | BinaryOp::IntXor) => data.args.iter().all(is_clear),
            Op::Binary(BinaryOp::IntUshr) => is_clear(&data.args[0]),
            Op::Select => data.args[1..].iter().all(is_clear),
            _ => false,
        };
        if gives {
            self.clear_halves.extend(data.result);
        }
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

/// Returns whether an operator looks at words alone, and gives one.
fn is_on_words(op: BinaryOp) -> bool {
    use BinaryOp::{WordAdd, WordMul, WordRotl, WordShl, WordSub};
    matches!(op, WordAdd | WordSub | WordMul | WordShl | WordRotl)
}

//! Equality of strings, of which most are told apart, or found to be one, without a call.

use super::{Emitter, trusted};
use crate::abi::{self, RuntimeCall};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use holloway_lang::ir::StrRef;
use holloway_lang::ir::builtin::Builtin;

/// The most bytes of a constant that are compared in place.
const MOST_IN_PLACE: usize = 16;

impl Emitter<'_> {
    /// Compares two strings, either of which may be `none`: the same object is equal, another length is not, and the rest is
    /// left to the runtime.
    pub(crate) fn str_eq(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        let [others, strings, alike, done] = [(); 4].map(|()| self.builder.create_block());
        let answer = self.builder.append_block_param(done, types::I8);
        let same = self.builder.ins().icmp(IntCC::Equal, a, b);
        self.done_if(same, true, others, done);

        // It is 0 if one of them is `none`.
        let least = self.builder.ins().umin(a, b);
        self.done_if(least, false, strings, done);

        let (a_len, b_len) = (self.len(a), self.len(b));
        let as_long = self.builder.ins().icmp(IntCC::Equal, a_len, b_len);
        self.done_if(as_long, false, alike, done);

        let equal = self.call_str_eq(a, b);
        self.builder.ins().jump(done, &[BlockArg::Value(equal)]);
        self.builder.switch_to_block(done);
        answer
    }

    /// Compares a string, which may be `none`, with a constant: its length, then its bytes where they are few.
    pub(crate) fn str_eq_constant(&mut self, a: clif::Value, id: StrRef) -> clif::Value {
        let constant = &self.env.module.strings[id];
        let [strings, alike, done] = [(); 3].map(|()| self.builder.create_block());
        let answer = self.builder.append_block_param(done, types::I8);
        self.done_if(a, false, strings, done);

        let len = self.len(a);
        let as_long = self.builder.ins().icmp_imm_s(IntCC::Equal, len, constant.len() as i64);
        self.done_if(as_long, false, alike, done);

        let equal = match constant.len() {
            0 => self.builder.ins().iconst(types::I8, 1),
            1..=MOST_IN_PLACE => self.has_bytes(a, constant),
            _ => {
                let constant = self.address(self.env.string(id));
                self.call_str_eq(a, constant)
            }
        };
        self.builder.ins().jump(done, &[BlockArg::Value(equal)]);
        self.builder.switch_to_block(done);
        answer
    }

    /// Ends the block with an answer: true if a word is not 0, or false if it is 0. Otherwise control goes on in `next`.
    fn done_if(&mut self, word: clif::Value, answer: bool, next: clif::Block, done: clif::Block) {
        let value = self.builder.ins().iconst(types::I8, i64::from(answer));
        let value = [BlockArg::Value(value)];
        match answer {
            true => self.builder.ins().brif(word, done, &value, next, &[]),
            false => self.builder.ins().brif(word, next, &[], done, &value),
        };
        self.builder.switch_to_block(next);
    }

    /// Compares the bytes of a string with as many. Two loads may overlap, none goes beyond the end.
    fn has_bytes(&mut self, string: clif::Value, bytes: &[u8]) -> clif::Value {
        let base = self.base(string);
        let width = [8, 4, 2, 1].into_iter().find(|width| *width <= bytes.len()).expect("there are bytes");
        let starts = (0..bytes.len()).step_by(width).map(|start| start.min(bytes.len() - width));
        let differences: Vec<clif::Value> = starts
            .map(|start| {
                let mut word = [0; 8];
                word[..width].copy_from_slice(&bytes[start..start + width]);
                let (ty, word) = (clif::Type::int(8 * width as u16), i64::from_le_bytes(word));
                let offset = abi::ELEMENTS + start as i32;
                let loaded = self.builder.ins().load(ty.expect("a width"), trusted(), base, offset);
                let expected = self.builder.ins().iconst(ty.expect("a width"), word);
                self.builder.ins().bxor(loaded, expected)
            })
            .collect();
        let all = differences.into_iter().reduce(|a, b| self.builder.ins().bor(a, b)).expect("there are bytes");
        self.builder.ins().icmp_imm_s(IntCC::Equal, all, 0)
    }

    fn call_str_eq(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        let (call, _) = RuntimeCall::of_builtin(Builtin::StrEq);
        self.runtime_call_value(call, &[a, b])
    }
}

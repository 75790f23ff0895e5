//! Path ids gathered in a register, and words of them appended to a log.
//!
//! In: an id and the word so far. Out: the word with the id; an empty one if it was full and has been appended. A path costs a shift, an
//! addition and a test.

use super::Emitter;
use crate::abi::{Context, RuntimeCall};
use crate::slab_log::{LAST, PERIODS, Run, SlabLog};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use holloway_profiler::forest::slab::Packing;
use std::mem::offset_of;

/// The log of a function, and the words of the frame by whose address it knows the activation.
#[derive(Clone, Copy)]
pub(crate) struct LogOf {
    pub(crate) log: SlabLog,
    pub(crate) frame: clif::StackSlot,
    pub(crate) offset: i32,
}

impl Emitter<'_> {
    /// One more id; gives the word.
    pub(crate) fn gather(&mut self, to: LogOf, word: clif::Value, id: clif::Value) -> clif::Value {
        let more = self.pushed(to.log.packing, word, id);
        let (full, next) = (self.builder.create_block(), self.builder.create_block());
        let gathered = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(more, i64::from(to.log.packing.width()) + 1);
        self.builder.ins().brif(beyond, full, [], next, [&BlockArg::Value(more)]);
        self.builder.switch_to_block(full);
        self.append(to, more, 0);
        let empty = self.int(Packing::LATER as i64);
        self.builder.ins().jump(next, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(next);
        gathered
    }

    /// The last id of an activation: the word is appended as it is.
    pub(crate) fn gather_last(&mut self, to: LogOf, word: clif::Value, id: clif::Value) {
        let more = self.pushed(to.log.packing, word, id);
        self.append(to, more, LAST);
    }

    /// All iterations of a loop that has one path, the id of the first and how many there were. Places recur in `period`. Gives the word.
    pub(crate) fn gather_run(
        &mut self,
        to: LogOf,
        (word, first, times): (clif::Value, clif::Value, clif::Value),
        (nth, period): (u32, u64),
    ) -> clif::Value {
        let [some, one, many, done] = [(); 4].map(|()| self.builder.create_block());
        let gathered = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(some);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        self.builder.ins().brif(others, many, [], one, []);
        self.builder.switch_to_block(one);
        let begun = self.gather(to, word, first);
        self.builder.ins().jump(done, [&BlockArg::Value(begun)]);
        self.builder.switch_to_block(many);
        let begun = self.pushed(to.log.packing, word, first);
        self.append(to, begun, 0);
        let rest = self.without_periods(to.log, others, (nth, period));
        let none = self.int(Run { nth, times: 0 }.word() as i64);
        let run = self.builder.ins().bor(none, rest);
        self.append(to, run, 0);
        let empty = self.int(Packing::LATER as i64);
        self.builder.ins().jump(done, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(done);
        gathered
    }

    /// Iterations that are in a run, as [`split`](holloway_profiler::forest::pairs::split); the others are counted.
    fn without_periods(&mut self, log: SlabLog, others: clif::Value, (nth, period): (u32, u64)) -> clif::Value {
        let (many, few) = (self.builder.create_block(), self.builder.create_block());
        let rest = self.builder.append_block_param(few, types::I64);
        let is_few = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, others, 3 * period as i64);
        self.builder.ins().brif(is_few, few, [&BlockArg::Value(others)], many, []);
        self.builder.switch_to_block(many);
        let beyond = self.builder.ins().iadd_imm_s(others, -2 * period as i64);
        let whole = self.builder.ins().udiv_imm_u(beyond, period as i64);
        let header = self.address(log.header);
        self.add_to_word(header, PERIODS + 8 * nth as i32, whole);
        let apart = self.builder.ins().imul_imm_s(whole, period as i64);
        let left = self.builder.ins().isub(others, apart);
        self.builder.ins().jump(few, [&BlockArg::Value(left)]);
        self.builder.switch_to_block(few);
        rest
    }

    fn pushed(&mut self, packing: Packing, word: clif::Value, id: clif::Value) -> clif::Value {
        let shifted = self.builder.ins().ishl_imm_u(word, i64::from(packing.bits));
        self.builder.ins().iadd(shifted, id)
    }

    /// Out of line, where all registers are kept: with the stores in line, loops had their values in memory.
    fn append(&mut self, LogOf { log, frame, offset }: LogOf, word: clif::Value, mark: u64) {
        self.store_at(word, self.env.context, offset_of!(Context, profile_word) as i32);
        let activation = self.builder.ins().stack_addr(types::I64, frame, offset);
        let activation = self.builder.ins().iadd_imm_s(activation, mark as i64);
        self.store_at(activation, self.env.context, offset_of!(Context, profile_activation) as i32);
        let header = self.address(log.header);
        self.store_at(header, self.env.context, offset_of!(Context, profile_header) as i32);
        self.runtime_call(RuntimeCall::Append, &[]);
    }
}

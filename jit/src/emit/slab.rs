//! Slabs of path ids: gathered in a register, counted in a table when they are full.
//!
//! In: an id and the slab so far. Out: the slab with the id; an empty one if it was full and has been counted. The state of the
//! activation is a word of the frame, which only counting reads and writes. A path costs a shift, an addition and a test; counting is a
//! call that keeps all registers.

use super::{Emitter, Iterations, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::probes::slab_table::{
    BASE, COUNT, FACTOR, FIRST_STATE, MASK, PERIODS, RUN_SLAB, RUN_TIMES, Run, SlabTable, WORD, period,
};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use holloway_profiler::forest::slab::Packing;
use std::mem::offset_of;

/// The word of the frame that holds the state of an activation.
#[derive(Clone, Copy)]
pub(crate) struct StateWord {
    pub(crate) frame: clif::StackSlot,
    pub(crate) offset: i32,
}

impl Emitter<'_> {
    /// One more id; gives the slab.
    pub(crate) fn gather(
        &mut self,
        table: SlabTable,
        state: StateWord,
        slab: clif::Value,
        id: clif::Value,
    ) -> clif::Value {
        let more = self.with_path(table, state, slab, id);
        self.counted_beyond(table, state, more, table.packing.width())
    }

    /// The last id of an activation: the slab is counted as it is.
    pub(crate) fn gather_last(&mut self, table: SlabTable, state: StateWord, slab: clif::Value, id: clif::Value) {
        let more = self.with_path(table, state, slab, id);
        match table.numbers {
            None => self.counted(table, state, more),
            // It may be empty, if the path has no number.
            Some(_) => _ = self.counted_beyond(table, state, more, Packing::EMPTY_BITS),
        }
    }

    /// The slab with one more path: its id, or its number where paths are numbered. The runtime puts a path there that has none yet.
    fn with_path(&mut self, table: SlabTable, state: StateWord, slab: clif::Value, id: clif::Value) -> clif::Value {
        let Some(numbers) = table.numbers else { return self.pushed(table.packing, slab, id) };
        let [unknown, known, next] = [(); 3].map(|()| self.builder.create_block());
        let gathered = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(unknown);
        let numbers = self.address(numbers);
        let at = self.builder.ins().iadd(numbers, id);
        let number = self.builder.ins().uload8(types::I64, trusted(), at, 0);
        self.builder.ins().brif(number, known, [], unknown, []);
        self.builder.switch_to_block(unknown);
        self.store_at(id, self.env.context, offset_of!(Context, path) as i32);
        self.ask(table, state, slab, RuntimeCall::PutPath);
        let put = self.load_at(types::I64, self.env.context, offset_of!(Context, slab) as i32);
        self.builder.ins().jump(next, [&BlockArg::Value(put)]);
        self.builder.switch_to_block(known);
        let more = self.pushed(table.packing, slab, number);
        self.builder.ins().jump(next, [&BlockArg::Value(more)]);
        self.builder.switch_to_block(next);
        gathered
    }

    /// All iterations of a loop that has one path, the nth of these loops: a run. Gives the slab.
    pub(crate) fn gather_run(
        &mut self,
        (table, nth): (SlabTable, u32),
        state: StateWord,
        slab: clif::Value,
        [first, _, times]: Iterations,
    ) -> clif::Value {
        let [some, one, many, done] = [(); 4].map(|()| self.builder.create_block());
        let gathered = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(slab)]);
        self.builder.switch_to_block(some);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        self.builder.ins().brif(others, many, [], one, []);
        self.builder.switch_to_block(one);
        let begun = self.gather(table, state, slab, first);
        self.builder.ins().jump(done, [&BlockArg::Value(begun)]);
        self.builder.switch_to_block(many);
        let begun = self.with_path(table, state, slab, first);
        let begun = self.fitting(table, state, begun);
        let rest = self.without_periods((table, nth), others);
        let times = self.builder.ins().ishl_imm_u(rest, i64::from(RUN_TIMES));
        let fields = self.builder.ins().bor(begun, times);
        let base = self.int(Run { slab: 0, nth: u64::from(nth), times: 0 }.word() as i64);
        let word = self.builder.ins().bor(fields, base);
        self.counted(table, state, word);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(done, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(done);
        gathered
    }

    /// A slab that fits a run: if this one does not, it is counted by itself.
    fn fitting(&mut self, table: SlabTable, state: StateWord, slab: clif::Value) -> clif::Value {
        if table.packing.width() < RUN_SLAB {
            return slab;
        }
        self.counted_beyond(table, state, slab, RUN_SLAB)
    }

    /// Counts a slab that takes more than `width` bits; gives an empty one then, else the slab.
    fn counted_beyond(&mut self, table: SlabTable, state: StateWord, slab: clif::Value, width: u32) -> clif::Value {
        self.emptied_beyond(width, slab, |emitter| emitter.counted(table, state, slab))
    }

    /// Takes a word of ids if it has more than `width` bits, out of line; gives an empty one then, else the word.
    pub(super) fn emptied_beyond(
        &mut self,
        width: u32,
        word: clif::Value,
        take: impl FnOnce(&mut Self),
    ) -> clif::Value {
        let (full, next) = (self.builder.create_block(), self.builder.create_block());
        let kept = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(word, i64::from(width));
        self.builder.ins().brif(beyond, full, [], next, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(full);
        take(self);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(next, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(next);
        kept
    }

    /// Iterations that are in a run, as [`split`](crate::probes::slab_table::split); the others are counted.
    fn without_periods(&mut self, (table, nth): (SlabTable, u32), others: clif::Value) -> clif::Value {
        let period = period(table.k);
        let (many, few) = (self.builder.create_block(), self.builder.create_block());
        let rest = self.builder.append_block_param(few, types::I64);
        let is_few = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, others, 3 * period as i64);
        self.builder.ins().brif(is_few, few, [&BlockArg::Value(others)], many, []);
        self.builder.switch_to_block(many);
        let beyond = self.builder.ins().iadd_imm_s(others, -2 * period as i64);
        let whole = self.builder.ins().udiv_imm_u(beyond, period as i64);
        let header = self.address(table.header);
        self.add_to_word(header, PERIODS + 8 * nth as i32, whole);
        let apart = self.builder.ins().imul_imm_s(whole, period as i64);
        let left = self.builder.ins().isub(others, apart);
        self.builder.ins().jump(few, [&BlockArg::Value(left)]);
        self.builder.switch_to_block(few);
        rest
    }

    /// Counts a path by itself so often, or once, if it is where the search for it begins. Otherwise the search goes on out of line.
    pub(crate) fn tally(&mut self, table: SlabTable, id: clif::Value, times: Option<clif::Value>) {
        let empty = self.int(Packing::EMPTY as i64);
        let word = self.pushed(table.packing, empty, id);
        let header = self.address(table.header);
        let slot = self.first_slot(header, (BASE, MASK), word);
        let there = self.builder.ins().load(types::I64, trusted(), slot, WORD);
        let [other, found, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(other);
        let differs = self.builder.ins().icmp(IntCC::NotEqual, there, word);
        self.builder.ins().brif(differs, other, [], found, []);
        self.builder.switch_to_block(other);
        let first = self.int(FIRST_STATE as i64);
        self.about_slab(table, word, first, RuntimeCall::CountSlab);
        if let Some(times) = times {
            let slot = self.load_at(types::I64, self.env.context, offset_of!(Context, slab_slot) as i32);
            let further = self.builder.ins().iadd_imm_s(times, -1);
            self.add_to_word(slot, COUNT, further);
        }
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(found);
        let times = times.unwrap_or_else(|| self.int(1));
        self.add_to_word(slot, COUNT, times);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// Counts all iterations of a loop that has one path, each by itself: the first, and the others.
    pub(crate) fn tally_run(&mut self, table: SlabTable, [first, id, times]: Iterations) {
        let [some, more, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().brif(times, some, [], done, []);
        self.builder.switch_to_block(some);
        self.tally(table, first, None);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        self.builder.ins().brif(others, more, [], done, []);
        self.builder.switch_to_block(more);
        self.tally(table, id, Some(others));
        self.builder.ins().jump(done, []);
        self.builder.switch_to_block(done);
    }

    /// The slot where the search for a word begins, in the first state: `crate::probes::slab_table::hash`. The table's address and mask lie at offsets of
    /// its header.
    pub(super) fn first_slot(
        &mut self,
        header: clif::Value,
        (base, mask): (i32, i32),
        word: clif::Value,
    ) -> clif::Value {
        let base = self.builder.ins().load(types::I64, trusted(), header, base);
        let mask = self.builder.ins().load(types::I64, trusted(), header, mask);
        let factor = self.int(FACTOR);
        let product = self.builder.ins().imul(word, factor);
        let hash = self.builder.ins().bswap(product);
        let offset = self.builder.ins().band(hash, mask);
        self.builder.ins().iadd(base, offset)
    }

    pub(crate) fn pushed(&mut self, packing: Packing, slab: clif::Value, id: clif::Value) -> clif::Value {
        let shifted = self.builder.ins().ishl_imm_u(slab, i64::from(packing.bits));
        self.builder.ins().iadd(shifted, id)
    }

    /// Counts a slab and goes on to the next state.
    fn counted(&mut self, table: SlabTable, state: StateWord, word: clif::Value) {
        self.ask(table, state, word, RuntimeCall::CountSlab);
    }

    /// Asks the runtime about a slab of an activation, whose state is another one then.
    fn ask(&mut self, table: SlabTable, state: StateWord, word: clif::Value, call: RuntimeCall) {
        let before = self.builder.ins().stack_load(types::I64, types::I64, state.frame, state.offset);
        self.about_slab(table, word, before, call);
        let after = self.load_at(types::I64, self.env.context, offset_of!(Context, slab_state) as i32);
        self.builder.ins().stack_store(types::I64, after, state.frame, state.offset);
    }

    fn about_slab(&mut self, table: SlabTable, word: clif::Value, state: clif::Value, call: RuntimeCall) {
        self.store_at(word, self.env.context, offset_of!(Context, slab) as i32);
        self.store_at(state, self.env.context, offset_of!(Context, slab_state) as i32);
        let header = self.address(table.header);
        self.store_at(header, self.env.context, offset_of!(Context, slab_table) as i32);
        self.runtime_call(call, &[]);
    }
}

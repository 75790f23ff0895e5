//! Slabs of path ids: gathered in a register, counted in a table when they are full.
//!
//! In: an id and the slab so far. Out: the slab with the id; an empty one if it was full and has been counted. The state of the
//! activation is a word of the frame, which only counting reads and writes. A path costs a shift, an addition and a test; counting
//! is out of line.

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::slab_table::{BASE, COUNT, HASH_SHIFT, MASK, NEXT, REPEATED, SLOT, STATE, SlabTable, WORD, hash_factors};
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
        let more = self.pushed(table.packing, slab, id);
        let (full, next) = (self.builder.create_block(), self.builder.create_block());
        let gathered = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(more, i64::from(table.packing.width()));
        self.builder.ins().brif(beyond, full, [], next, [&BlockArg::Value(more)]);
        self.builder.switch_to_block(full);
        self.counted(table, state, more);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(next, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(next);
        gathered
    }

    /// The last id of an activation: the slab is counted as it is.
    pub(crate) fn gather_last(&mut self, table: SlabTable, state: StateWord, slab: clif::Value, id: clif::Value) {
        let more = self.pushed(table.packing, slab, id);
        self.counted(table, state, more);
    }

    /// All iterations of a loop that has one path: the id of the first, and `id` of the others; gives the slab.
    pub(crate) fn gather_repeated(
        &mut self,
        table: SlabTable,
        state: StateWord,
        slab: clif::Value,
        (first, id, times): (clif::Value, u64, clif::Value),
    ) -> clif::Value {
        let (some, done) = (self.builder.create_block(), self.builder.create_block());
        let gathered = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(slab)]);
        self.builder.switch_to_block(some);
        let begun = self.gather(table, state, slab, first);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        let left = self.builder.ins().imul_imm_u(others, i64::from(table.packing.bits));
        let head = self.builder.create_block();
        let (begun, left) = {
            let params = [begun, left].map(|_| self.builder.append_block_param(head, types::I64));
            self.builder.ins().jump(head, [&BlockArg::Value(begun), &BlockArg::Value(left)]);
            self.builder.switch_to_block(head);
            (params[0], params[1])
        };
        let (more, left) = self.pushed_equal(table.packing, begun, (id, left));
        let full = self.builder.create_block();
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(more, i64::from(table.packing.width()));
        self.builder.ins().brif(beyond, full, [], done, [&BlockArg::Value(more)]);
        self.builder.switch_to_block(full);
        let left = self.count_equal(table, state, more, (id, left));
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(head, [&BlockArg::Value(empty), &BlockArg::Value(left)]);
        self.builder.switch_to_block(done);
        gathered
    }

    /// Counts a path by itself.
    pub(crate) fn tally(&mut self, table: SlabTable, id: clif::Value) {
        let empty = self.int(Packing::EMPTY as i64);
        let word = self.pushed(table.packing, empty, id);
        let first = self.int(crate::slab_table::FIRST_STATE as i64);
        let slot = self.slot_of(table, word, first);
        let one = self.int(1);
        self.add_to_word(slot, COUNT, one);
    }

    fn pushed(&mut self, packing: Packing, slab: clif::Value, id: clif::Value) -> clif::Value {
        let shifted = self.builder.ins().ishl_imm_u(slab, i64::from(packing.bits));
        self.builder.ins().iadd(shifted, id)
    }

    /// As many equal ids as fit; gives the slab, and the bits of those left.
    fn pushed_equal(
        &mut self,
        packing: Packing,
        slab: clif::Value,
        (id, left): (u64, clif::Value),
    ) -> (clif::Value, clif::Value) {
        let zeros = self.builder.ins().clz(slab);
        // The sentinel is at 63 - zeros.
        let room = self.builder.ins().iadd_imm_s(zeros, i64::from(packing.width()) - 63);
        let width = self.builder.ins().umin(left, room);
        let shifted = self.builder.ins().ishl(slab, width);
        let ones = self.int(-1);
        let above = self.builder.ins().ishl(ones, width);
        let ids = self.int(packing.repeated(id) as i64);
        let ids = self.builder.ins().band_not(ids, above);
        let more = self.builder.ins().bor(shifted, ids);
        let left = self.builder.ins().isub(left, width);
        (more, left)
    }

    /// Counts a full slab that equal ids follow. If it has these ids alone and leads back to its state, so do all further ones: they are
    /// counted together.
    fn count_equal(
        &mut self,
        table: SlabTable,
        state: StateWord,
        word: clif::Value,
        (id, left): (u64, clif::Value),
    ) -> clif::Value {
        let width = i64::from(table.packing.width());
        let equal = self.int((table.packing.repeated(id) | 1 << width) as i64);
        let equal = self.builder.ins().icmp(IntCC::Equal, word, equal);
        let (before, slot) = self.counted(table, state, word);
        let after = self.builder.ins().load(types::I64, trusted(), slot, NEXT);
        let (same, next) = (self.builder.create_block(), self.builder.create_block());
        let rest = self.builder.append_block_param(next, types::I64);
        let recurs = self.builder.ins().icmp(IntCC::Equal, before, after);
        let enough = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, left, width);
        let both = self.builder.ins().band(recurs, enough);
        let both = self.builder.ins().band(both, equal);
        self.builder.ins().brif(both, same, [], next, [&BlockArg::Value(left)]);
        self.builder.switch_to_block(same);
        let whole = self.builder.ins().udiv_imm_u(left, width);
        self.add_to_word(slot, COUNT, whole);
        let header = self.address(table.header);
        self.add_to_word(header, REPEATED, whole);
        let counted = self.builder.ins().imul_imm_u(whole, width);
        let few = self.builder.ins().isub(left, counted);
        self.builder.ins().jump(next, [&BlockArg::Value(few)]);
        self.builder.switch_to_block(next);
        rest
    }

    /// Counts a slab and goes on to the next state; gives the state before, and the slot.
    fn counted(&mut self, table: SlabTable, state: StateWord, word: clif::Value) -> (clif::Value, clif::Value) {
        let before = self.builder.ins().stack_load(types::I64, types::I64, state.frame, state.offset);
        let slot = self.slot_of(table, word, before);
        let one = self.int(1);
        self.add_to_word(slot, COUNT, one);
        let after = self.builder.ins().load(types::I64, trusted(), slot, NEXT);
        self.builder.ins().stack_store(types::I64, after, state.frame, state.offset);
        (before, slot)
    }

    /// The slot of a word in a state.
    fn slot_of(&mut self, table: SlabTable, word: clif::Value, state: clif::Value) -> clif::Value {
        let header = self.address(table.header);
        let base = self.builder.ins().load(types::I64, trusted(), header, BASE);
        let mask = self.builder.ins().load(types::I64, trusted(), header, MASK);
        let (of_state, of_word) = hash_factors();
        let (of_state, of_word) = (self.int(of_state), self.int(of_word));
        let product = self.builder.ins().imul(state, of_state);
        let mixed = self.builder.ins().bxor(word, product);
        let product = self.builder.ins().imul(mixed, of_word);
        let hash = self.builder.ins().ushr_imm_u(product, i64::from(HASH_SHIFT));
        let offset = self.builder.ins().band(hash, mask);

        let [probe, other, next, missing, found] = [(); 5].map(|()| self.builder.create_block());
        let at = self.builder.append_block_param(probe, types::I64);
        let slot = self.builder.append_block_param(found, types::I64);
        [other, next, missing].into_iter().for_each(|block| self.builder.set_cold_block(block));
        self.builder.ins().jump(probe, [&BlockArg::Value(offset)]);
        self.builder.switch_to_block(probe);
        let here = self.builder.ins().iadd(base, at);
        let known = self.builder.ins().load(types::I64, trusted(), here, WORD);
        let known_state = self.builder.ins().load(types::I64, trusted(), here, STATE);
        let differs = self.builder.ins().bxor(known, word);
        let differs_too = self.builder.ins().bxor(known_state, state);
        let differs = self.builder.ins().bor(differs, differs_too);
        self.builder.ins().brif(differs, other, [], found, [&BlockArg::Value(here)]);
        self.builder.switch_to_block(other);
        self.builder.ins().brif(known, next, [], missing, []);
        self.builder.switch_to_block(next);
        let further = self.builder.ins().iadd_imm_s(at, SLOT as i64);
        let further = self.builder.ins().band(further, mask);
        self.builder.ins().jump(probe, [&BlockArg::Value(further)]);

        self.builder.switch_to_block(missing);
        let number = self.int(i64::from(table.number));
        self.store_at(number, self.env.context, offset_of!(Context, slab_table) as i32);
        self.store_at(state, self.env.context, offset_of!(Context, slab_state) as i32);
        self.store_at(word, self.env.context, offset_of!(Context, slab) as i32);
        self.runtime_call(RuntimeCall::CountSlab, &[]);
        let made = self.load_at(types::I64, self.env.context, offset_of!(Context, slab_slot) as i32);
        self.builder.ins().jump(found, [&BlockArg::Value(made)]);
        self.builder.switch_to_block(found);
        slot
    }

    fn add_to_word(&mut self, base: clif::Value, offset: i32, many: clif::Value) {
        let count = self.builder.ins().load(types::I64, trusted(), base, offset);
        let count = self.builder.ins().iadd(count, many);
        self.builder.ins().store(trusted(), count, base, offset);
    }
}

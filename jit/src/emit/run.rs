//! Executions that are folded in place, run by run.
//!
//! In: a cell, the bits of an execution. Out: one more execution of the present run, or its end. Code folds a run itself if it neither
//! fills the window nor is the shortest or the longest so far, and if the search for the next path's slot ends where it begins. Everything
//! else is out of line, in a call that keeps all registers and finds the cell as it was.

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::probes::run_cell::{
    BASE, BITS, CELL, COUNT, INDEXED_SLOT, LEAST, LEFT, MASK, OR, SELF, SLOT, SLOT_BITS, SLOT_EXECUTIONS, SPAN, Slots,
};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

/// Some executions with equal bits, and their cell.
#[derive(Clone, Copy)]
pub(crate) struct Executions {
    pub(crate) cell: clif::Value,
    pub(crate) slots: Slots,
    pub(crate) bits: clif::Value,
    pub(crate) times: clif::Value,
}

impl Emitter<'_> {
    /// So many executions with equal bits.
    pub(crate) fn execution(&mut self, of: Executions) {
        let known = trusted().with_readonly().with_can_move();
        let cell = self.builder.ins().load(types::I64, known, of.cell, SELF);
        let of = Executions { cell, ..of };
        let [other, same, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(other);
        let before = self.cell_word(of, BITS);
        let differs = self.builder.ins().icmp(IntCC::NotEqual, before, of.bits);
        self.builder.ins().brif(differs, other, [], same, []);
        self.builder.switch_to_block(other);
        self.end_run(of, before, next);
        self.builder.switch_to_block(same);
        self.add_to_word(of.cell, COUNT, of.times);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// Folds the run that ends and begins another; then goes on at `next`.
    fn end_run(&mut self, of: Executions, before: clif::Value, next: clif::Block) {
        let rare = self.builder.create_block();
        self.builder.set_cold_block(rare);
        let count = self.cell_word(of, COUNT);
        let left = self.cell_word(of, LEFT);
        self.unless(IntCC::UnsignedGreaterThanOrEqual, count, left, rare);
        let least = self.cell_word(of, LEAST);
        let beyond = self.builder.ins().isub(count, least);
        let span = self.cell_word(of, SPAN);
        self.unless(IntCC::UnsignedGreaterThan, beyond, span, rare);
        let (slot, offset) = match of.slots {
            Slots::Hashed => (self.next_slot(of, rare), 0),
            Slots::Indexed(shift) => {
                let index = self.builder.ins().ushr_imm_u(before, i64::from(shift));
                let offset = self.builder.ins().ishl_imm_u(index, i64::from(INDEXED_SLOT));
                (self.builder.ins().iadd(of.cell, offset), CELL as i32)
            }
        };
        self.add_to_word(slot, offset + SLOT_EXECUTIONS, count);
        let or = self.cell_word(of, OR);
        let or = self.builder.ins().bor(or, before);
        self.set_cell_word(of, OR, or);
        let left = self.builder.ins().isub(left, count);
        self.set_cell_word(of, LEFT, left);
        self.set_cell_word(of, BITS, of.bits);
        self.set_cell_word(of, COUNT, of.times);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(rare);
        self.store_at(of.cell, self.env.context, offset_of!(Context, run_cell) as i32);
        self.store_at(of.bits, self.env.context, offset_of!(Context, run_bits) as i32);
        self.store_at(of.times, self.env.context, offset_of!(Context, run_count) as i32);
        self.runtime_call(RuntimeCall::EndRun, &[]);
        self.builder.ins().jump(next, []);
    }

    /// Makes the next path's slot the present one, if the search for it ends where it begins; gives that of the run that ends.
    fn next_slot(&mut self, of: Executions, otherwise: clif::Block) -> clif::Value {
        let slot = self.first_slot(of.cell, (BASE, MASK), of.bits);
        let there = self.builder.ins().load(types::I64, trusted(), slot, SLOT_BITS);
        self.unless(IntCC::NotEqual, there, of.bits, otherwise);
        let ended = self.cell_word(of, SLOT);
        self.set_cell_word(of, SLOT, slot);
        ended
    }

    /// Goes on behind unless a comparison holds.
    fn unless(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, otherwise: clif::Block) {
        let on = self.builder.create_block();
        self.builder.set_cold_block(on);
        let holds = self.builder.ins().icmp(cc, x, y);
        self.builder.ins().brif(holds, otherwise, [], on, []);
        self.builder.switch_to_block(on);
    }

    fn cell_word(&mut self, of: Executions, offset: i32) -> clif::Value {
        self.builder.ins().load(types::I64, trusted(), of.cell, offset)
    }

    fn set_cell_word(&mut self, of: Executions, offset: i32, to: clif::Value) {
        self.builder.ins().store(trusted(), to, of.cell, offset);
    }
}

//! Steps in a k-iteration path forest, counted in the slots of [`crate::probes::step_table`].
//!
//! In: the state of an activation and what ends. Out: the state behind. A path costs a comparison, an increment and a load; a step
//! that was never taken is a call that keeps all registers.

use super::{Emitter, Iterations, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::probes::path_table::FACTOR;
use crate::probes::step_table::{COUNT, HASHED_BITS, ITEM, NEXT, RepeatedLoop, SLOT_SHIFT, STATE, StepTable};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use std::mem::offset_of;

impl Emitter<'_> {
    /// One more item; gives the state behind.
    pub(crate) fn step(&mut self, table: StepTable, state: clif::Value, item: clif::Value) -> clif::Value {
        let next = self.builder.create_block();
        let behind = self.builder.append_block_param(next, types::I64);
        let slot = self.counted_step(table, (state, item), |emitter| {
            let known = emitter.load_at(types::I64, emitter.env.context, offset_of!(Context, step_state) as i32);
            emitter.builder.ins().jump(next, [&BlockArg::Value(known)]);
        });
        let known = self.builder.ins().load(types::I64, trusted(), slot, NEXT);
        self.builder.ins().jump(next, [&BlockArg::Value(known)]);
        self.builder.switch_to_block(next);
        behind
    }

    /// The last path of an activation, which is at a known state if it has no other.
    pub(crate) fn last_step(
        &mut self,
        table: StepTable,
        (state, known): (clif::Value, Option<i64>),
        item: clif::Value,
    ) {
        // The row of the first state is its own, so that a count is all that is needed.
        if known == Some(table.first as i64) && table.is_direct() {
            let slot = self.slot(table, state, item);
            let one = self.int(1);
            return self.add_to_word(slot, COUNT, one);
        }
        let next = self.builder.create_block();
        self.counted_step(table, (state, item), |emitter| _ = emitter.builder.ins().jump(next, []));
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// All iterations of a loop that has one path; gives the state behind.
    pub(crate) fn step_repeated(
        &mut self,
        (table, of): (StepTable, RepeatedLoop),
        state: clif::Value,
        [first, _, times]: Iterations,
    ) -> clif::Value {
        let [some, many, done] = [(); 3].map(|()| self.builder.create_block());
        let behind = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(state)]);
        self.builder.switch_to_block(some);
        let begun = self.step(table, state, first);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        self.builder.ins().brif(others, many, [], done, [&BlockArg::Value(begun)]);
        self.builder.switch_to_block(many);
        let rest = self.without_further((table, of), others);
        let scale = table.scale();
        let distance = self.builder.ins().imul_imm_s(rest, scale as i64);
        let item = self.builder.ins().iadd_imm_s(distance, (scale * table.loop_item(of)) as i64);
        let last = self.step(table, begun, item);
        self.builder.ins().jump(done, [&BlockArg::Value(last)]);
        self.builder.switch_to_block(done);
        behind
    }

    /// Counts a step where there is a slot for it, which it gives; otherwise the runtime does, and `beyond` ends the block behind.
    fn counted_step(
        &mut self,
        table: StepTable,
        (state, item): (clif::Value, clif::Value),
        beyond: impl FnOnce(&mut Self),
    ) -> clif::Value {
        let (unknown, known) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(unknown);
        let slot = self.slot(table, state, item);
        let of = self.builder.ins().load(types::I64, trusted(), slot, STATE);
        let differs = self.builder.ins().icmp(IntCC::NotEqual, state, of);
        match table.is_direct() {
            true => _ = self.builder.ins().brif(differs, unknown, [], known, []),
            false => {
                let of_state = self.builder.create_block();
                self.builder.ins().brif(differs, unknown, [], of_state, []);
                self.builder.switch_to_block(of_state);
                let there = self.builder.ins().load(types::I64, trusted(), slot, ITEM);
                let differs = self.builder.ins().icmp(IntCC::NotEqual, item, there);
                self.builder.ins().brif(differs, unknown, [], known, []);
            }
        }
        self.builder.switch_to_block(unknown);
        self.store_at(item, self.env.context, offset_of!(Context, path) as i32);
        self.store_at(state, self.env.context, offset_of!(Context, step_state) as i32);
        let first = self.address(table.first);
        self.store_at(first, self.env.context, offset_of!(Context, path_table) as i32);
        self.runtime_call(RuntimeCall::CountStep, &[]);
        beyond(self);
        self.builder.switch_to_block(known);
        let one = self.int(1);
        self.add_to_word(slot, COUNT, one);
        slot
    }

    /// The address of an item's slot in a row.
    fn slot(&mut self, table: StepTable, state: clif::Value, item: clif::Value) -> clif::Value {
        if table.is_direct() {
            return self.builder.ins().iadd(state, item);
        }
        let factor = self.int(FACTOR);
        let product = self.builder.ins().imul(item, factor);
        let index = self.builder.ins().ushr_imm_u(product, i64::from(u64::BITS - HASHED_BITS));
        let offset = self.builder.ins().ishl_imm_u(index, i64::from(SLOT_SHIFT));
        self.builder.ins().iadd(state, offset)
    }

    /// Iterations that are in an item; further ones are counted.
    fn without_further(&mut self, (table, of): (StepTable, RepeatedLoop), others: clif::Value) -> clif::Value {
        let most = self.int(i64::from(table.k));
        let rest = self.builder.ins().umin(others, most);
        let further = self.builder.ins().isub(others, rest);
        let counters = self.address(table.further);
        self.add_to_word(counters, 8 * of.as_u32() as i32, further);
        rest
    }
}

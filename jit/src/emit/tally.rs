//! Paths counted one by one, in a table.
//!
//! In: an id. Out: one more in its count. The first slot is looked at here, the others out of line; see [`crate::tally_table`].

use super::{Emitter, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::tally_table::{BASE, COUNT, HASH_SHIFT, MASK, TallyTable, WORD, hash_factor};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

impl Emitter<'_> {
    /// Counts a path.
    pub(crate) fn tally(&mut self, table: TallyTable, id: clif::Value) {
        let word = self.builder.ins().iadd_imm_s(id, 1);
        let header = self.address(table.header);
        let base = self.builder.ins().load(types::I64, trusted(), header, BASE);
        let mask = self.builder.ins().load(types::I64, trusted(), header, MASK);
        let factor = self.int(hash_factor());
        let product = self.builder.ins().imul(word, factor);
        let hash = self.builder.ins().ushr_imm_u(product, i64::from(HASH_SHIFT));
        let offset = self.builder.ins().band(hash, mask);
        let slot = self.builder.ins().iadd(base, offset);
        let there = self.builder.ins().load(types::I64, trusted(), slot, WORD);
        let [other, found, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(other);
        let differs = self.builder.ins().icmp(IntCC::NotEqual, there, word);
        self.builder.ins().brif(differs, other, [], found, []);
        self.builder.switch_to_block(other);
        self.store_at(word, self.env.context, offset_of!(Context, profile_word) as i32);
        self.store_at(header, self.env.context, offset_of!(Context, profile_header) as i32);
        self.runtime_call(RuntimeCall::Tally, &[]);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(found);
        let one = self.int(1);
        self.add_to_word(slot, COUNT, one);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// Adds to a word of memory.
    pub(super) fn add_to_word(&mut self, base: clif::Value, offset: i32, many: clif::Value) {
        let count = self.builder.ins().load(types::I64, trusted(), base, offset);
        let count = self.builder.ins().iadd(count, many);
        self.builder.ins().store(trusted(), count, base, offset);
    }
}

//! Paths counted one by one, in a table of [`crate::probes::path_table`].
//!
//! In: the id of a path, and how often it ended. Out: nothing; the table has the count. If the path is where the search begins, counting is in
//! line; otherwise it is a call that keeps all registers.

use super::{Emitter, Iterations, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::probes::path_table::{BASE, COUNT, FACTOR, MASK, PathTable, WORD, word_of};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

impl Emitter<'_> {
    /// Counts a path by itself so often, or once, if it is where the search for it begins. Otherwise the search goes on out of line.
    pub(crate) fn tally(&mut self, table: PathTable, id: clif::Value, times: Option<clif::Value>) {
        let word = self.builder.ins().iadd_imm_s(id, word_of(0) as i64);
        let header = self.address(table.header);
        let slot = self.first_slot(header, (BASE, MASK), word);
        let there = self.builder.ins().load(types::I64, trusted(), slot, WORD);
        let [other, found, next] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(other);
        let differs = self.builder.ins().icmp(IntCC::NotEqual, there, word);
        self.builder.ins().brif(differs, other, [], found, []);
        self.builder.switch_to_block(other);
        self.store_at(word, self.env.context, offset_of!(Context, path) as i32);
        self.store_at(header, self.env.context, offset_of!(Context, path_table) as i32);
        self.runtime_call(RuntimeCall::CountPath, &[]);
        if let Some(times) = times {
            let slot = self.load_at(types::I64, self.env.context, offset_of!(Context, path_slot) as i32);
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
    pub(crate) fn tally_run(&mut self, table: PathTable, [first, id, times]: Iterations) {
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

    /// The slot where the search for a word begins: `crate::probes::path_table::hash`. The table's address and mask lie at offsets of
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
}

//! Path ids packed into words, which go to the event buffer when they are full.
//!
//! In: an id and the word so far, laid out as a slab is. Out: the word with the id; an empty one if it was full and has been written. A path
//! costs a shift, an addition and a test, and a write every so many ids.

use super::Emitter;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use holloway_profiler::event::encode;
use holloway_profiler::forest::slab::Packing;

impl Emitter<'_> {
    /// One more id; gives the word.
    pub(crate) fn pack(&mut self, packing: Packing, word: clif::Value, id: clif::Value) -> clif::Value {
        let more = self.pushed(packing, word, id);
        let (full, next) = (self.builder.create_block(), self.builder.create_block());
        let packed = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(more, i64::from(packing.width()));
        self.builder.ins().brif(beyond, full, [], next, [&BlockArg::Value(more)]);
        self.builder.switch_to_block(full);
        self.emit_words(&[more], None);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(next, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(next);
        packed
    }

    /// All iterations of a loop that has one path: the id of the first, that of every other one, and how many there were. Gives the word.
    pub(crate) fn pack_run(
        &mut self,
        packing: Packing,
        word: clif::Value,
        (first, id): (clif::Value, clif::Value),
        times: clif::Value,
    ) -> clif::Value {
        let [some, one, many, done] = [(); 4].map(|()| self.builder.create_block());
        let packed = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(some);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        self.builder.ins().brif(others, many, [], one, []);
        self.builder.switch_to_block(one);
        let begun = self.pack(packing, word, first);
        self.builder.ins().jump(done, [&BlockArg::Value(begun)]);
        self.builder.switch_to_block(many);
        let begun = self.pushed(packing, word, first);
        let repeat = self.int(encode::repeat() as i64);
        self.emit_words(&[begun, repeat, id, others], None);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(done, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(done);
        packed
    }
}

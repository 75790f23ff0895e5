//! Path ids packed into words, which go to the event buffer when they are full.
//!
//! In: an id and the word so far, laid out by a [`Packing`]. Out: the word with the id; an empty one if it was full and
//! has been written. A path costs a shift, an addition and a test, and a write every so many ids.

use super::{Emitter, Iterations, trusted};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, types};
use holloway_profiler::event::packing::Packing;
use holloway_profiler::event::{FunctionId, encode};

impl Emitter<'_> {
    /// One more id; gives the word.
    pub(crate) fn pack(&mut self, packing: Packing, word: clif::Value, id: clif::Value) -> clif::Value {
        let more = self.pushed(packing, word, id);
        self.written_if_full(packing, more)
    }

    /// All iterations of a loop that has one path. Gives the word.
    ///
    /// As many as a word holds go into words, as a loop that comes round a few times each time would write a repetition for each; more are
    /// written as a repetition.
    pub(crate) fn pack_run(
        &mut self,
        packing: Packing,
        word: clif::Value,
        [first, id, times]: Iterations,
    ) -> clif::Value {
        let [some, few, many, done] = [(); 4].map(|()| self.builder.create_block());
        let packed = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(times, some, [], done, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(some);
        let others = self.builder.ins().iadd_imm_s(times, -1);
        let is_few = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, others, i64::from(packing.ids));
        self.builder.ins().brif(is_few, few, [], many, []);
        self.builder.switch_to_block(few);
        let packed_few = self.pack_few(packing, word, (first, id), others);
        self.builder.ins().jump(done, [&BlockArg::Value(packed_few)]);
        self.builder.switch_to_block(many);
        let begun = self.pushed(packing, word, first);
        let repeat = self.int(encode::repeat() as i64);
        self.emit_words(&[begun, repeat, id, others], None);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(done, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(done);
        packed
    }

    /// The last id of an activation, and its end. An activation that wrote nothing else but its start becomes a single word, in place of that
    /// start.
    pub(crate) fn pack_last(&mut self, (packing, function): (Packing, FunctionId), word: clif::Value, id: clif::Value) {
        let word = self.pushed(packing, word, id);
        let bits = packing.width() + 1;
        if bits <= encode::MOST_LAST_WORD.ilog2() {
            return self.write_last(function, bits, word);
        }
        let [short, long, done] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(long);
        let beyond = self.builder.ins().ushr_imm_u(word, i64::from(encode::MOST_LAST_WORD.ilog2()));
        self.builder.ins().brif(beyond, long, [], short, []);
        self.builder.switch_to_block(long);
        let leave = self.int(encode::leave() as i64);
        self.emit_words(&[word, leave], None);
        self.builder.ins().jump(done, []);
        self.builder.switch_to_block(short);
        self.write_last(function, bits, word);
        self.builder.ins().jump(done, []);
        self.builder.switch_to_block(done);
    }

    fn write_last(&mut self, function: FunctionId, bits: u32, word: clif::Value) {
        let at = self.next_event();
        let before = self.builder.ins().load(types::I64, trusted(), at, -8);
        let start = self.int(encode::enter(function) as i64);
        let mut is_leaf = self.builder.ins().icmp(IntCC::Equal, before, start);
        if bits > encode::MOST_LEAF_WORD.ilog2() {
            let is_short = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, word, encode::MOST_LEAF_WORD as i64);
            is_leaf = self.builder.ins().band(is_leaf, is_short);
        }
        let (leaf, last) = (self.int(encode::leaf(function) as i64), self.int(encode::last() as i64));
        let first = self.builder.ins().select(is_leaf, leaf, last);
        let whole = self.builder.ins().iadd(first, word);
        let in_place = self.builder.ins().iadd_imm_s(at, -8);
        let at = self.builder.ins().select(is_leaf, in_place, at);
        self.write_events(at, &[whole]);
    }

    /// Appends an id, and `others` times another, which together are at most as many as a word holds; writes the word before if it has no
    /// room for them, and the new one if it is full.
    fn pack_few(
        &mut self,
        packing: Packing,
        word: clif::Value,
        (first, id): (clif::Value, clif::Value),
        others: clif::Value,
    ) -> clif::Value {
        let [no_room, room] = [(); 2].map(|()| self.builder.create_block());
        let before = self.builder.append_block_param(room, types::I64);
        self.builder.set_cold_block(no_room);
        // The sentinel of the word may go up to the width, by the bits of all.
        let width_of_others = self.builder.ins().imul_imm_s(others, i64::from(packing.bits));
        let above = self.int(i64::from(packing.width() - packing.bits));
        let above = self.builder.ins().isub(above, width_of_others);
        let beyond = self.builder.ins().ushr(word, above);
        let is_beyond = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, beyond, 1);
        self.builder.ins().brif(is_beyond, no_room, [], room, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(no_room);
        self.emit_words(&[word], None);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(room, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(room);
        let begun = self.pushed(packing, before, first);
        let one = self.int(1);
        let shifted = self.builder.ins().ishl(begun, width_of_others);
        let mask = self.builder.ins().ishl(one, width_of_others);
        let mask = self.builder.ins().iadd_imm_s(mask, -1);
        let ones = self.int(packing.one_of_each() as i64);
        let ones = self.builder.ins().band(ones, mask);
        let added = self.builder.ins().imul(ones, id);
        let more = self.builder.ins().iadd(shifted, added);
        self.written_if_full(packing, more)
    }

    /// The word, or an empty one if it was full and has been written, out of line.
    fn written_if_full(&mut self, packing: Packing, word: clif::Value) -> clif::Value {
        let (full, next) = (self.builder.create_block(), self.builder.create_block());
        let kept = self.builder.append_block_param(next, types::I64);
        self.builder.set_cold_block(full);
        let beyond = self.builder.ins().ushr_imm_u(word, i64::from(packing.width()));
        self.builder.ins().brif(beyond, full, [], next, [&BlockArg::Value(word)]);
        self.builder.switch_to_block(full);
        self.emit_words(&[word], None);
        let empty = self.int(Packing::EMPTY as i64);
        self.builder.ins().jump(next, [&BlockArg::Value(empty)]);
        self.builder.switch_to_block(next);
        kept
    }

    /// The word with one more id.
    pub(crate) fn pushed(&mut self, packing: Packing, word: clif::Value, id: clif::Value) -> clif::Value {
        let shifted = self.builder.ins().ishl_imm_u(word, i64::from(packing.bits));
        self.builder.ins().iadd(shifted, id)
    }
}

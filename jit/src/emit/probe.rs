//! Reports of path probes: counters in place, words to the event buffer, and run-length encoded executions of regions.

use super::{Emitter, Iterations, trusted};
use crate::abi::{Context, RuntimeCall};
use crate::opt::op::PassedWord;
use crate::probes::{ARRAY_ADDRESS, FOLD_WORDS, Fold};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

impl Emitter<'_> {
    /// Adds one to a counter of an array.
    pub(crate) fn count(&mut self, array: usize, index: clif::Value) {
        let one = self.int(1);
        self.add_to_counter(array, index, one);
    }

    /// Counts all iterations of a loop that has one path: the first, and the others.
    pub(crate) fn count_run(&mut self, array: usize, [first, id, times]: Iterations) {
        let some = self.builder.ins().icmp_imm_s(IntCC::NotEqual, times, 0);
        let some = self.builder.ins().uextend(types::I64, some);
        self.add_to_counter(array, first, some);
        let others = self.builder.ins().isub(times, some);
        self.add_to_counter(array, id, others);
    }

    /// Adds many to a counter.
    pub(crate) fn count_many(&mut self, address: usize, many: clif::Value) {
        let counter = self.address(address);
        self.add_to_word(counter, 0, many);
    }

    /// Adds one to a known counter of an array.
    pub(crate) fn count_at(&mut self, array: usize, index: i64) {
        let (base, one) = (self.array_base(array), self.int(1));
        match i32::try_from(8 * index) {
            Ok(offset) => self.add_to_word(base, offset, one),
            Err(_) => self.increment(array.wrapping_add_signed(8 * index as isize)),
        }
    }

    /// The address of an array, loaded from the word before it: a constant is made anew for each use, and a load moves out of a loop.
    fn array_base(&mut self, array: usize) -> clif::Value {
        let address = self.address(array);
        self.builder.ins().load(types::I64, trusted().with_readonly().with_can_move(), address, ARRAY_ADDRESS)
    }

    fn add_to_counter(&mut self, array: usize, index: clif::Value, many: clif::Value) {
        let base = self.array_base(array);
        let offset = self.builder.ins().ishl_imm_u(index, 3);
        let counter = self.builder.ins().iadd(base, offset);
        self.add_to_word(counter, 0, many);
    }

    /// Passes a word to the activation that is called, or returned to.
    pub(crate) fn pass(&mut self, to: PassedWord, word: clif::Value) {
        self.store_at(word, self.env.context, place_of(to));
    }

    /// Reads a word that was passed last.
    pub(crate) fn receive(&mut self, from: PassedWord) -> clif::Value {
        self.load_at(types::I64, self.env.context, place_of(from))
    }

    /// Appends words to the event buffer, if they are wanted. There is always room for one report.
    pub(crate) fn emit_words(&mut self, words: &[clif::Value], switch: Option<usize>) {
        self.if_on(switch, |emitter| {
            let at = emitter.next_event();
            emitter.write_events(at, words);
        });
    }

    /// Reports something, out of line and only while the switch is on if there is one.
    fn if_on(&mut self, switch: Option<usize>, report: impl FnOnce(&mut Self)) {
        let Some(switch) = switch else { return report(self) };
        let (on, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(on);
        let wanted = self.load_at(types::I64, switch, 0);
        self.builder.ins().brif(wanted, on, [], next, []);
        self.builder.switch_to_block(on);
        report(self);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// The place of the next word in the event buffer. There is a word before it, in an empty buffer, too.
    pub(super) fn next_event(&mut self) -> clif::Value {
        self.load_at(types::I64, self.env.context, offset_of!(Context, events) as i32)
    }

    /// Writes words to the event buffer from a place on, behind which the next word goes.
    pub(super) fn write_events(&mut self, at: clif::Value, words: &[clif::Value]) {
        for (nth, word) in words.iter().enumerate() {
            self.builder.ins().store(trusted(), *word, at, 8 * nth as i32);
        }
        let next = self.builder.ins().iadd_imm_s(at, 8 * words.len() as i64);
        self.store_at(next, self.env.context, offset_of!(Context, events) as i32);
        let end = self.load_at(types::I64, self.env.context, offset_of!(Context, events_end) as i32);
        let full = self.rarely(IntCC::UnsignedGreaterThanOrEqual, next, end);
        self.runtime_call(RuntimeCall::FlushEvents, &[]);
        self.builder.ins().jump(full, []);
        self.builder.switch_to_block(full);
    }

    /// One more execution of a region, if that is still wanted.
    pub(crate) fn fold(&mut self, fold: Fold, bits: &[clif::Value]) {
        self.if_on(fold.switch, |emitter| emitter.fold_run(fold, bits));
    }

    /// While the bits stay the same, an execution is only counted; when they change, the run that ended is written to the
    /// event buffer.
    fn fold_run(&mut self, Fold { cell, announce, .. }: Fold, bits: &[clif::Value]) {
        let before: Vec<clif::Value> =
            (0..bits.len()).map(|nth| self.load_at(types::I64, cell, 8 * (FOLD_WORDS + nth) as i32)).collect();
        let mut changed: Option<clif::Value> = None;
        for (word, before) in bits.iter().zip(&before) {
            let differs = self.builder.ins().bxor(*word, *before);
            changed = Some(changed.map_or(differs, |known| self.builder.ins().bor(known, differs)));
        }
        let changed = changed.expect("a register has a word");
        let count = self.load_at(types::I64, cell, 0);
        let (other, next) = (self.builder.create_block(), self.builder.create_block());
        let new_count = self.builder.append_block_param(next, types::I64);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().brif(changed, other, [], next, [&clif::BlockArg::Value(more)]);
        self.builder.switch_to_block(other);
        let announce = self.int(announce as i64);
        let mut words = vec![announce, count];
        words.extend(&before);
        self.emit_words(&words, None);
        for (nth, word) in bits.iter().enumerate() {
            self.store_at(*word, cell, 8 * (FOLD_WORDS + nth) as i32);
        }
        let one = self.int(1);
        self.builder.ins().jump(next, [&clif::BlockArg::Value(one)]);
        self.builder.switch_to_block(next);
        self.store_at(new_count, cell, 0);
    }
}

/// Returns the offset of a word in the context.
fn place_of(word: PassedWord) -> i32 {
    let offset = match word {
        PassedWord::Path => offset_of!(Context, passed),
        PassedWord::Completions => offset_of!(Context, passed_completions),
        PassedWord::Detached => offset_of!(Context, passed_detached),
    };
    offset as i32
}

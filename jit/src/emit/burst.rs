//! Paths of which bursts are recorded.
//!
//! In: an id, and the cell of the function. Out: one path less in the gap; in a burst the path in the batch. The activation's tag is a word
//! of the frame, which only recording reads. Recording is out of line, in a call that keeps all registers.

use super::{Emitter, Iterations};
use crate::abi::{Context, RuntimeCall};
use crate::probes::burst_cell::{LEFT, MARK};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

/// The word of the frame that holds the tag of an activation.
#[derive(Clone, Copy)]
pub(crate) struct TagWord {
    pub(crate) frame: clif::StackSlot,
    pub(crate) offset: i32,
}

impl Emitter<'_> {
    /// An activation begins.
    pub(crate) fn begin_sample(&mut self, cell: usize, tag: TagWord) {
        let mark = self.load_at(types::I64, cell, MARK);
        self.builder.ins().stack_store(types::I64, mark, tag.frame, tag.offset);
    }

    /// A path is complete.
    pub(crate) fn sample(&mut self, cell: usize, tag: TagWord, id: clif::Value) {
        let one = self.int(1);
        self.sampled(cell, tag, one, |emitter| {
            emitter.store_at(id, emitter.env.context, offset_of!(Context, path) as i32);
            RuntimeCall::SamplePath
        });
    }

    /// A loop with one path is left.
    pub(crate) fn sample_run(&mut self, cell: usize, tag: TagWord, [first, id, times]: Iterations) {
        self.sampled(cell, tag, times, |emitter| {
            emitter.store_at(first, emitter.env.context, offset_of!(Context, path) as i32);
            emitter.store_at(id, emitter.env.context, offset_of!(Context, further_path) as i32);
            emitter.store_at(times, emitter.env.context, offset_of!(Context, iterations) as i32);
            RuntimeCall::SampleRun
        });
    }

    /// So many paths less are left in the gap. If it does not have so many, they are recorded by the runtime call, whose operands are
    /// stored out of line.
    fn sampled(
        &mut self,
        cell: usize,
        tag: TagWord,
        paths: clif::Value,
        operands: impl FnOnce(&mut Self) -> RuntimeCall,
    ) {
        let left = self.load_at(types::I64, cell, LEFT);
        let left = self.builder.ins().isub(left, paths);
        self.store_at(left, cell, LEFT);
        let zero = self.int(0);
        let next = self.rarely(IntCC::SignedLessThan, left, zero);
        let runtime_call = operands(self);
        let context = self.env.context;
        let before = self.builder.ins().stack_load(types::I64, types::I64, tag.frame, tag.offset);
        self.store_at(before, context, offset_of!(Context, tag) as i32);
        let address = self.address(cell);
        self.store_at(address, context, offset_of!(Context, burst_cell) as i32);
        self.runtime_call(runtime_call, &[]);
        let after = self.load_at(types::I64, context, offset_of!(Context, tag) as i32);
        self.builder.ins().stack_store(types::I64, after, tag.frame, tag.offset);
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }
}

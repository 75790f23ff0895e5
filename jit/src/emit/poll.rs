//! Polls: at entries, where one compare checks the stack and interrupts, and on back edges. Fuel is counted there too.

use super::call::Unwinds;
use super::{Emitter, Rare};
use crate::abi::{Context, RuntimeCall};
use crate::arch;
use crate::request::{FuelCounting, LoopPolls};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_abi::Reason;
use std::mem::offset_of;

impl Emitter<'_> {
    /// One compare serves the stack check and interrupts: an interrupt raises the limit. Counts no fuel.
    pub(crate) fn poll_at_entry(&mut self) {
        let sp = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.load_at(types::I64, self.env.context, offset_of!(Context, stack_limit) as i32);
        let next = self.rarely(IntCC::UnsignedLessThan, sp, limit);
        self.call_poll_stub(self.env.poll_stubs.entry);
        self.go_on(next);
    }

    /// As [`Self::poll_at_entry`], in a function that others are inlined into: the poll may send the call on to code where
    /// every call makes a frame.
    pub(crate) fn poll_at_entry_or_leave(&mut self, params: &[clif::Value]) {
        let sp = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.load_at(types::I64, self.env.context, offset_of!(Context, stack_limit) as i32);
        let next = self.rarely(IntCC::UnsignedLessThan, sp, limit);
        self.call_poll_stub(self.env.poll_stubs.entry);
        self.leave_if_told(offset_of!(Context, instead), next, |_| params.to_vec());
    }

    /// A back edge is taken.
    pub(crate) fn poll_on_back_edge(&mut self) {
        self.count_fuel();
        if self.branches_in_place() {
            return self.poll_in_loop();
        }
        // With the way on as its first target, the branch itself goes back.
        let rare = std::mem::replace(&mut self.rare, Rare::Behind);
        self.poll_in_loop();
        self.rare = rare;
    }

    /// In optimized code, anywhere in a loop.
    pub(crate) fn poll_optimized(&mut self) {
        if !self.polls_in_place() {
            return self.poll_in_loop();
        }
        let poll = self.poll.unwrap_or_else(|| self.import_poll());
        self.poll = Some(poll);
        self.builder.ins().call(poll, &[]);
    }

    fn import_poll(&mut self) -> clif::FuncRef {
        let signature = self.import(clif::Signature::new(arch::C_KEEPS_ALL));
        // The name says nothing: the code leads to the stub when it is loaded.
        let name = self.builder.func.declare_imported_user_function(clif::UserExternalName::default());
        let name = clif::ExternalName::user(name);
        self.builder.import_function(clif::ExtFuncData { name, signature, colocated: true, patchable: true })
    }

    /// Returns whether [`Self::poll_optimized`] makes neither a block nor a test. The unwinder must find what is
    /// pending, and others what is in registers alone; in place nobody would store it on the way there.
    pub(crate) fn polls_in_place(&self) -> bool {
        self.env.polls == LoopPolls::InPlace && self.pending.is_empty() && self.sunk.is_empty()
    }

    /// Returns whether cold blocks of polls are branched to in place: wherever code is optimized, and polls are not too many.
    pub(super) fn branches_in_place(&self) -> bool {
        self.env.polls == LoopPolls::InPlace && self.rare == Rare::Last
    }

    /// Anywhere in a loop. Counts no fuel.
    pub(crate) fn poll_in_loop(&mut self) {
        let next = match self.branches_in_place() {
            true => self.rarely_in_place(Reason::Flag),
            false => {
                let set = self.load_at(types::I32, self.env.context, offset_of!(Context, interrupt) as i32);
                let zero = self.builder.ins().iconst(types::I32, 0);
                self.rarely(IntCC::NotEqual, set, zero)
            }
        };
        self.make_sunk_stores();
        self.call_poll_stub(self.env.poll_stubs.edge);
        self.go_on(next);
    }

    fn go_on(&mut self, next: clif::Block) {
        self.builder.ins().jump(next, []);
        self.builder.switch_to_block(next);
    }

    /// Calls a stub of polls.
    pub(super) fn call_poll_stub(&mut self, stub: usize) {
        self.uncaught(|emitter| {
            let callee = emitter.address(stub);
            emitter.call_value(clif::Signature::new(arch::C_KEEPS_ALL), callee, &[], Unwinds::Maybe);
        });
    }

    /// Emits what raises nothing that can be caught here: limits and interrupts never are, a stack overflow by the caller only.
    fn uncaught(&mut self, emit: impl FnOnce(&mut Self)) {
        let handler = self.handler.take();
        emit(self);
        self.handler = handler;
    }

    /// One unit of fuel is spent.
    pub(crate) fn count_fuel(&mut self) {
        if self.env.fuel == FuelCounting::Off {
            return;
        }
        let offset = offset_of!(Context, fuel) as i32;
        let before = self.load_at(types::I64, self.env.context, offset);
        let after = self.builder.ins().iadd_imm_s(before, -1);
        self.store_at(after, self.env.context, offset);
        let zero = self.int(0);
        let next = self.rarely(IntCC::SignedLessThan, after, zero);
        self.uncaught(|emitter| {
            emitter.runtime_call(RuntimeCall::FuelExhausted, &[]);
        });
        self.go_on(next);
    }
}

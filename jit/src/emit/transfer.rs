//! Leaving a version at a loop header, and taking over at one.

use super::{Emitter, trusted};
use crate::abi::{Context, header_number};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_abi::Reason;
use holloway_lang::ir::Block;
use std::mem::offset_of;

impl Emitter<'_> {
    /// The poll of the back edge to a header at which the frame may be left for another version's. The state goes to the
    /// context in the order given; without one, the runtime reads it from the frame.
    pub(crate) fn poll_and_transfer(&mut self, header: Block, state: &[clif::Value]) {
        self.count_fuel();
        let next = match self.branches_in_place() {
            true => self.rarely_in_place(Reason::Leaving),
            false => {
                // With what is next to it: whether some frame waits to be left.
                let set = self.load_at(types::I64, self.env.context, offset_of!(Context, interrupt) as i32);
                let zero = self.int(0);
                self.rarely(IntCC::NotEqual, set, zero)
            }
        };
        self.make_sunk_stores();
        let number = self.builder.ins().iconst(types::I32, i64::from(header_number(header)));
        self.store_at(number, self.env.context, offset_of!(Context, header) as i32);
        self.call_poll_stub(self.env.poll_stubs.header);
        self.leave_if_told(offset_of!(Context, transfer), next, |emitter| {
            for (nth, value) in state.iter().enumerate() {
                emitter.store_at(*value, emitter.env.context, (offset_of!(Context, state) + 8 * nth) as i32);
            }
            // The other version's entry reads no operand.
            let params = emitter.builder.func.signature.params.clone();
            params.iter().map(|param| emitter.nothing(param.value_type)).collect()
        });
    }

    /// An operand that nobody reads.
    fn nothing(&mut self, ty: clif::Type) -> clif::Value {
        match ty {
            types::F64 => self.builder.ins().f64const(0.0),
            ty => self.builder.ins().iconst(ty, 0),
        }
    }

    /// Ends the frame and goes on at the code whose address is in a word of the context, if one is there; if none is, goes on at
    /// `next`, and so does emission. That code has the signature of this; its operands are made on the way out.
    pub(super) fn leave_if_told(
        &mut self,
        word: usize,
        next: clif::Block,
        operands: impl FnOnce(&mut Self) -> Vec<clif::Value>,
    ) {
        let target = self.load_at(types::I64, self.env.context, word as i32);
        let leave = self.builder.create_block();
        self.builder.set_cold_block(leave);
        self.builder.ins().brif(target, leave, [], next, []);
        self.builder.switch_to_block(leave);
        let operands = operands(self);
        let signature = self.builder.func.signature.clone();
        let signature = self.import(signature);
        self.builder.ins().return_call_indirect(signature, target, &operands);
        self.builder.switch_to_block(next);
    }

    /// The transfer that led here is done.
    pub(crate) fn end_transfer(&mut self) {
        let none = self.int(0);
        self.store_at(none, self.env.context, offset_of!(Context, transfer) as i32);
    }

    /// A word of the state that a transfer passed on.
    pub(crate) fn load_state(&mut self, ty: clif::Type, word: u32) -> clif::Value {
        let base = self.address(self.env.context);
        self.builder.ins().load(ty, trusted(), base, (offset_of!(Context, state) + 8 * word as usize) as i32)
    }
}

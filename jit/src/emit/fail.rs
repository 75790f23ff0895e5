//! Checks that raise run-time failures. Each check is a branch to a cold block of its own, which
//! calls the runtime with what the message needs.

use super::Emitter;
use crate::abi::{self, Context, RuntimeCall};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use holloway_lang::ir::FailKind;
use std::mem::offset_of;

impl Emitter<'_> {
    /// `division by zero`.
    pub(crate) fn fail_if_zero(&mut self, divisor: clif::Value) {
        let zero = self.int(0);
        self.fail_if(IntCC::Equal, divisor, zero, RuntimeCall::FailDivision, &[]);
    }

    /// `unwrapped none`.
    pub(crate) fn fail_unless_some(&mut self, value: clif::Value) {
        let none = self.int(0);
        self.fail_if(IntCC::Equal, value, none, RuntimeCall::FailUnwrap, &[]);
    }

    /// `index out of range`.
    pub(crate) fn fail_unless_below(&mut self, index: clif::Value, len: clif::Value) {
        let operands = [(offset_of!(Context, index), index), (offset_of!(Context, length), len)];
        self.fail_if(IntCC::UnsignedGreaterThanOrEqual, index, len, RuntimeCall::FailIndex, &operands);
    }

    /// Raises the failure of a `fail`; ends the block.
    pub(crate) fn fail(&mut self, kind: FailKind, message: clif::Value) {
        let kind = self.int(abi::fail_kind_number(kind));
        self.runtime_call(RuntimeCall::Fail, &[kind, message]);
        self.unreachable();
    }

    /// Ends the program; ends the block.
    pub(crate) fn exit(&mut self, status: clif::Value) {
        // Nothing catches the end of the program.
        self.handler = None;
        self.runtime_call(RuntimeCall::Exit, &[status]);
        self.unreachable();
    }

    /// With operands at offsets of the context.
    pub(super) fn fail_if(
        &mut self,
        cc: IntCC,
        x: clif::Value,
        y: clif::Value,
        runtime_call: RuntimeCall,
        operands: &[(usize, clif::Value)],
    ) {
        let next = self.rarely(cc, x, y);
        self.make_sunk_stores();
        for (offset, value) in operands {
            self.store_at(*value, self.env.context, *offset as i32);
        }
        self.runtime_call(runtime_call, &[]);
        self.unreachable();
        self.builder.switch_to_block(next);
    }
}

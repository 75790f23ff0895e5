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
        self.fail_if(IntCC::Equal, divisor, zero, RuntimeCall::FailDivision);
    }

    /// `unwrapped none`.
    pub(crate) fn fail_unless_some(&mut self, value: clif::Value) {
        let none = self.int(0);
        self.fail_if(IntCC::Equal, value, none, RuntimeCall::FailUnwrap);
    }

    /// `index out of range`.
    pub(crate) fn fail_unless_below(&mut self, index: clif::Value, len: clif::Value) {
        self.fail_unless(index, len, |_| len);
    }

    /// The same of an object's length, which is read where it is compared, and once more where that fails: no register holds it.
    pub(crate) fn fail_unless_within(&mut self, index: clif::Value, object: clif::Value) {
        let len = self.len(object);
        self.fail_unless(index, len, |emitter| emitter.len(object));
    }

    /// Fails unless an index is below a length, which is given once more where it fails.
    fn fail_unless(&mut self, index: clif::Value, len: clif::Value, again: impl FnOnce(&mut Self) -> clif::Value) {
        self.fail_telling((IntCC::UnsignedGreaterThanOrEqual, index, len), RuntimeCall::FailIndex, |emitter| {
            let len = again(emitter);
            emitter.store_at(index, emitter.env.context, offset_of!(Context, index) as i32);
            emitter.store_at(len, emitter.env.context, offset_of!(Context, length) as i32);
        });
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

    pub(super) fn fail_if(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, runtime_call: RuntimeCall) {
        self.fail_telling((cc, x, y), runtime_call, |_| {});
    }

    /// Fails if a comparison holds, and puts what the message needs in the context before.
    fn fail_telling(
        &mut self,
        (cc, x, y): (IntCC, clif::Value, clif::Value),
        runtime_call: RuntimeCall,
        tell: impl FnOnce(&mut Self),
    ) {
        let next = self.rarely(cc, x, y);
        self.make_sunk_stores();
        tell(self);
        self.runtime_call(runtime_call, &[]);
        self.unreachable();
        self.builder.switch_to_block(next);
    }
}

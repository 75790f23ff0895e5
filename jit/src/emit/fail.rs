//! Checks that raise run-time failures. Each check is a branch to a cold block of its own, which
//! calls the runtime with what the message needs.

use super::Emitter;
use crate::abi::{self, Callout};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use holloway_lang::ir::FailKind;

impl Emitter<'_> {
    /// `division by zero`.
    pub(crate) fn fail_if_zero(&mut self, divisor: clif::Value) {
        let zero = self.int(0);
        self.fail_if(IntCC::Equal, divisor, zero, Callout::FailDivision, &[]);
    }

    /// `unwrapped none`.
    pub(crate) fn fail_unless_some(&mut self, value: clif::Value) {
        let none = self.int(0);
        self.fail_if(IntCC::Equal, value, none, Callout::FailUnwrap, &[]);
    }

    /// `index out of range`.
    pub(crate) fn fail_unless_below(&mut self, index: clif::Value, len: clif::Value) {
        self.fail_if(IntCC::UnsignedGreaterThanOrEqual, index, len, Callout::FailIndex, &[index, len]);
    }

    /// Raises the failure of a `fail`; ends the block.
    pub(crate) fn fail(&mut self, kind: FailKind, message: clif::Value) {
        let kind = self.int(abi::fail_kind_number(kind));
        self.callout(Callout::Fail, &[kind, message]);
        self.unreachable();
    }

    /// Ends the program; ends the block.
    pub(crate) fn exit(&mut self, status: clif::Value) {
        // Nothing catches the end of the program.
        self.handler = None;
        self.callout(Callout::Exit, &[status]);
        self.unreachable();
    }

    fn fail_if(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, callout: Callout, args: &[clif::Value]) {
        let next = self.rarely(cc, x, y);
        self.callout(callout, args);
        self.unreachable();
        self.builder.switch_to_block(next);
    }
}

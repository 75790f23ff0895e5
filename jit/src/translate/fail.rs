//! Checks that raise run-time failures. Each check is a branch to a cold block of its own, which
//! calls the runtime with what the message needs.

use super::Translator;
use crate::abi::Callout;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;

impl Translator<'_> {
    /// `division by zero`.
    pub(super) fn fail_if_zero(&mut self, divisor: clif::Value) {
        let zero = self.int(0);
        self.fail_if(IntCC::Equal, divisor, zero, Callout::FailDivision, &[]);
    }

    /// `unwrapped none`.
    pub(super) fn fail_unless_some(&mut self, value: clif::Value) {
        let none = self.int(0);
        self.fail_if(IntCC::Equal, value, none, Callout::FailUnwrap, &[]);
    }

    /// `index out of range`.
    pub(super) fn fail_unless_below(&mut self, index: clif::Value, len: clif::Value) {
        self.fail_if(IntCC::UnsignedGreaterThanOrEqual, index, len, Callout::FailIndex, &[index, len]);
    }

    fn fail_if(&mut self, cc: IntCC, x: clif::Value, y: clif::Value, callout: Callout, args: &[clif::Value]) {
        let next = self.rarely(cc, x, y);
        self.callout(callout, args);
        self.unreachable();
        self.builder.switch_to_block(next);
    }
}

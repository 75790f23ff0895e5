//! Checks that raise run-time failures. Each check is a branch to a cold block of its own, which
//! calls the runtime with what the message needs.

use super::Translator;
use crate::abi::Callout;
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

impl Translator<'_> {
    /// `division by zero`.
    pub(super) fn fail_if_zero(&mut self, divisor: clif::Value) {
        let zero = self.builder.ins().icmp_imm_s(IntCC::Equal, divisor, 0);
        self.fail_if(zero, Callout::FailDivision, &[]);
    }

    /// `unwrapped none`.
    pub(super) fn fail_unless_some(&mut self, value: clif::Value) {
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, value, 0);
        self.fail_if(none, Callout::FailUnwrap, &[]);
    }

    /// `index out of range`.
    pub(super) fn fail_unless_below(&mut self, index: clif::Value, len: clif::Value) {
        let out = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, len);
        self.fail_if(out, Callout::FailIndex, &[index, len]);
    }

    fn fail_if(&mut self, cond: clif::Value, callout: Callout, args: &[clif::Value]) {
        let (cold, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        self.builder.ins().brif(cond, cold, [], next, []);
        self.builder.switch_to_block(cold);
        self.callout(callout, args);
        self.unreachable();
        self.builder.switch_to_block(next);
    }
}

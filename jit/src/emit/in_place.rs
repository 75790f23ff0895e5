//! Branches in place: to cold blocks that poll, without a test while nothing is wanted.
//!
//! In: for which reasons the branch is to be taken. Out: a test that never holds, of the stack pointer for 0, whose machine code becomes a poll in place when
//! it is taken from Cranelift ([`crate::code::load`]). It is found by the marks of its source location ([`super::marks`]).

use super::{Emitter, marks};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use holloway_abi::Reason;

impl Emitter<'_> {
    /// As [`Emitter::rarely`], while the program is wanted for a reason: a flag is raised, or, if frames can be left there, one is to be.
    pub(super) fn rarely_in_place(&mut self, reason: Reason) -> clif::Block {
        let location = self.builder.srcloc();
        self.builder.set_srcloc(marks::of_branch(location, reason));
        let sp = self.builder.ins().get_stack_pointer(types::I64);
        let zero = self.int(0);
        let next = self.rarely(IntCC::Equal, sp, zero);
        self.builder.set_srcloc(location);
        next
    }
}

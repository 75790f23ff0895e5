//! Branches in place: to cold blocks that poll, without a test while nothing is wanted.
//!
//! In: for which reasons the branch is to be taken. Out: a test that never holds, of the stack pointer for 0, whose machine code becomes a poll in place when
//! it is taken from Cranelift ([`crate::load`]). It is found by its source location: the site's, with marks.
//! Invariant: sites are fewer than the marks' bits leave room for, as functions that are compiled are small enough.

use super::Emitter;
use crate::poll_sites::{ALL_REASONS, Reason};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, SourceLoc, types};

/// A branch in place.
const MARK: u32 = 1 << 31;
/// One at which frames can be left, too.
const LEAVING: u32 = 1 << 30;
/// A jump through a table, whose bounds are tested before.
const TABLE: u32 = 1 << 29;

/// The site of a source location.
pub(crate) fn site(location: SourceLoc) -> u32 {
    location.bits() & !(MARK | LEAVING | TABLE)
}

/// The reasons for which the branch in place with a source location is taken, if it is that of one.
pub(crate) fn reasons(location: SourceLoc) -> Option<u8> {
    let bits = location.bits();
    let is_marked = !location.is_default() && bits & MARK != 0;
    is_marked.then_some(if bits & LEAVING != 0 { ALL_REASONS } else { Reason::Flag as u8 })
}

/// The source location of a jump through a table whose bounds are tested before.
pub(crate) fn of_table(location: SourceLoc) -> SourceLoc {
    SourceLoc::new(location.bits() | TABLE)
}

/// True for the source location of such a jump.
pub(crate) fn is_of_table(location: SourceLoc) -> bool {
    !location.is_default() && location.bits() & TABLE != 0
}

impl Emitter<'_> {
    /// As [`Emitter::rarely`], while the program is wanted for a reason: a flag is raised, or, if frames can be left there, one is to be.
    pub(super) fn rarely_in_place(&mut self, reason: Reason) -> clif::Block {
        let location = self.builder.srcloc();
        let marks = match reason {
            Reason::Flag => MARK,
            Reason::Leaving => MARK | LEAVING,
        };
        self.builder.set_srcloc(SourceLoc::new(location.bits() | marks));
        let sp = self.builder.ins().get_stack_pointer(types::I64);
        let zero = self.int(0);
        let next = self.rarely(IntCC::Equal, sp, zero);
        self.builder.set_srcloc(location);
        next
    }
}

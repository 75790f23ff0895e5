//! Marks in source locations: how code is found again when it is taken from Cranelift ([`crate::code::load`]), which keeps the location of each instruction.
//!
//! In: the site of an instruction, and what is to become of its code. Out: a location that tells both.
//! Invariant: sites are fewer than the marks' bits leave room for, as functions that are compiled are small enough.

use cranelift_codegen::ir::SourceLoc;
use holloway_abi::{ALL_REASONS, Reason};

/// A branch in place.
const BRANCH: u32 = 1 << 31;
/// One at which frames can be left, too.
const LEAVING: u32 = 1 << 30;
/// A jump through a table, whose bounds are tested before.
const TABLE: u32 = 1 << 29;

const ALL: u32 = BRANCH | LEAVING | TABLE;

fn marked(location: SourceLoc, marks: u32) -> SourceLoc {
    debug_assert!(location.is_default() || location.bits() & ALL == 0, "{location} has marks, or is too large");
    SourceLoc::new(location.bits() | marks)
}

fn has(location: SourceLoc, mark: u32) -> bool {
    !location.is_default() && location.bits() & mark != 0
}

/// The site of a source location.
pub(crate) fn site(location: SourceLoc) -> u32 {
    location.bits() & !ALL
}

/// The source location of a branch in place.
pub(crate) fn of_branch(location: SourceLoc, reason: Reason) -> SourceLoc {
    match reason {
        Reason::Flag => marked(location, BRANCH),
        Reason::Leaving => marked(location, BRANCH | LEAVING),
    }
}

/// The reasons for which the branch in place with a source location is taken, if it is that of one.
pub(crate) fn reasons(location: SourceLoc) -> Option<u8> {
    has(location, BRANCH).then_some(if has(location, LEAVING) { ALL_REASONS } else { Reason::Flag as u8 })
}

/// The source location of a jump through a table whose bounds are tested before.
pub(crate) fn of_table(location: SourceLoc) -> SourceLoc {
    marked(location, TABLE)
}

/// True for the source location of such a jump.
pub(crate) fn is_of_table(location: SourceLoc) -> bool {
    has(location, TABLE)
}

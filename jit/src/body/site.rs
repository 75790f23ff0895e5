//! Sites: the places in the program that instructions of compiled code come from.
//!
//! In: the blocks of a function, of those inlined into it and of those that it is expanded by. Out: plain data.
//! Invariant: the site of a call stands before those of what is inlined there.

use cranelift_entity::packed_option::PackedOption;
use holloway_lang::ir::{Block, FuncRef};
use holloway_lang::source::Span;

/// The place of one instruction in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function the instruction was written in: another than the version's own if inlined.
    pub func: FuncRef,
    /// The block of that function.
    pub block: Block,
    /// The source position.
    pub span: Span,
    /// The call that was inlined, if the instruction comes from its callee: an index into the sites.
    pub inlined_at: Option<u32>,
    /// The block of the expanded body that it is part of, if the code is of one.
    pub expanded: PackedOption<Block>,
}

//! Assignments of source variables, and what the passes made of them.
//!
//! In: a function whose construction was asked to keep a [`Record`]. Out: the [`Fate`] of each assignment of a named local:
//! where optimized code executes it, or which pass deleted it. `docs/currency.md` says what a debugger makes of that.
//!
//! Data goes one way: construction notes the assignments (`construct/assignments.rs`), the operations that replace values
//! and copy, merge or make blocks keep the record true (`record.rs`, `blocks.rs`), and after each pass the fates are read
//! off (`fates.rs`).
//! Invariants: without a record nothing is noted, and with one the passes do the same as without. Places are blocks and
//! instructions of the function's own IR; what happens inside inlined calls happens at the call.

mod blocks;
mod fates;
mod record;
#[cfg(test)]
mod tests;

use cranelift_entity::entity_impl;
use holloway_lang::ir::{self, Local, Operand};

pub use record::Record;
pub(crate) use record::{Means, Noted};

/// An assignment of a named local, in the order of blocks and instructions as they were translated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssignmentId(u32);
entity_impl!(AssignmentId, "a");

/// An assignment and its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The local.
    pub local: Local,
    /// The IR block that it is written in.
    pub block: ir::Block,
    /// The instruction of that block.
    pub index: usize,
    /// The outcome.
    pub fate: Fate,
}

/// The outcome of optimization for an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Optimized code executes it, at each of these places.
    Executed(Vec<ExecutedAt>),
    /// Nothing executes it.
    Deleted {
        /// The pass that deleted it, or `build`.
        pass: &'static str,
        /// The value that it would assign, if that is still known.
        known: Option<Known>,
    },
}

/// A place at which optimized code executes an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedAt {
    /// The place.
    pub position: Position,
    /// The executions of the place at which that happens.
    pub when: When,
}

/// A place in an IR block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The block.
    pub block: ir::Block,
    /// The instruction; as many as the block has for its terminator.
    pub index: usize,
    /// The order among what is executed there: [`Position::ITSELF`] for the instruction, less for what was moved ahead of it.
    pub order: u32,
}

impl Position {
    /// The order of the instruction itself.
    pub const ITSELF: u32 = u32::MAX;
}

/// The executions of a block at which an assignment is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// Each.
    Always,
    /// The first one since control was outside these blocks, a loop's: the assignment is in the preheader.
    Entering(Vec<ir::Block>),
    /// Some: the optimizer made several copies of the block, and not all of them contain the assignment.
    Sometimes,
}

/// The value of a deleted assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A constant.
    Constant(Operand),
    /// The value of another assignment, by its position in the list.
    SameAs(usize),
}

impl Assignment {
    /// The place where it is written.
    pub fn written_at(&self) -> Position {
        Position { block: self.block, index: self.index, order: Position::ITSELF }
    }

    /// Returns whether it is executed where it is written, and nowhere else.
    pub fn is_in_place(&self) -> bool {
        let here = ExecutedAt { position: self.written_at(), when: When::Always };
        matches!(&self.fate, Fate::Executed(places) if *places == [here])
    }
}

//! The names of values, blocks and instructions of the SSA form.
//!
//! In: nothing. Out: numbers that mean something only in the function that gave them. What is kept about a function
//! beside its text, its graph and the record of its assignments, needs no more of it than these.

use cranelift_entity::entity_impl;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);
entity_impl!(Value, "%");

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "b");

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Inst(u32);
entity_impl!(Inst, "i");

//! The parts of typed nodes that contain no nodes: variables and loops, operations and tests. Contract and invariants
//! are those of the [module](super).

use cranelift_entity::entity_impl;

use crate::ir::{BinaryOp, Global, StrRef};

/// A parameter or local variable of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "var");

/// A `while`, `loop` or `for` of one function, the target of `break` and `continue`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopRef(u32);
entity_impl!(LoopRef, "loop");

/// The variable that a `let` or `var` declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binding {
    /// A local of the function.
    Var(VarId),
    /// A global: a `let` or `var` directly at top level.
    Global(Global),
}

/// The operation of a compound assignment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// An operation of the machine.
    Binary(BinaryOp),
    /// `+=` on strings.
    Concat,
}

/// A comparison of strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// The source that a slice copies from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sliceable {
    /// A string: `Builtin::StrSlice`.
    Str,
    /// An array: `Builtin::ArraySlice`.
    Array,
}

/// A test of a match's subject.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// `low <= subject && subject <= high`; `low <= high`, often equal.
    Int {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// `subject == value`
    Bool(bool),
    /// `subject == value`, by bytes.
    Str(StrRef),
}

/// Says if control reaches the end of a construct, by the rules of the language: the conditions of `while` and `if` are
/// not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Completion {
    /// It may.
    Falls,
    /// It never does: every path ends in `return`, `fail`, `exit`, `break`, `continue` or a `loop` without `break`.
    Leaves,
}

//! The typed syntax tree: a program in which every name is resolved, every type known and every overload chosen.
//!
//! In: built by `check`. Out: read by `lower`, one [`Function`] at a time. Types, records, signatures, functions,
//! globals and string constants are ids of the [`Module`](crate::ir::Module) that the checker filled; only the
//! bodies are missing there.
//!
//! Invariants, on which `lower` relies without checking:
//! 1. Every expression has a value of type [`Expr::ty`], which is never `byte`: a read of a `byte` element or field
//!    has type `int`, and so has the value stored into one.
//! 2. Conversions are explicit: `T` to `T?` is [`ExprKind::Some`], all others are operators or built-ins. Operands of
//!    an [`ExprKind::Binary`] have exactly the scalar that its operator asks for.
//! 3. Constants are literals: no name of a `const` is left.
//! 4. Shadowing is resolved: a [`VarId`] has one declaration, which runs before any of its uses.
//! 5. Evaluation order is that of the fields as they are listed here, unless the node says otherwise. An operand's
//!    value is taken when the operand is evaluated: in `x + { x = 2; 1 }` the left operand is the old `x`.
//! 6. The body of a function with a result never falls through ([`Completion::Leaves`]).

mod leaf;
mod operands;
mod repeatable;
mod tree;

pub use leaf::{Binding, Comparison, Completion, LoopRef, Sliceable, Test, Update, VarId};
pub use tree::{
    Arm, Block, Branch, Call, Callee, Cond, Decision, Expr, ExprKind, For, ForSource, If, Loop, Match, Place,
    PlaceKind, Select, Stmt, StmtKind, Try, While,
};

pub use crate::ast::{Bound, Mutability};
pub use crate::ir::FunctionKind;

use std::sync::Arc;

use cranelift_entity::PrimaryMap;

use crate::ir::{FuncRef, RecordRef, TypeRef};
use crate::source::Span;

/// One function: a `fn` of the program, or the top-level statements of one file or REPL input.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its id in the module.
    pub func: FuncRef,
    /// Its name; of top-level statements, the name of the file.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: FunctionKind,
    /// The span of the declaration's name, or of the statements.
    pub span: Span,
    /// Its parameters; always the first variables, in order. Of a closure's code, those that the program has written.
    pub params: Vec<VarId>,
    /// Of a closure's code, what it captures.
    pub captures: Option<Captures>,
    /// The type of its result. Top-level statements have none.
    pub result: Option<TypeRef>,
    /// Every parameter and local variable.
    pub vars: PrimaryMap<VarId, Var>,
    /// Every loop, in the order in which they start.
    pub loops: PrimaryMap<LoopRef, LoopInfo>,
    /// The body; its `value` is always absent.
    pub body: Block,
}

/// The variables of a closure's code that it has from around it. The code has one more parameter, before all others: a
/// record that holds them.
#[derive(Clone, PartialEq, Debug)]
pub struct Captures {
    /// The record; absent if there are none.
    pub record: Option<RecordRef>,
    /// The variables, one a field.
    pub vars: Vec<VarId>,
}

/// A parameter or local variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// Its name; `_` for a parameter that binds nothing.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeRef,
    /// `var` if anything but its declaration assigns it.
    pub mutability: Mutability,
    /// Set if closures share it: it is then the field of a record of its own, of this type.
    pub cell: Option<RecordRef>,
    /// The span of its name in the declaration.
    pub span: Span,
}

/// A loop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoopInfo {
    /// The whole statement.
    pub span: Span,
    /// True if some `break` names it. A `loop` without one never ends normally.
    pub has_break: bool,
}

//! Statements and blocks.

use super::{BinaryOp, Const, Expr, Name, TypeExpr};
use crate::source::Span;

/// `{ statements }`. A block's value, where one is asked for, is that of its last statement if that is
/// [`StmtKind::Expr`]; a `;` after it changes nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The statements in order.
    pub stmts: Vec<Stmt>,
    /// From `{` to `}`; of a match arm without braces, the span of its statement.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// The whole statement, without the `;`.
    pub span: Span,
}

/// The kinds of statement. An `if`, a `match` and a bare block are expressions and stand here as
/// [`StmtKind::Expr`]; as statements they need no value, no `else` and no exhaustive arms.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `let x: T = e`, `var x: T = e`
    Let(Let),
    /// `const N = e` inside a function or block.
    Const(Const),
    /// `target = value`, `target op= value`
    Assign(Assign),
    /// An expression whose value is discarded, or is the value of the block that it ends.
    Expr(Expr),
    /// `label: while cond { body }`
    While(While),
    /// `label: loop { body }`
    Loop(Loop),
    /// `label: for name in source { body }`
    For(For),
    /// `break`, `break label`
    Break(Option<Name>),
    /// `continue`, `continue label`
    Continue(Option<Name>),
    /// `return`, `return value`
    Return(Option<Expr>),
    /// `fail message`
    Fail(Expr),
    /// `try { body } catch name { handler }`
    Try(Try),
}

/// Mutability of a variable: `let` fixes its value, `var` allows assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutability {
    /// `let`
    Fixed,
    /// `var`
    Variable,
}

/// `let name: ty = value` or `var name: ty = value`
#[derive(Clone, PartialEq, Debug)]
pub struct Let {
    /// `let` or `var`.
    pub mutability: Mutability,
    /// The name it binds; `_` binds nothing.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<TypeExpr>,
    /// Its first value.
    pub value: Expr,
}

/// `target = value` or, with `op`, `target op= value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// A name, index or field expression, possibly in parentheses; the parser has refused anything else.
    pub target: Expr,
    /// The operator of a compound assignment: an arithmetic, bit or shift operator.
    pub op: Option<BinaryOp>,
    /// The `=` or compound operator.
    pub op_span: Span,
    /// The right side.
    pub value: Expr,
}

/// `label: while cond { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct While {
    /// The label before it.
    pub label: Option<Name>,
    /// Its condition, which may bind a name.
    pub cond: Cond,
    /// Its body.
    pub body: Block,
}

/// `label: loop { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The label before it.
    pub label: Option<Name>,
    /// Its body.
    pub body: Block,
}

/// `label: for name in source { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The label before it.
    pub label: Option<Name>,
    /// The loop variable, fixed in the body; `_` binds nothing.
    pub name: Name,
    /// The range, array or string that it iterates over.
    pub source: ForSource,
    /// Its body.
    pub body: Block,
}

/// The source that a `for` iterates over.
#[derive(Clone, PartialEq, Debug)]
pub enum ForSource {
    /// `start..end step step`
    Range {
        /// The first value.
        start: Expr,
        /// The bound.
        end: Expr,
        /// Says if the bound itself is reached.
        bound: Bound,
        /// The step; 1 where not written.
        step: Option<Expr>,
    },
    /// The elements of an array or the bytes of a string.
    Each(Expr),
}

/// End of a range: exclusive or inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// `..`
    Exclusive,
    /// `..=`
    Inclusive,
}

/// `try { body } catch name { handler }`
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// The part whose failures are caught.
    pub body: Block,
    /// Bound to the message, a `str`; `_` binds nothing.
    pub name: Name,
    /// The block that runs after a failure.
    pub handler: Block,
}

/// The condition of an `if` or `while`.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// A `bool`.
    Expr(Expr),
    /// `let name = value`: true, and binds `name`, where the optional `value` is not `none`.
    Let {
        /// The name it binds.
        name: Name,
        /// The optional.
        value: Expr,
    },
}

impl Bound {
    /// Returns the bound as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Exclusive => "..",
            Self::Inclusive => "..=",
        }
    }
}

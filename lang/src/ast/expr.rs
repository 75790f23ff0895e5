//! Expressions.

use super::{BinaryOp, Block, Bound, Cond, Match, Name, UnaryOp};
use crate::source::Span;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `42`, `0xff`, `0b101`. The literal 9223372036854775808, legal only under a unary minus, is `i64::MIN` here, so
    /// that wrapping negation gives the right value.
    Int(i64),
    /// `1.5`, `1e-9`; always finite.
    Float(f64),
    /// `true`, `false`
    Bool(bool),
    /// `'a'`, an `int` from 0 to 255.
    Byte(u8),
    /// `"text"`, escapes resolved; `\xNN` may make it something other than UTF-8.
    Str(Vec<u8>),
    /// `none`
    None,
    /// A use of a name.
    Name(Name),
    /// `op operand`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `lhs op rhs`, also `&&` and `||`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The operator's span.
        op_span: Span,
        /// The left operand.
        lhs: Box<Expr>,
        /// The right operand.
        rhs: Box<Expr>,
    },
    /// `callee(args)` with unnamed arguments. `S()` of a struct without fields is also a call here.
    Call {
        /// The callee: a name, or any expression that gives a function.
        callee: Box<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `Name(field: value, ...)` with at least one named argument.
    Construct {
        /// The struct.
        name: Name,
        /// The fields as written.
        fields: Vec<FieldInit>,
    },
    /// `base[index]`
    Index {
        /// An array or a string.
        base: Box<Expr>,
        /// The index.
        index: Box<Expr>,
    },
    /// `base[start..end]`, each end optional.
    Slice {
        /// An array or a string.
        base: Box<Expr>,
        /// The first index; 0 where not written.
        start: Option<Box<Expr>>,
        /// The bound; the length where not written (then `bound` is exclusive).
        end: Option<Box<Expr>>,
        /// Says if the bound itself is included.
        bound: Bound,
    },
    /// `base.name`
    Field {
        /// A struct.
        base: Box<Expr>,
        /// The field.
        name: Name,
    },
    /// `operand!`
    Unwrap(Box<Expr>),
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `[value; count]`, `value` evaluated once for each element.
    Repeat {
        /// The element.
        value: Box<Expr>,
        /// The length.
        count: Box<Expr>,
    },
    /// `if c { } else if d { } else { }`
    If(If),
    /// `match subject { arms }`
    Match(Match),
    /// `{ statements }`
    Block(Block),
    /// `(inner)`
    Paren(Box<Expr>),
}

/// `name: value` in a construction.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldInit {
    /// The field.
    pub name: Name,
    /// Its value.
    pub value: Expr,
    /// From the name to the end of the value.
    pub span: Span,
}

/// An `if` with all its `else if`s, which are kept flat: a chain of any length is not deep.
#[derive(Clone, PartialEq, Debug)]
pub struct If {
    /// The `if` and the `else if`s, at least one.
    pub branches: Vec<Branch>,
    /// The block of the final `else`.
    pub otherwise: Option<Block>,
}

/// `if cond { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The condition, which may bind a name for the body.
    pub cond: Cond,
    /// The block that runs if the condition holds.
    pub body: Block,
    /// From `if` to `}`.
    pub span: Span,
}

impl Expr {
    /// The expression inside any parentheses around it.
    pub fn unparenthesized(&self) -> &Self {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}

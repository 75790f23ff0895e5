//! `match`: arms and patterns.

use super::{Block, Bound, Expr, Name};
use crate::source::Span;

/// `match subject { arms }`
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// An `int`, `bool` or `str`.
    pub subject: Box<Expr>,
    /// The arms in order.
    pub arms: Vec<Arm>,
}

/// `pattern | pattern => body`
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// The alternatives, at least one.
    pub patterns: Vec<Pattern>,
    /// The body. `p => e` has a block of the one statement `e`.
    pub body: Block,
    /// The form in which the body was written; only the formatter reads it.
    pub style: ArmStyle,
    /// From the first pattern to the end of the body.
    pub span: Span,
}

/// Form in which the body of an arm was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArmStyle {
    /// `p => e`, or another simple statement.
    Bare,
    /// `p => { }`
    Braced,
}

/// A pattern of a match arm.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Its kind.
    pub kind: PatternKind,
    /// The whole pattern.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// One value.
    Value(PatternValue),
    /// `low..high`, `low..=high`
    Range {
        /// The least value.
        low: PatternValue,
        /// The bound.
        high: PatternValue,
        /// Says if the bound itself is matched.
        bound: Bound,
    },
}

/// A value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternValue {
    /// Its kind.
    pub kind: PatternValueKind,
    /// The whole value, with the minus of a negative number.
    pub span: Span,
}

/// The kinds of value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternValueKind {
    /// `42`, `-42`, `'a'`; the sign is already applied.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `"text"`
    Str(Vec<u8>),
    /// The name of a constant.
    Const(Name),
}

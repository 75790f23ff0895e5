//! Patterns of `match`, and the ends of ranges. Contract and invariants are those of the [module](super).

use super::name::Name;
use crate::source::Span;

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

/// End of a range: exclusive or inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// `..`
    Exclusive,
    /// `..=`
    Inclusive,
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

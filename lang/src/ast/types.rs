//! Types as written.

use super::name::Name;
use crate::source::Span;

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr {
    /// Its kind.
    pub kind: TypeKind,
    /// The whole type.
    pub span: Span,
}

/// The kinds of type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `int`, `Point`, ...: built-in types are names like any other.
    Name(Name),
    /// `[T]`
    Array(Box<TypeExpr>),
    /// `T?`
    Optional(Box<TypeExpr>),
    /// `fn(A, B) -> R`
    Fn {
        /// The types of the parameters.
        params: Vec<TypeExpr>,
        /// The type of the result.
        result: Option<Box<TypeExpr>>,
    },
    /// `(T)`
    Paren(Box<TypeExpr>),
}

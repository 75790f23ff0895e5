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
    /// `list[int]`, `Pair[A, B]`, `geo.Point`: a name with a module before it or types behind it.
    Applied {
        /// The name of an import, before a dot.
        module: Option<Name>,
        /// The type.
        name: Name,
        /// The types in brackets, none where nothing is in brackets.
        args: Vec<TypeExpr>,
    },
    /// `(A, B)`, two parts at least.
    Tuple(Vec<TypeExpr>),
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

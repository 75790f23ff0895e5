//! The syntax tree: the source as it was written, as plain data with a span on every node.
//!
//! In: built by the parser. Out: read by the checker, the formatter and `dump --stage ast`. Invariants: names are not
//! resolved and types not known; parentheses stay as [`ExprKind::Paren`]; comments are not in the tree (they are kept
//! beside it); the height of any expression, type or block is at most `depth::MAX_DEPTH`, so that walking
//! the tree by recursion is safe.

mod name;
mod op;
mod operands;
mod pattern;
mod tree;
mod types;

use crate::source::{FileId, Span};

pub use name::Name;
pub use op::{BinaryOp, UnaryOp};
pub use pattern::{Binder, BinderKind, Bound, Pattern, PatternKind, PatternValue, PatternValueKind};
pub use tree::{
    Arm, ArmStyle, Assign, Block, Branch, Closure, ClosureBody, ClosureParam, Cond, Const, Expr, ExprKind, FieldInit,
    For, ForSource, Format, If, Let, Loop, Match, Mutability, Piece, Stmt, StmtKind, Try, While,
};
pub use types::{TypeExpr, TypeKind};

/// One file.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The file it was read from.
    pub file: FileId,
    /// Items and statements in the order in which they were written.
    pub body: Vec<TopLevel>,
    /// True if a closure stands in it.
    pub has_closures: bool,
}

/// An element of the top level of a file.
#[derive(Clone, PartialEq, Debug)]
pub enum TopLevel {
    /// A definition or an import.
    Item(Item),
    /// A statement, run in order.
    Stmt(Stmt),
}

/// A definition, visible regardless of order, or an import.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// `fn name(params) -> result { body }`
    Fn(Fn),
    /// `struct Name { fields }`
    Struct(Struct),
    /// `enum Name { variants }`
    Enum(Enum),
    /// `const NAME = value`
    Const(Const),
    /// `import "path.hw"`
    Import(Import),
}

/// `fn name(params) -> result { body }`
#[derive(Clone, PartialEq, Debug)]
pub struct Fn {
    /// The text of the `///` lines before it, joined by newlines.
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// The names in `[T, U]` after its name: the parameters that stand for types.
    pub type_params: Vec<Name>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type after `->`.
    pub result: Option<TypeExpr>,
    /// Its body.
    pub body: Block,
    /// From `fn` to `}`.
    pub span: Span,
}

/// `name: type` in a function's parameter list.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole parameter.
    pub span: Span,
}

/// `struct Name { fields }`
#[derive(Clone, PartialEq, Debug)]
pub struct Struct {
    /// The text of the `///` lines before it, joined by newlines.
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// The names in `[T, U]` after its name.
    pub type_params: Vec<Name>,
    /// Its fields in declaration order.
    pub fields: Vec<FieldDecl>,
    /// From `struct` to `}`.
    pub span: Span,
}

/// `enum Name[T] { A, B(T), C(int, Name[T]) }`
#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// The text of the `///` lines before it, joined by newlines.
    pub doc: Option<String>,
    /// Its name.
    pub name: Name,
    /// The names in `[T, U]` after its name.
    pub type_params: Vec<Name>,
    /// Its variants in declaration order.
    pub variants: Vec<Variant>,
    /// From `enum` to `}`.
    pub span: Span,
}

/// `Name` or `Name(A, B)` in an enum.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// The types of its payloads.
    pub payloads: Vec<TypeExpr>,
    /// The whole variant.
    pub span: Span,
}

/// `name: type` in a struct.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldDecl {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole field.
    pub span: Span,
}

/// `import "path.hw"` or `import "path.hw" as name`
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// The path, escapes resolved.
    pub path: String,
    /// The string literal.
    pub path_span: Span,
    /// The name by which the file's names are qualified.
    pub alias: Option<Name>,
    /// From `import` to the end of the path.
    pub span: Span,
}

impl Item {
    /// The whole item.
    pub fn span(&self) -> Span {
        match self {
            Self::Fn(item) => item.span,
            Self::Struct(item) => item.span,
            Self::Enum(item) => item.span,
            Self::Const(item) => item.span,
            Self::Import(item) => item.span,
        }
    }
}

impl TopLevel {
    /// The whole item or statement.
    pub fn span(&self) -> Span {
        match self {
            Self::Item(item) => item.span(),
            Self::Stmt(stmt) => stmt.span,
        }
    }
}

//! Definitions with type parameters, and what was made of them.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::ast;
use crate::ir::{FuncRef, RecordRef, TypeRef};
use crate::source::Span;

/// A definition with type parameters, or an enum, which may have none.
#[derive(Clone)]
pub(crate) struct Template {
    pub(crate) item: TemplateItem,
    /// The items that were made of it so far, by the types that stand for its parameters.
    pub(crate) made: HashMap<Vec<TypeRef>, Made>,
    /// Every name in its text.
    pub(crate) words: HashSet<Arc<str>>,
}

/// The definition of a [`Template`].
#[derive(Clone)]
pub(crate) enum TemplateItem {
    /// A function of the program, or of the prelude.
    Fn(Arc<ast::Fn>, Author),
    Struct(Arc<ast::Struct>),
    Enum(Arc<ast::Enum>),
}

/// The author of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    Program,
    Prelude,
}

/// An item made of a [`Template`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Fn(FuncRef),
    Record(RecordRef),
}

/// A function that was made, and whose body is to be checked.
pub(super) struct MadeFunction {
    pub(super) func: FuncRef,
    pub(super) item: Arc<ast::Fn>,
    pub(super) author: Author,
    pub(super) bindings: HashMap<Arc<str>, TypeRef>,
    /// The use for which it was made first.
    pub(super) used: Span,
    /// Number of functions that were made for one another before it.
    pub(super) depth: usize,
}

impl TemplateItem {
    /// Its name.
    pub(crate) fn name(&self) -> &ast::Name {
        match self {
            Self::Fn(item, _) => &item.name,
            Self::Struct(item) => &item.name,
            Self::Enum(item) => &item.name,
        }
    }

    /// Its type parameters.
    pub(crate) fn type_params(&self) -> &[ast::Name] {
        match self {
            Self::Fn(item, _) => &item.type_params,
            Self::Struct(item) => &item.type_params,
            Self::Enum(item) => &item.type_params,
        }
    }

    /// The whole definition.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Fn(item, _) => item.span,
            Self::Struct(item) => item.span,
            Self::Enum(item) => item.span,
        }
    }

    /// Its kind as a phrase with its article.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Fn(..) => "a function",
            Self::Struct(_) => "a struct",
            Self::Enum(_) => "an enum",
        }
    }
}

//! The parts of a body that each function in it has for itself: a closure is checked inside of the function around it.

use std::sync::Arc;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::report::Checked;
use super::scope::Scopes;
use crate::ast::Name;
use crate::ir::TypeRef;
use crate::source::Span;
use crate::tast::{LoopInfo, LoopRef, Var, VarId};

/// The owner of the body being checked.
#[derive(Clone)]
pub(super) enum Owner {
    /// A function of the program.
    Fn {
        name: Arc<str>,
        result: Checked<Option<TypeRef>>,
        /// The span of the result type.
        result_span: Option<Span>,
    },
    /// The top-level statements of a file, and the position of the one that is being checked.
    TopLevel(u32),
    /// A constant.
    Constant,
    /// A closure.
    Closure {
        /// The type of its result, none for one that has none; not known yet where the first `return` will say it.
        result: Option<Checked<Option<TypeRef>>>,
    },
}

/// Kind of a variable, for the words of an error.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum VarKind {
    #[default]
    Declared,
    Parameter,
    LoopVariable,
    /// Of `if let` or `while let`.
    Content,
    /// Of `catch`.
    Message,
}

/// A loop around the present statement.
pub(super) struct OpenLoop {
    pub(super) id: LoopRef,
    pub(super) label: Option<Name>,
}

/// The part of a body that belongs to one function.
pub(super) struct Frame {
    pub(super) owner: Owner,
    pub(super) vars: PrimaryMap<VarId, Var>,
    pub(super) kinds: SecondaryMap<VarId, VarKind>,
    pub(super) loops: PrimaryMap<LoopRef, LoopInfo>,
    pub(super) open_loops: Vec<OpenLoop>,
    pub(super) scopes: Scopes,
    pub(super) captures: Vec<Captured>,
}

impl Frame {
    /// The owner of the function.
    pub(super) fn owner(&self) -> &Owner {
        &self.owner
    }
}

/// A variable that a closure captures.
#[derive(Clone, Copy)]
pub(super) struct Captured {
    /// In the function around it.
    pub(super) outer: VarId,
    /// In the closure.
    pub(super) inner: VarId,
}

//! The local names of one function. Invariant: looking a name up takes the same time however many names there are and
//! however deeply blocks are nested.

use std::sync::Arc;

use hashbrown::HashMap;

use super::environment::ConstValue;
use super::report::{Checked, Reported};
use crate::source::Span;
use crate::tast::VarId;

/// The meaning of a local name.
#[derive(Clone, Copy)]
pub(super) enum Local {
    /// A parameter or variable.
    Var(VarId),
    /// A constant.
    Const {
        /// Its value.
        value: Checked<ConstValue>,
        /// The span of its name in the definition.
        span: Span,
    },
    /// A variable whose type is not known because its declaration is wrong.
    Unknown(Reported),
}

/// Local names, innermost meaning last.
#[derive(Default)]
pub(super) struct Scopes {
    names: HashMap<Arc<str>, Vec<Local>>,
    open: Vec<Vec<Arc<str>>>,
}

impl Scopes {
    /// Opens a scope.
    pub(super) fn enter(&mut self) {
        self.open.push(Vec::new());
    }

    /// Closes the innermost scope and discards its names.
    pub(super) fn leave(&mut self) {
        for name in self.open.pop().expect("every scope that is left was entered") {
            self.names.get_mut(&name).and_then(Vec::pop).expect("every name of a scope has a meaning");
        }
    }

    /// Gives `name` a meaning in the innermost scope; `_` is given none.
    pub(super) fn define(&mut self, name: &Arc<str>, local: Local) {
        if &**name != "_" {
            self.open.last_mut().expect("names are defined in a scope").push(name.clone());
            self.names.entry(name.clone()).or_default().push(local);
        }
    }

    /// Gives `name`, which has no meaning, one in the outermost scope.
    pub(super) fn define_outermost(&mut self, name: &Arc<str>, local: Local) {
        self.open.first_mut().expect("names are defined in a scope").push(name.clone());
        self.names.entry(name.clone()).or_default().push(local);
    }

    /// The innermost meaning of `name`.
    pub(super) fn get(&self, name: &str) -> Option<Local> {
        self.names.get(name).and_then(|meanings| meanings.last()).copied()
    }

    /// Number of open scopes.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes scopes until `depth` are open.
    pub(super) fn leave_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.leave();
        }
    }

    /// Every name that has a meaning now.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(name, _)| &**name)
    }
}

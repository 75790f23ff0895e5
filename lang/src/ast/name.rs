//! Names as written. Contract and invariants are those of the [module](super).

use std::sync::Arc;

use crate::source::Span;

/// A name as written: at its definition or at a use. `_` appears only where a name is bound, and binds nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// Its position.
    pub span: Span,
}

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if this is `_`, which binds nothing.
    pub fn is_wildcard(&self) -> bool {
        &*self.text == "_"
    }
}

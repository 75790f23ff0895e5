//! Words of the host that keep what they refer to.
//!
//! In: a word. Out: [`Root`], whose clones share it. Invariant: what a root refers to is kept as long as any clone is there;
//! the list of roots has one of its own.

use std::sync::Arc;

/// A word of the host that keeps what it refers to.
#[derive(Clone, Debug)]
pub struct Root(Arc<u64>);

impl Root {
    pub(crate) fn new(word: u64) -> Root {
        Root(Arc::new(word))
    }

    /// The word.
    pub fn word(&self) -> u64 {
        *self.0
    }

    /// True if there is a clone of it.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

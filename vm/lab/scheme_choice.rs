//! A scheme that is evaluated in place of the one that an input names.
//!
//! In: what a user asked for. Out: its name and its option. Invariant: nothing is checked here.

/// A scheme that is evaluated in place of the input's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemeChoice {
    /// Its name.
    pub name: String,
    /// Its option K.
    pub k: Option<u64>,
}

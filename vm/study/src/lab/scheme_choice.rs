//! A scheme that is evaluated in place of the one that an input names.
//!
//! In: what a user asked for. Out: its name and its options. Invariant: nothing is checked here.

use holloway_profiler::number::interprocedural::Base;

/// A scheme that is evaluated in place of the input's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemeChoice {
    /// Its name.
    pub name: String,
    /// Its option K.
    pub k: Option<u64>,
    /// The paths that it cuts.
    pub base: Option<Base>,
    /// The bits that its numbers may have.
    pub bits: Option<u32>,
}

//! The path-event stream of a thread: words in a buffer, and events again.
//!
//! In: what probes write as a program runs, by the layout of [`encode`]. Out: each function's own reports, to a
//! [`Sink`](crate::machine::Sink) each ([`Streams`]).
//!
//! Two kinds of events. Within an activation's markers ([`Event::Enter`], [`Event::Leave`]) stand paths that belong
//! together and need not name their function. All others name it and mean the same wherever they stand.
//!
//! Invariant: a buffer may end anywhere, in the middle of an event too; a word that no probe writes is an error, not a panic.

pub mod decode;
pub mod encode;
pub mod streams;

use std::fmt;

use cranelift_entity::entity_impl;

use crate::graph::Node;
use crate::plan::BitRegister;

pub use decode::{BadWord, decode};
pub use streams::Streams;

/// A function of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// One event of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A function is called.
    Enter(FunctionId),
    /// The innermost activation completes a path.
    Path(u64),
    /// A failure in `block` cuts a path of the innermost activation short.
    Prefix {
        /// The block.
        block: Node,
        /// The prefix's id.
        id: u64,
    },
    /// The innermost activation ends.
    Leave,
    /// A path that is joined to no other: that of a whole activation, or any where paths are only counted.
    Lone {
        /// The function.
        function: FunctionId,
        /// The path's id.
        id: u64,
    },
    /// The same, cut short by a failure in `block`.
    LonePrefix {
        /// The function.
        function: FunctionId,
        /// The block.
        block: Node,
        /// The prefix's id.
        id: u64,
    },
    /// So many executions of a region in a row, all with the same bits.
    Fold {
        /// The function.
        function: FunctionId,
        /// The region's register.
        register: BitRegister,
        /// How many executions; none in the first run that a function's code announces.
        count: u64,
        /// The bits of each.
        bits: &'a [u64],
    },
    /// A complete branch history.
    Branches {
        /// The function.
        function: FunctionId,
        /// Where it starts.
        start: Node,
        /// The branches since, below a leading 1.
        history: u64,
    },
    /// A branch history that a failure in `block` cut short.
    BranchPrefix {
        /// The function.
        function: FunctionId,
        /// The block.
        block: Node,
        /// Where it starts.
        start: Node,
        /// The branches since, below a leading 1.
        history: u64,
    },
    /// A path that a failure in `block`, in an iteration of the loop around, cut short.
    IterationPrefix {
        /// The function.
        function: FunctionId,
        /// The block.
        block: Node,
        /// The iteration, from 1 on.
        iteration: u32,
        /// The prefix's id.
        id: u64,
    },
}

impl fmt::Display for BadWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the word {:#018x} does not belong where it stands in a path-event stream", self.0)
    }
}

impl std::error::Error for BadWord {}

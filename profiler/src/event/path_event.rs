//! Events of a thread.
//!
//! In: nothing. Out: [`Event`]. Invariant: an event between [`Event::Enter`] and [`Event::Leave`] that does not name its function is one
//! of the innermost activation.

use cranelift_entity::entity_impl;

use crate::graph::Node;
use crate::plan::BitRegister;

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
    /// The innermost activation completes a path so often, one time after the other.
    Repeat {
        /// The path's id.
        id: u64,
        /// Number of times.
        count: u64,
    },
    /// The innermost activation ends.
    Leave,
    /// An activation that calls nothing, with all of its paths in one word, as the function's words are.
    Leaf {
        /// The function.
        function: FunctionId,
        /// The word.
        word: u64,
    },
    /// The innermost activation completes the paths of a word, and ends.
    Last {
        /// The word.
        word: u64,
    },
    /// A path that is in no sequence: that of a whole activation, or any path where paths are only counted.
    Lone {
        /// The function.
        function: FunctionId,
        /// The path's id.
        id: u64,
    },
    /// A lone path that a failure in `block` cut short.
    LonePrefix {
        /// The function.
        function: FunctionId,
        /// The block.
        block: Node,
        /// The prefix's id.
        id: u64,
    },
    /// `count` consecutive executions of a region with equal bits.
    Fold {
        /// The function.
        function: FunctionId,
        /// The region's register.
        register: BitRegister,
        /// Number of executions; 0 in the first run that a function's code reports.
        count: u64,
        /// The bits of each.
        bits: &'a [u64],
    },
    /// A path that a failure in `block` cut short, and that is told by more than its id.
    PrefixAt {
        /// The function.
        function: FunctionId,
        /// The block.
        block: Node,
        /// The iteration of the innermost loop, counted from 1; or the start block of a branch history.
        at: u32,
        /// The prefix's id, or the branch bits since the start block, below a leading 1.
        id: u64,
    },
}

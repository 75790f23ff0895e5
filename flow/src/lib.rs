//! The part that analyses of the IR and of the profiler's graphs share; these know nothing of each other.
//!
//! In: numbers of nodes. Out: immediate dominators, and the count of the steps that analyses take. Invariant: nothing
//! here knows what a node stands for.
#![forbid(unsafe_code)]

mod semidominators;
pub mod steps;

pub use semidominators::immediate_dominators;

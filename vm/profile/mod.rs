//! Path profiles: planning, collecting and keeping them, whatever executes the program.
//!
//! The road: body -> [`scheme::FunctionPlan`] -> interpreter or compiled probes -> words of events -> one sink a function.
//! Invariant: every tier carries the same plan out, so that all report the same.

pub mod scheme;

pub use scheme::{FunctionPlan, NotProfiled, PathScheme, Paths, Sampling, Stream};

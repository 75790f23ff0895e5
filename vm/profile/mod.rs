//! Path profiles: planning, collecting and keeping them, whatever executes the program.
//!
//! The road: body -> [`FunctionPlan`] -> interpreter, or compiled probes and words of events through a [`Channel`] -> one
//! [`Collected`] a function -> `Engine::path_profile`.
//! Invariant: every tier carries the same plan out, so that all report the same.

pub mod channel;
pub mod collected;
pub mod compiled;
pub mod consumer;
pub mod edges;
pub mod scheme;
pub mod transitions;
pub mod words;

pub use channel::{Channel, Placement, Space};
pub use collected::{Collected, Forest, Joined};
pub use compiled::CompiledPaths;
pub use consumer::Consumer;
pub use scheme::{FunctionPlan, NotProfiled, PathScheme, Paths, Sampling, Stream};

//! Specialized loops: traces, which are the paths that a loop keeps taking as straight code behind guards. The road:
//! [`choose`] -> [`TraceSpec`] -> [`Formed`], which is weighed -> [`Traces`], compiled like any other body, with
//! [`Origins`] to name the blocks it was made from. Invariant: a formed body does what the one it was made from does,
//! whatever the profile said.

pub mod chance;
pub mod choose;
pub mod counted;
pub mod estimate;
pub mod form;
mod nest;
mod operations;
mod recurrence;
mod sequence;
mod several;
pub mod spec;
mod way;

#[cfg(test)]
mod tests;

pub use counted::{Counted, InlinedTraces, Traces};
pub use form::{Formed, Guard, GuardId, Head, Origins, form};
pub use several::form_all;
pub use spec::{Declined, Layout, Trace, TraceShape, TraceSpec};

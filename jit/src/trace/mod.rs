//! Specialized loops: traces, which are the paths that a loop keeps taking as straight code behind guards.
//!
//! In: profiles of a function (a path forest) and its body. Out: a [`Specialization`] for a loop that is worth one, and the
//! [`Formed`] body.
//!
//! The road: [`choose`] -> [`TraceSpec`] -> [`Specialization`], which is weighed -> a body that is compiled like any other,
//! with [`Origins`] to name the blocks it was made from.
//! Invariant: a formed body does what the body it was made from does, whatever the profile said; a trace that is never
//! taken costs time and nothing else.

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
pub mod specialization;
mod trips;
mod way;

#[cfg(test)]
mod tests;

pub use counted::{Counted, Head, InlinedTraces, Traces};
pub use form::{Formed, Guard, GuardId, Origins, form};
pub use several::{Several, form_all};
pub use spec::{Declined, Layout, Peel, Trace, TraceShape, TraceSpec};
pub use specialization::Specialization;

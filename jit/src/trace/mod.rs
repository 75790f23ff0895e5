//! Specialized loops: traces, which are the paths that a loop keeps taking as straight code behind guards, and loops split by state.
//!
//! In: profiles of a function (a path forest or persistence findings) and its body. Out: a [`Specialization`] for a
//! loop, and a [`Formed`] body that holds it beside the general loop, in the same function.
//! The road: [`choose`] -> [`Specialization`] -> [`Specialized`], which is weighed -> a body that is compiled like any other, with
//! [`Origins`] to name the blocks it was made from.
//! Invariant: a formed body does what the body it was made from does, whatever the profile said; a trace that is never
//! taken costs time and nothing else.

pub mod chance;
pub mod choose;
mod collapsed;
pub mod counted;
pub mod estimate;
mod facts;
pub mod form;
mod nest;
mod operations;
mod recurrence;
mod sequence;
mod several;
pub mod spec;
pub mod specialization;
pub mod split;
mod state;
mod trips;
mod way;

#[cfg(test)]
mod tests;

pub use counted::{Counted, Head, InlinedTraces, Traces};
pub use form::{Formed, Guard, GuardId, Origins, form};
pub use several::{Several, Wanted, form_all};
pub use spec::{Collapsed, Declined, Layout, Peel, Source, Trace, TraceShape, TraceSpec};
pub use specialization::{Specialization, Specialized};
pub use split::Split;
pub use state::{Holder, State};

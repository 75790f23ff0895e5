//! `diff`: the paths whose frequency changed most between two runs.
//!
//! In: two profiles by one scheme, as `profile` saves them. Out: a [`Difference`], as text or as JSON.
//!
//! ```text
//!   JSON --read--> SavedProfile --of--> Spectrum --between--> Difference --> text, json
//! ```
//!
//! The paths that a run took, with their frequencies, are its *path spectrum*: T. Reps, T. Ball, M. Das, J. Larus, "The use of program profiling
//! for software maintenance with applications to the year 2000 problem", ESEC/FSE 1997. Two spectra of one program differ where the runs
//! did different things. [`runs`] compares recorded runs.
//! Invariant: frequencies are compared as shares of what was counted, so that a longer run is not a different one.

mod difference;
mod json;
mod pairing;
mod pairs;
pub mod runs;
mod saved;
mod sources;
mod spectrum;
mod text;

pub use difference::Difference;
pub use json::json;
pub use saved::SavedProfile;
pub use sources::Sources;
pub use text::text;

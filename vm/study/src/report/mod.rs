//! Reports: diagnostics of the compiler, failures of running programs, profiles and decisions as text.
//!
//! In: plain data, such as a `Diagnostic` or a [`failure::Failure`], and the source map. Out: text that ends in a
//! newline, in the chosen format. Invariant: the length of a report depends on the terminal, not on the length of the
//! lines, spans, files or stacks that it is about.

pub mod audit;
mod block_names;
pub(crate) mod body_hash;
pub mod columns;
pub mod compare;
pub mod diagnostics;
pub mod dot;
pub mod edges;
mod excerpt;
pub mod failure;
pub mod fit;
pub mod headline;
pub mod last_paths;
pub mod machine_code;
pub mod paint;
pub mod paths;
mod settings;
mod shown;
pub mod story;
pub mod style;
pub mod text;
pub mod tiers;
pub mod time;
pub mod trace;
pub(crate) mod unique_names;

pub use settings::FOLLOWED;
pub use shown::{First, Shown};

//! Telling people what was found: diagnostics of the compiler and failures of running programs.
//!
//! In: plain data (a `Diagnostic`, a [`failure::Failure`]) and the source map. Out: text that ends in a newline, in the
//! format that was chosen. Invariant: the length of a report depends on the terminal, not on the length of the lines,
//! spans, messages' files or stacks it is about.

pub mod diagnostics;
pub mod dot;
pub mod edges;
mod excerpt;
pub mod failure;
pub mod paths;
pub mod story;
pub mod text;
pub mod tiers;

//! `lab`: any numbering scheme on graphs and traces from elsewhere, as JSON.
//!
//! In: the text of a lab's input. Out: the text of its result, or one line that says what is wrong. `docs/lab.md` describes both.
//! [`input`] reads, `holloway_profiler::lab` evaluates, [`output`] writes. Invariant: no input causes a panic.

mod input;
mod output;

pub use input::read;
pub use output::json;

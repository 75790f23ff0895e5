//! `lab`: any numbering scheme on graphs and traces from elsewhere, as JSON.
//!
//! In: the text of a lab's input, and the trace beside it. Out: the text of its result, or one line that says what is wrong. `docs/lab.md`
//! describes both. [`input`] reads, `holloway_profiler::lab` evaluates, [`output`], [`summary`] and [`dot`] write; [`import`] makes inputs of C programs.
//! Invariant: no input causes a panic.

mod block_trace;
mod checksum;
mod dot;
mod import;
mod input;
pub mod llvm;
mod output;
mod scheme_choice;
mod summary;

pub use block_trace::BlockTraceFile;
pub use dot::dot;
pub use import::{ImportError, ImportFiles, to_files, to_stream};
pub use input::read;
pub use output::json;
pub use scheme_choice::SchemeChoice;
pub use summary::summary;

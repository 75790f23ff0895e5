//! Dynamic slices in terms of the source.
//!
//! In: a program with its execution, and a [`SliceQuestion`]: the value of a variable just before an execution of a line. Out: a
//! [`SourceSlice`]: the lines that had an effect on it, each with the reasons.
//!
//! The three approaches are those of [AH90], computed as in [ZG01 4.3.2] by `holloway_profiler::wpp::slice`. A line is in a slice if one of
//! its statements is. The line of the question is not, unless a dependence leads there.
//! `backward` asks an execution that was kept; `forward` follows one of any length, and gives slices of the third approach alone.

mod backward;
mod forward;
mod memory_words;
mod reasons;
mod source_slice;

pub use backward::{slice, slice_with};
pub use forward::slice_forward;
pub use source_slice::{SliceLine, SliceQuestion, SourceSlice, variable_of_statement};

//! The generator of programs: one test binary, since each one more costs a link.
//!
//! In: seeds. Out: programs that compile, run and shrink.

mod minimize;
mod programs;

//! The benchmark programs: their measurements, and that they compute what their peers do.
//!
//! In: the programs in the crate. Out: failed tests that name the program.

mod arithmetic;
mod bench;
mod modules;
mod unseen;

//! Tests of lowering from outside.

mod limits;
mod lines;
mod mutated;
mod refusals;
mod suite;

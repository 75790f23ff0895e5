//! Tests of lowering from outside.

mod lines;
mod mutated;
mod refusals;
mod suite;

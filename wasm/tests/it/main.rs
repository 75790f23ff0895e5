//! Tests of lowering from outside.

mod suite;

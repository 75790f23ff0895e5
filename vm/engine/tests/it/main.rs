//! Whole programs, seen from inside: every tier, scheme and replay against the interpreter.
//!
//! In: benchmark programs, random programs, programs with the behaviour at hand. Out: failed tests that show the program.
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` choose random programs.

mod adaptive_guide;
mod agreement;
mod allocations;
mod arrays;
mod call_places;
mod collection;
mod common;
mod contexts;
mod demonstration;
mod depths;
mod function_info;
mod generated;
mod growth;
mod interrupted_loops;
mod language;
mod loop_edges;
mod outdated_profiles;
mod path_stream;
mod policies;
mod readme;
mod recording;
mod replayed;
mod run_lengths;
mod stress;
mod tick_costs;
mod ticked_bursts;
mod traces;
mod trivial_functions;

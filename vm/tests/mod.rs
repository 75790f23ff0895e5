//! Whole programs, seen from inside: every tier, scheme and replay against the interpreter.
//!
//! In: benchmark programs, random programs, programs with the behaviour at hand. Out: failed tests that show the program. These tests
//! stand in the library, so that they see what it does not export. `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` choose random programs.

mod across;
mod adaptive_guide;
mod agreement;
mod allocations;
mod arithmetic;
mod arrays;
mod bench;
mod call_places;
mod collection;
pub(crate) mod common;
mod context_trees;
mod contexts;
mod count_apart;
mod currency;
mod currency_run;
mod demonstration;
mod depths;
mod edge_profile;
mod expanded;
mod few_trips;
mod function_info;
mod generated;
mod growth;
mod host_calls;
mod host_limits;
mod language;
mod loop_edges;
mod mixed_paths;
mod outdated_profiles;
mod path_profile;
mod path_stream;
mod path_tiers;
mod readme;
mod recording;
mod renumbered;
mod repeated_across;
mod replayed;
mod rows;
mod run_lengths;
mod sessions;
mod stop_places;
mod stress;
mod theorem;
mod tick_costs;
mod ticked_bursts;
mod traces;
mod trivial_functions;
mod whole_paths;

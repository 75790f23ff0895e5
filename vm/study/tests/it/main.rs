//! Profiles and recordings of whole programs, as views show them: every tier against the interpreter.
//!
//! In: benchmark programs, random programs, programs with the behaviour at hand. Out: failed tests that show the program.
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` choose random programs.

mod across;
#[path = "../../../engine/tests/it/common/mod.rs"]
mod common;
mod context_trees;
mod count_apart;
mod currency;
mod currency_run;
mod edge_profile;
mod expanded;
mod host_calls;
mod host_limits;
mod mixed_paths;
mod path_profile;
mod path_tiers;
mod recorded;
mod renumbered;
mod repeated_across;
mod sessions;
mod stop_places;
mod theorem;
mod whole_paths;

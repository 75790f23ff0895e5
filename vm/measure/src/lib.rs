//! Measurements: the benchmark programs beside other languages and with profiling, and the papers' tables on them.
//!
//! In: options of `bench`, `calibrate`, `reproduce` and `explain --measure` and `--audit`. Out: tables and JSON. Invariant: programs run through the engine like those of
//! any user; only the command line knows this module.

mod base_run;
pub mod bench;
pub mod extent;
mod folder;
pub mod gain;
pub mod jitdump;
pub mod provenance;
pub mod reproduce;
mod settings;
pub mod subject;
pub mod whole_runs;

pub use folder::FolderError;

//! The options of `bench --wasm`, resolved.

use std::path::PathBuf;

use super::super::progress::Progress;
use crate::extent::{Rounds, SizeName};
use crate::subject::Subject;
use holloway_study::report::style::OutputFormat;

/// Options of `bench --wasm`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModulesConfig {
    /// The modules; not empty.
    pub modules: Vec<Subject>,
    /// The size that they have in the folder's `expected.json`.
    pub size: SizeName,
    /// Number of runs of each contestant.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: PathBuf,
}

//! The options of `bench --wasm`, resolved.

use std::path::PathBuf;

use super::super::progress::Progress;
use crate::extent::{Rounds, SizeName};
use holloway_study::report::style::OutputFormat;

/// Options of `bench --wasm`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModulesConfig {
    /// The folder with the modules.
    pub folder: PathBuf,
    /// The modules in it that are measured; all that have a size if there are no names.
    pub names: Vec<String>,
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

//! Measurement of the benchmark programs, alone or beside the same programs in other languages.
//!
//! In: a [`BenchConfig`] or [`StartupConfig`]. Out: [`Results`] or [`StartupResults`], which `report` turns into tables
//! and `json` into JSON. Every measurement is of a whole process from its start to its end, so that all languages are
//! measured alike; processes that are compared take turns. Only `warmup` looks into a process, at the times of its
//! lines. Invariant: a program that does not print its known checksum has no time.
//!
//! Data flow: `embedded` (files in the binary) -> `suite` (programs, sizes, checksums) -> `workspace` (files on disk)
//! -> `contender` (command lines) -> `race` (rounds of child processes) -> `results` -> `report` or `json`.

use std::io;
use std::path::PathBuf;

use crate::adaptive::Parts;
use crate::config::{OutputFormat, Rounds, SizeName, TierChoice};

pub mod ablation;
pub(crate) mod answer;
pub mod calibrate;
pub mod child;
mod compile;
mod contender;
pub(crate) mod embedded;
pub mod json;
mod measure;
mod process;
pub mod profiled;
pub(crate) mod progress;
mod race;
pub mod report;
mod results;
mod startup;
pub mod statistics;
mod suite;
pub(crate) mod table;
pub mod warmup;
mod workspace;

pub use child::Children;
pub use compile::measure_compile;
pub use measure::measure;
#[cfg(test)]
pub use results::Results;
pub use startup::measure_startup;
pub use suite::{BenchProgram, select};
pub use warmup::{WarmupConfig, measure_warmup};

/// Options of `bench`.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchConfig {
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// The workload of each.
    pub size: SizeName,
    /// Tier for Holloway's programs.
    pub tier: TierChoice,
    /// Parts of the adaptive system to run without.
    pub without: Parts,
    /// Passes that the optimizer skips.
    pub disabled_passes: Vec<String>,
    /// The other contenders.
    pub peers: PeerChoice,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary for `run --tier T FILE SIZE`: this one.
    pub executable: PathBuf,
}

/// Options of `bench --startup`.
#[derive(Clone, PartialEq, Debug)]
pub struct StartupConfig {
    /// Tier for Holloway's program.
    pub tier: TierChoice,
    /// Number of runs of each.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary for `-e CODE`: this one.
    pub executable: PathBuf,
}

/// Options of `bench --compile`.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileConfig {
    /// The tier that compiles.
    pub tier: TierChoice,
    /// Passes that the optimizer skips.
    pub disabled_passes: Vec<String>,
    /// Number of times that all programs are compiled.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
}

/// The contenders beside Holloway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeerChoice {
    /// No peers.
    None,
    /// Every peer that is installed.
    Installed,
}

/// Progress display on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A progress bar.
    Bar,
    /// No display.
    Silent,
}

/// Reasons for which there are no results.
#[derive(Debug)]
pub enum BenchError {
    /// Ctrl-C.
    Interrupted,
    /// The programs could not be written to disk.
    Workspace(io::Error),
}

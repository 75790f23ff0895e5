//! The benchmark programs, measured: alone or beside the same programs in other languages.
//!
//! In: a [`BenchConfig`] or [`StartupConfig`]. Out: [`Results`] or [`StartupResults`], which `screen` turns into tables
//! and `json` into JSON. Every measurement is a process of its own, from its start to its end, so that all languages are
//! measured alike; those that are compared take turns. `warmup` alone looks into a process, at the times of its lines. Invariant: a program that does not print its known checksum
//! has no time.
//!
//! The road: `embedded` (files in the binary) -> `suite` (programs, sizes, checksums) -> `workspace` (files on disk) ->
//! `contender` (command lines) -> `race` (rounds of child processes) -> `results` -> `screen` or `json`.

use std::io;
use std::path::PathBuf;

use crate::config::{OutputFormat, Rounds, SizeName, TierChoice};

pub mod calibrate;
pub mod child;
mod compile;
mod contender;
pub(crate) mod embedded;
pub mod json;
mod measure;
mod process;
pub(crate) mod progress;
mod race;
mod results;
pub mod screen;
mod startup;
pub mod statistics;
mod suite;
pub(crate) mod table;
pub mod warmup;
mod workspace;

pub use child::Children;
pub use compile::{CompileResults, measure_compile};
pub use measure::measure;
pub use race::{Fault, Outcome, Run, Series};
pub use results::{ProgramResults, Results, StartupResults};
pub use startup::measure_startup;
pub use suite::{BenchProgram, UnknownProgram, Workload, select};
pub use warmup::{WarmupConfig, WarmupResults, measure_warmup};

/// `bench`: which programs are measured, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchConfig {
    /// The programs. Not empty.
    pub programs: Vec<BenchProgram>,
    /// How much work each is given.
    pub size: SizeName,
    /// What executes Holloway's.
    pub tier: TierChoice,
    /// Passes that the optimizer leaves out.
    pub disabled_passes: Vec<String>,
    /// Who else runs.
    pub peers: PeerChoice,
    /// How often each is run.
    pub rounds: Rounds,
    /// What is printed.
    pub format: OutputFormat,
    /// What is shown meanwhile.
    pub progress: Progress,
    /// What runs `run --tier T FILE SIZE`: this binary.
    pub executable: PathBuf,
}

/// `bench --startup`: how the start of a process is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct StartupConfig {
    /// What executes Holloway's program.
    pub tier: TierChoice,
    /// How often each is run.
    pub rounds: Rounds,
    /// What is printed.
    pub format: OutputFormat,
    /// What is shown meanwhile.
    pub progress: Progress,
    /// What runs `-e CODE`: this binary.
    pub executable: PathBuf,
}

/// `bench --compile`: how compiling is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileConfig {
    /// Which tier compiles.
    pub tier: TierChoice,
    /// Passes that the optimizer leaves out.
    pub disabled_passes: Vec<String>,
    /// How often all programs are compiled.
    pub rounds: Rounds,
    /// What is printed.
    pub format: OutputFormat,
    /// What is shown meanwhile.
    pub progress: Progress,
}

/// Who runs beside Holloway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeerChoice {
    /// Nobody.
    None,
    /// Every peer that is installed.
    Installed,
}

/// What is shown on standard error while measuring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A bar.
    Bar,
    /// Nothing.
    Silent,
}

/// Why there are no results at all.
#[derive(Debug)]
pub enum BenchError {
    /// Ctrl-C.
    Interrupted,
    /// The programs could not be written to disk.
    Workspace(io::Error),
}

//! The options of `bench`, `bench --startup`, `bench --compile` and `bench --ablation`, resolved.

use std::path::PathBuf;

use super::progress::Progress;
use super::suite::BenchProgram;
use crate::extent::{Rounds, SizeName};
use holloway::TierChoice;
use holloway_aos::Parts;
use holloway_study::report::style::OutputFormat;

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
    /// Path of a file with facts for the optimizer, if any.
    pub facts: Option<PathBuf>,
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
    /// True if the time of each part is shown.
    pub timings: bool,
    /// Number of times that all programs are compiled.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
}

/// Options of runs of programs in rounds, each run a process of this binary: `bench --ablation`, and the runs of `reproduce`.
#[derive(Clone, PartialEq, Debug)]
pub struct RunsConfig {
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// The workload of each.
    pub size: SizeName,
    /// Number of runs of each variant of a program.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: PathBuf,
}

/// The contenders beside Holloway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeerChoice {
    /// No peers.
    None,
    /// Every peer that is installed.
    Installed,
}

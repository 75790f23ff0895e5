//! `reproduce`: the figures and tables of the papers, measured on the embedded programs, beside the papers' own.
//!
//! With `--wasm` they are measured on the modules of a folder.
//!
//! In: a [`ReproduceConfig`]. Out: [`Reproduced`]: one [`ResultTable`] for each figure, as text and as JSON, and the faults.
//! Invariant: a time counts only if the program printed its checksum; a figure that could not be measured is absent,
//! never a guess.
//!
//! Data flow: [`TableName`]s and [`Subject`]s -> the [`Variant`]s that they need -> `measure` (rounds of child processes, each runs a
//! [`Job`](job::Job); one more for each whole path, which `whole_path` measures) ->
//! [`Measurements`](measure::Measurements) -> `tables` (one file a paper) -> `result_table` (text, JSON).
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[ZG01]` Y. Zhang, R. Gupta, "Timestamped Whole Program Path Representation and its Applications", PLDI 2001.
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998.
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.

use std::collections::BTreeSet;

use crate::bench::Children;
use crate::folder::FolderError;
use crate::subject::{self, Subject};
use measure::{Measurements, Runner};

pub mod across;
mod config;
mod fold;
pub mod forest;
pub mod hardware;
pub mod job;
pub mod measure;
pub mod paper;
pub mod plot;
pub mod probes;
pub mod regions;
pub mod result_table;
pub mod tables;
pub mod times;
pub mod variant;
pub mod whole_path;

use crate::provenance;

use crate::bench::answer::Interrupted;
pub use config::{Programs, ReproduceConfig, TableName, select, select_programs};
pub use result_table::Reproduced;
pub use variant::Variant;

/// The variants that a table needs.
fn variants(table: TableName) -> Vec<Variant> {
    match table {
        TableName::Delia => tables::delia::variants(),
        TableName::Tfp => tables::tfp::variants(),
        TableName::Cost => tables::cost::variants(),
        TableName::Melski => tables::melski::variants(),
        TableName::Twpp | TableName::Roy => Vec::new(),
    }
}

/// A reason for which there are no tables.
#[derive(Debug)]
pub enum ReproduceError {
    /// Ctrl-C.
    Interrupted,
    /// The folder of modules.
    Folder(FolderError),
}

impl From<Interrupted> for ReproduceError {
    fn from(Interrupted: Interrupted) -> Self {
        ReproduceError::Interrupted
    }
}

impl From<FolderError> for ReproduceError {
    fn from(error: FolderError) -> Self {
        ReproduceError::Folder(error)
    }
}

/// Measures as `config` says, with `children`, through which another thread may interrupt it.
pub fn reproduce(config: &ReproduceConfig, children: &Children) -> Result<Reproduced, ReproduceError> {
    let (programs, roy, is_embedded) = match &config.programs {
        Programs::Embedded { programs, roy } => (programs.clone(), roy.clone(), true),
        Programs::Modules { folder, names } => {
            let modules = subject::modules(folder, names, config.size)?;
            (modules.clone(), modules, false)
        }
    };
    let ReproduceConfig { rounds, progress, executable, .. } = config;
    let runner = Runner { rounds: *rounds, progress: *progress, executable, children };
    let is_wanted = |table| config.tables.contains(&table);
    let variants: BTreeSet<Variant> = config.tables.iter().flat_map(|&table| variants(table)).collect();
    // Programs of the papers stand beside the embedded ones alone.
    let folds = if is_wanted(TableName::Tfp) && is_embedded { fold::jobs(config.size) } else { Vec::new() };
    let mut measured = runner.measure(&programs, &variants, &folds)?;
    if is_wanted(TableName::Twpp) {
        measured.whole_paths = runner.whole_paths(&programs)?;
    }
    let further = |is_wanted: bool, programs: &[Subject], of: Vec<Variant>| match is_wanted {
        true => runner.measure(programs, &of.into_iter().collect(), &[]),
        false => Ok(Measurements::default()),
    };
    let roy = further(is_wanted(TableName::Roy), &roy, tables::roy::variants())?;
    let example = [Subject::embedded(&tables::melski::example(), config.size)];
    let example = further(is_wanted(TableName::Melski) && is_embedded, &example, tables::melski::variants())?;
    let mut shown = Vec::new();
    for name in &config.tables {
        shown.extend(match name {
            TableName::Delia => tables::delia::tables(&measured),
            TableName::Tfp => tables::tfp::tables(&measured),
            TableName::Cost => tables::cost::tables(&measured),
            TableName::Twpp => tables::twpp::tables(&measured),
            TableName::Roy => tables::roy::tables(&roy, is_embedded),
            TableName::Melski => tables::melski::tables(&measured, &example),
        });
    }
    let faults = [&measured, &roy, &example].into_iter().flat_map(Measurements::faults).collect();
    Ok(Reproduced { size: config.size, rounds: config.rounds, tables: shown, faults, provenance: provenance::told() })
}

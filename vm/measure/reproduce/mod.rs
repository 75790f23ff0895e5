//! `reproduce`: the figures and tables of the papers, measured on the embedded programs, beside the papers' own.
//!
//! In: a [`ReproduceConfig`]. Out: [`Reproduced`]: one [`Sheet`] for each figure, as text and as JSON, and the faults.
//! Invariant: a time counts only if the program printed its checksum; a figure that could not be measured is absent,
//! never a guess.
//!
//! Data flow: [`TableName`]s -> the [`Variant`]s that they need -> `measure` (rounds of child processes, each runs a
//! [`Job`](job::Job)) -> [`Measurements`](measure::Measurements) -> `tables` (one file a paper) -> `sheet` (text,
//! JSON).
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use crate::config::{OutputFormat, Rounds, SizeName};
use crate::measure::bench::{BenchProgram, Children, Progress};
use crate::report::text::nearest;

mod fold;
pub mod forest;
pub mod job;
pub mod measure;
pub mod paper;
pub mod regions;
pub mod sheet;
pub mod tables;
pub mod variant;

pub use crate::measure::bench::answer::Interrupted;
pub use sheet::Reproduced;
pub use variant::Variant;

/// Options of `reproduce`.
#[derive(Clone, PartialEq, Debug)]
pub struct ReproduceConfig {
    /// The tables; not empty.
    pub tables: Vec<TableName>,
    /// The programs; not empty.
    pub programs: Vec<BenchProgram>,
    /// The workload of each.
    pub size: SizeName,
    /// Number of times that each is timed.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary that runs jobs: this one.
    pub executable: PathBuf,
}

/// A group of figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableName {
    /// `[DD13]`: figures 8, 9 and 11 to 14.
    Delia,
    /// `[NGF03]`: figure 6, tables 1 and 2, and the case of RNAfold (figure 7).
    Tfp,
    /// Cost of each scheme.
    Cost,
}

impl TableName {
    /// All tables.
    pub const ALL: [TableName; 3] = [TableName::Delia, TableName::Tfp, TableName::Cost];

    /// The table's command-line name.
    pub fn name(self) -> &'static str {
        match self {
            TableName::Delia => "delia",
            TableName::Tfp => "tfp",
            TableName::Cost => "cost",
        }
    }

    fn variants(self) -> Vec<Variant> {
        match self {
            TableName::Delia => tables::delia::variants(),
            TableName::Tfp => tables::tfp::variants(),
            TableName::Cost => tables::cost::variants(),
        }
    }
}

/// Error: no table has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTable(String);

impl fmt::Display for UnknownTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no table '{}'; ", self.0)?;
        let names = TableName::ALL.map(TableName::name);
        if let Some(name) = nearest(&self.0, names) {
            write!(f, "did you mean '{name}'? ")?;
        }
        write!(f, "there are: {}", names.join(", "))
    }
}

/// The tables of the given names, each once; all tables if there are no names.
pub fn select(names: &[String]) -> Result<Vec<TableName>, UnknownTable> {
    let known = |name: &String| TableName::ALL.iter().any(|table| table.name() == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        return Err(UnknownTable(name.clone()));
    }
    let wanted = |table: &TableName| names.is_empty() || names.iter().any(|name| name == table.name());
    Ok(TableName::ALL.into_iter().filter(wanted).collect())
}

/// Measures as `config` says, with `children`, through which another thread may interrupt it.
pub fn reproduce(config: &ReproduceConfig, children: &Children) -> Result<Reproduced, Interrupted> {
    let variants: BTreeSet<Variant> = config.tables.iter().flat_map(|table| table.variants()).collect();
    let with_fold = config.tables.contains(&TableName::Tfp);
    let folds = if with_fold { fold::jobs(config.size) } else { Vec::new() };
    let measured = measure::measure(config, &variants, &folds, children)?;
    let mut sheets = Vec::new();
    for table in &config.tables {
        sheets.extend(match table {
            TableName::Delia => tables::delia::sheets(&measured),
            TableName::Tfp => tables::tfp::sheets(&measured),
            TableName::Cost => tables::cost::sheets(&measured),
        });
    }
    Ok(Reproduced { size: config.size, rounds: config.rounds, sheets, faults: measured.faults() })
}

//! The choice of what `reproduce` measures.
//!
//! In: names of tables. Out: [`TableName`]s for a [`ReproduceConfig`], or the name that no table has.

use std::fmt;
use std::path::PathBuf;

use super::tables::roy;
use crate::bench::{self, BenchProgram, Progress, UnknownProgram};
use crate::extent::{Rounds, SizeName};
use crate::subject::Subject;
use holloway_study::report::style::OutputFormat;
use holloway_study::report::text::nearest;

/// Options of `reproduce`.
#[derive(Clone, PartialEq, Debug)]
pub struct ReproduceConfig {
    /// The tables; not empty.
    pub tables: Vec<TableName>,
    /// The programs that they are made of.
    pub programs: Programs,
    /// The workload of each.
    pub size: SizeName,
    /// Number of runs of each timed variant of a program.
    pub rounds: Rounds,
    /// Format of the output.
    pub format: OutputFormat,
    /// Progress display.
    pub progress: Progress,
    /// The binary: this one.
    pub executable: PathBuf,
    /// The folder for figures, if they are drawn.
    pub plot: Option<PathBuf>,
}

/// The programs of tables.
#[derive(Clone, PartialEq, Debug)]
pub enum Programs {
    /// Embedded ones; `roy` has its own.
    Embedded {
        /// The programs of all tables but `roy`.
        programs: Vec<Subject>,
        /// The programs of `roy`.
        roy: Vec<Subject>,
    },
    /// The modules of a folder.
    Modules {
        /// The folder.
        folder: PathBuf,
        /// The modules in it; all that have a size if there are no names.
        names: Vec<String>,
    },
}

/// A group of figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TableName {
    /// `[DD13]`: figures 8 to 14 and table 1.
    Delia,
    /// `[NGF03]`: section 3.6, figures 4 and 6, tables 1 and 2, and the case of RNAfold (figure 7).
    Tfp,
    /// Cost of each scheme.
    Cost,
    /// `[ZG01]`: tables 1 to 6 and figure 8.
    Twpp,
    /// `[RS09]`: tables 3 and 4.
    Roy,
    /// `[MR98]`: numbers, cost and crossing of paths across calls.
    Melski,
}

impl TableName {
    /// All tables.
    pub const ALL: [TableName; 6] =
        [TableName::Delia, TableName::Tfp, TableName::Cost, TableName::Twpp, TableName::Roy, TableName::Melski];

    /// The table's command-line name.
    pub fn name(self) -> &'static str {
        match self {
            TableName::Delia => "delia",
            TableName::Tfp => "tfp",
            TableName::Cost => "cost",
            TableName::Twpp => "twpp",
            TableName::Roy => "roy",
            TableName::Melski => "melski",
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

/// The benchmark programs of the given names, and the programs of `roy`; all of both if there are no names.
///
/// A name may be that of a program that only `roy` has.
pub fn select_programs(tables: &[TableName], names: &[String], size: SizeName) -> Result<Programs, UnknownProgram> {
    let is_named = |program: &BenchProgram| names.is_empty() || names.iter().any(|name| name == program.short_name());
    let of_roy: Vec<BenchProgram> = match tables.contains(&TableName::Roy) {
        true => roy::programs().into_iter().filter(is_named).collect(),
        false => Vec::new(),
    };
    let only_roy = |name: &&String| of_roy.iter().any(|program| program.name == format!("papers/{name}"));
    let of_all: Vec<String> = names.iter().filter(|name| !only_roy(name)).cloned().collect();
    let no_others = of_all.is_empty() && !names.is_empty();
    let programs = if no_others { Vec::new() } else { bench::select(&of_all)? };
    let subjects = |programs: Vec<BenchProgram>| programs.iter().map(|of| Subject::embedded(of, size)).collect();
    Ok(Programs::Embedded { programs: subjects(programs), roy: subjects(of_roy) })
}

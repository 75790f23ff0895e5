//! Tables of a run, for data bases and data frames.
//!
//! In: a [`Run`], and a folder. Out: a file for each table, with the names of its columns. Invariant: the first two columns
//! of each are the run and the program, as hashes of all that is known of them, so that tables of many runs can be put
//! together; times are microseconds of CPU time.

mod contents;
mod parquet_file;

use crate::run::Run;
use contents::{Table, tables};
use std::fs;
use std::io;
use std::path::Path;

/// The formats of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// Text: cells between commas.
    Csv,
    /// Columns with types, compressed.
    Parquet,
}

impl TableFormat {
    /// All of them.
    pub const ALL: [TableFormat; 2] = [Self::Csv, Self::Parquet];

    /// Its name on the command line, and the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// Writes the tables of a run into a folder, which is made if it is not there.
pub fn write(run: &Run, format: TableFormat, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for table in tables(run)? {
        let file = folder.join(format!("{}.{}", table.name, format.name()));
        match format {
            TableFormat::Csv => write_csv(&table, &file)?,
            TableFormat::Parquet => parquet_file::write(&table, &file)?,
        }
    }
    Ok(())
}

fn write_csv(table: &Table, file: &Path) -> io::Result<()> {
    let mut out = csv::Writer::from_path(file)?;
    out.write_record(table.columns.iter().map(|column| column.name))?;
    table.rows.iter().try_for_each(|row| out.write_record(row))?;
    out.flush()
}

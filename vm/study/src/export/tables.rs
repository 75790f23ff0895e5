//! Tables of a run, for data bases and data frames.
//!
//! In: a [`Run`], and a folder. Out: a file for each table, with a header. Invariant: the first two columns of each are the run and the program, as hashes
//! of all that is known of them, so that tables of many runs can be put together; times are microseconds of CPU time.

mod contents;

use crate::run::Run;
use contents::{Table, tables};
use std::fs;
use std::io;
use std::path::Path;

/// Writes the tables of a run into a folder, which is made if it is not there.
pub fn write(run: &Run, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for Table { name, columns, rows } in tables(run)? {
        let mut out = csv::Writer::from_path(folder.join(format!("{name}.csv")))?;
        out.write_record(columns)?;
        rows.iter().try_for_each(|row| out.write_record(row))?;
        out.flush()?;
    }
    Ok(())
}

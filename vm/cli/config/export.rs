//! Resolved options of `export`.
//!
//! In: made once by `cli::resolve`. Out: [`ExportConfig`]. Invariant: as in the module around.

use holloway_study::export::{Format, TableFormat};
use std::path::PathBuf;

/// A form, as it is named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportForm {
    /// One file.
    File(Format),
    /// Tables, a file each.
    Tables(TableFormat),
}

/// `export`: a recorded run for another tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportConfig {
    /// The file of the run.
    pub run: PathBuf,
    /// The form, and where it goes.
    pub to: Export,
}

/// The form of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Export {
    /// One file; `None` is standard output.
    File(Format, Option<PathBuf>),
    /// Tables in a folder.
    Tables(TableFormat, PathBuf),
}

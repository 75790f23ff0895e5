//! The configuration of `report`.
//!
//! In: made by `cli::resolve`. Out: plain data. Invariant: that of the folder above.

use std::path::PathBuf;

/// `report`: the page of a recorded run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportConfig {
    /// The file of the run.
    pub run: PathBuf,
    /// The file of the run beside it, if any.
    pub other: Option<PathBuf>,
    /// The file that is written; `None` is standard output.
    pub output: Option<PathBuf>,
}

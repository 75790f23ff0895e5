//! The arguments of `report`.
//!
//! In: text. Out: [`ReportArgs`]. Invariant: one run, or two of which the second is beside the first.

use std::path::PathBuf;

use clap::Args;

/// `report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The run, as --save kept it; and another to compare it with, say of the version before
    #[arg(value_name = "RUN.hwrun", required = true, num_args = 1..=2)]
    pub runs: Vec<PathBuf>,
    /// The page; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "report.html")]
    pub output: PathBuf,
}

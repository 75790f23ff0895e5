//! The arguments of `export`.
//!
//! In: text. Out: [`ExportArgs`]. Invariant: a form that is a folder has a name, which `resolve` sees to.

use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use crate::config::ExportForm;

/// `export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The file of a run, as `run --save` keeps it
    #[arg(value_name = "RUN.hwrun")]
    pub run: PathBuf,
    /// The form
    #[arg(long, value_name = "FORM", value_parser = choice::<ExportForm>())]
    pub to: ExportForm,
    /// The file to write, or the folder of csv and parquet; `-` is standard output [default: -]
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<PathBuf>,
}

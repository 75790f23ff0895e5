//! The arguments of `merge`.
//!
//! In: text. Out: [`MergeArgs`]. Invariant: two profiles at least.

use std::path::PathBuf;

use clap::Args;

/// `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Profiles of one program by one scheme, as `profile -o` saves them
    #[arg(value_name = "PROFILE", required = true, num_args = 2..)]
    pub profiles: Vec<PathBuf>,
    /// The file for their sum; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

//! The arguments of `diff`.
//!
//! In: text. Out: [`DiffArgs`]. Invariant: at most one of both profiles is standard input, which `resolve` sees to.

use std::path::PathBuf;

use clap::Args;

use super::shared::MessageArgs;

/// `diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The profile of one run, as `profile -o` saves it; `-` is standard input
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The profile of another run, by the same scheme
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Show the N paths whose frequency changed most; 0 shows all [default: 10; with --json: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub top: Option<usize>,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

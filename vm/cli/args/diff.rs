//! The arguments of `diff`.
//!
//! In: text. Out: [`DiffArgs`]. Invariant: at most one of both profiles is standard input, and both sides are given in one way, which `resolve`
//! sees to.

use std::path::PathBuf;

use clap::Args;

use super::shared::MessageArgs;
use crate::quantity;

/// `diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The profile of one run, as `profile -o` saves it, or a run that --save kept; `-` is standard input
    #[arg(value_name = "A", required_unless_present = "runs_of_a")]
    pub a: Option<PathBuf>,
    /// The profile of another run, by the same scheme, or another run
    #[arg(value_name = "B", required_unless_present = "runs_of_b")]
    pub b: Option<PathBuf>,
    /// Several runs of one side, with commas between: times are then medians with their spread
    #[arg(long = "a", value_name = "RUNS", value_delimiter = ',', requires = "runs_of_b", conflicts_with_all = ["a", "b"])]
    pub runs_of_a: Vec<PathBuf>,
    /// Several runs of the other side
    #[arg(long = "b", value_name = "RUNS", value_delimiter = ',', requires = "runs_of_a", conflicts_with_all = ["a", "b"])]
    pub runs_of_b: Vec<PathBuf>,
    /// Runs: end with status 1 if b takes more CPU time than a by so much, as in 5%; of several runs a side, if all of b take longer than all of a
    #[arg(long, value_name = "PERCENT", value_parser = quantity::percent, allow_negative_numbers = true)]
    pub fail_above: Option<f64>,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Show the N paths, or functions and lines, that changed most; 0 shows all [default: 10; with --json: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub top: Option<usize>,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

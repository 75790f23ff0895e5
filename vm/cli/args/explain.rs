//! The options of `explain`.
//!
//! In: nothing. Out: what clap parses.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::shared::{ExecutionArgs, MessageArgs};
use super::without::{LeftOut, LeftOutParser, SetArgs};
use crate::config::StrategyName;

/// `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The program, or a run that --save kept; `-` is standard input; without one, the demonstration
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The program's arguments
    #[arg(value_name = "ARGS")]
    pub args: Vec<OsString>,
    /// Tell all that was decided about one thing: a function's name, FILE:LINE or FUNCTION:LINE of a loop, the number of a version (with its code),
    /// inlining:FUNCTION for its calls, or guard:FILE:LINE
    #[arg(long, value_name = "TARGET", conflicts_with_all = ["story", "json"])]
    pub why: Option<String>,
    /// Run the program N more times with traces and N times without, in turn, and say what they gain
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, conflicts_with_all = ["why", "story", "without"])]
    pub measure: Option<u32>,
    /// Say what each decision is worth: replay the run as it was and without each decision, in turns, N times each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), num_args = 0..=1, require_equals = true, default_missing_value = "5", conflicts_with_all = ["why", "story", "measure", "what_if"])]
    pub audit: Option<u32>,
    /// Run the program with another value of a setting and as it is, in turns, three times each, and show what differs
    #[arg(long, value_name = "NAME=VALUE", conflicts_with_all = ["why", "story", "measure", "save"])]
    pub what_if: Vec<String>,
    /// Tell every decision in order instead of one screen
    #[arg(long)]
    pub story: bool,
    /// Print JSON instead of text: all events and versions
    #[arg(long)]
    pub json: bool,
    /// Write every decision and its figures as they happen, in Chrome's trace-event format
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Save what was compiled how and when, for --replay
    #[arg(long, value_name = "OUT")]
    pub advice: Option<PathBuf>,
    /// Save the run, for explain, report, export, diff and profile --scheme time: decisions, versions, samples, machine code
    #[arg(long, value_name = "RUN.hwrun")]
    pub save: Option<PathBuf>,
    /// The strategy that decides which function is compiled how
    #[arg(long, value_parser = choice::<StrategyName>(), default_value = "cost-benefit", value_name = "STRATEGY")]
    pub policy: StrategyName,
    /// Leave parts of the adaptive system out, to see what each of them gains or costs; or a version, by its name or number, of replays of the run
    #[arg(long, value_parser = LeftOutParser, value_name = "PART|VERSION,...", value_delimiter = ',', help_heading = "Options for recompilation")]
    pub without: Vec<LeftOut>,
    /// The settings that are changed.
    #[command(flatten)]
    pub set: SetArgs,
    /// The options of its execution.
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

//! The arguments of `trace`.
//!
//! In: text. Out: [`TraceCommand`]. Invariant: a command that asks names a file that `trace record` wrote.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

use super::choice::choice;
use super::shared::{ExecutionArgs, MessageArgs, SubjectArgs};
use crate::config::SliceApproach;
use crate::{examples, quantity};
use holloway_study::report::trace::asked::{Fact, SourceLine};

/// `trace`.
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub struct TraceArgs {
    /// The command.
    #[command(subcommand)]
    pub command: TraceCommand,
}

/// Commands of `trace`.
#[derive(Subcommand, Debug)]
pub enum TraceCommand {
    /// Run a program and record its whole path
    ///
    /// The file grows as the program runs: whatever ends the process, it opens up to the last time it was written.
    #[command(override_usage = "holloway trace record FILE [ARGS]... -o RUN.twpp [OPTIONS]", after_help = examples::TRACE_RECORD)]
    Record(TraceRecordArgs),
    /// Show what a recorded run consists of: its functions, and what each stage of the compaction saved
    Info(TraceInfoArgs),
    /// Show the path traces of one function, most called first
    Extract(TraceExtractArgs),
    /// Print the whole path: a line for each block, in order of execution
    Replay(TraceReplayArgs),
    /// Find where an activation of a function goes through some blocks one after the other
    Find(TraceFindArgs),
    /// Ask how often a data-flow fact held at a line
    ///
    /// load: the value that is loaded was loaded or stored before, and not changed since; expr: the same of an operator's result; def: the
    /// variable has the value of a definition, told for each. Answers are those of the recorded run, not of all runs.
    #[command(after_help = examples::TRACE_QUERY)]
    Query(TraceQueryArgs),
    /// Show which lines a variable's value depends on: its dynamic slice
    ///
    /// The value is that just before the N-th execution of the line. Approaches are those of Agrawal and Horgan (1990): 1 follows the
    /// dependences of all lines that were executed, 2 those that occurred, 3 those of this very value.
    #[command(after_help = examples::TRACE_SLICE)]
    Slice(TraceSliceArgs),
    /// Show whether a debugger of optimized code would show a variable's right value
    #[command(after_help = examples::TRACE_CURRENCY)]
    Currency(TraceCurrencyArgs),
}

/// `trace record`.
#[derive(Args, Debug)]
pub struct TraceRecordArgs {
    /// The program.
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// The file to write
    #[arg(short, long, value_name = "RUN.twpp")]
    pub output: PathBuf,
    /// Let the file grow to this size, then record no more; K, M and G count in 1024s
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub limit: Option<NonZeroU64>,
    /// The options of its execution.
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// The options of messages.
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// `trace info`.
#[derive(Args, Debug)]
pub struct TraceInfoArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// `trace extract`.
#[derive(Args, Debug)]
pub struct TraceExtractArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// The function
    #[arg(long = "fn", value_name = "NAME")]
    pub function: String,
    /// Show the N most called traces; 0 shows all [default: 10; with --json: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub top: Option<usize>,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// `trace replay`.
#[derive(Args, Debug)]
pub struct TraceReplayArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// Begin at this event, from 1
    #[arg(long, value_name = "N", value_parser = quantity::count, allow_negative_numbers = true)]
    pub from: Option<u64>,
    /// Print at most so many events
    #[arg(long, value_name = "N", value_parser = quantity::count, allow_negative_numbers = true)]
    pub events: Option<u64>,
    /// Go backward, from the last event or that of --from
    #[arg(long)]
    pub backward: bool,
}

/// `trace find`.
#[derive(Args, Debug)]
pub struct TraceFindArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// The function
    #[arg(long = "fn", value_name = "NAME")]
    pub function: String,
    /// The numbers of the blocks, as `dump --stage ir` shows them
    #[arg(long, value_name = "B,B,...", value_delimiter = ',', required = true, value_parser = block)]
    pub path: Vec<u32>,
    /// Show the first N positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// `trace query`.
#[derive(Args, Debug)]
pub struct TraceQueryArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// The kind of fact
    #[arg(long, value_parser = choice::<Fact>(), value_name = "FACT")]
    pub fact: Fact,
    /// The line
    #[arg(long, value_name = "FILE:LINE", value_parser = SourceLine::from_str, required_unless_present = "hottest")]
    pub at: Option<SourceLine>,
    /// Instead of a line: the N loads or operations of the program that were redundant most often; 0 shows all
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", conflicts_with_all = ["at", "var"], allow_negative_numbers = true)]
    pub hottest: Option<usize>,
    /// The variable: of a def, or of those that a load or an expression is of
    #[arg(long, value_name = "V")]
    pub var: Option<String>,
    /// Save the loads that are always redundant and still in optimized code, for run --facts
    #[arg(short, long, value_name = "FACTS", requires = "hottest")]
    pub output: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// `trace slice`.
#[derive(Args, Debug)]
pub struct TraceSliceArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// The line before whose execution the value is looked at
    #[arg(long, value_name = "FILE:LINE", value_parser = SourceLine::from_str)]
    pub at: SourceLine,
    /// The variable
    #[arg(long, value_name = "V")]
    pub var: String,
    /// The execution of the line, from 1; the last unless said otherwise
    #[arg(long, value_name = "N", value_parser = quantity::count, allow_negative_numbers = true)]
    pub occurrence: Option<u64>,
    /// The precision: 1, 2 or 3
    #[arg(long, value_enum, value_name = "APPROACH", default_value_t = SliceApproach::Instances)]
    pub approach: SliceApproach,
    /// Print JSON instead of the source
    #[arg(long)]
    pub json: bool,
}

/// `trace currency`.
#[derive(Args, Debug)]
pub struct TraceCurrencyArgs {
    /// The recorded run
    #[arg(value_name = "RUN.twpp")]
    pub run: PathBuf,
    /// The line
    #[arg(long, value_name = "FILE:LINE", value_parser = SourceLine::from_str)]
    pub at: SourceLine,
    /// The variable
    #[arg(long, value_name = "V")]
    pub var: String,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

fn block(text: &str) -> Result<u32, String> {
    let digits = text.trim().trim_start_matches("block");
    digits.parse().map_err(|_| format!("'{}' is no block; write numbers as in 0,3,4", text.trim()))
}

//! Resolved options of `trace`.
//!
//! In: made once by `cli::resolve`. Out: a struct for each command. Invariant: as in the module around.

use super::{ExecutionConfig, Program};
use clap::ValueEnum;
use holloway_measure::bench::progress::Progress;
use holloway_study::report::style::{MessageConfig, OutputFormat};
use holloway_study::report::trace::asked::{Fact, ReplayRange, SourceLine};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

/// `trace record`: one run, recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordConfig {
    /// The program to run.
    pub program: Program,
    /// The options of its execution.
    pub execution: ExecutionConfig,
    /// The file to write.
    pub output: PathBuf,
    /// Bytes that it may have; `None` sets no limit.
    pub limit: Option<NonZeroU64>,
    /// The form of messages.
    pub messages: MessageConfig,
}

/// A question to a recorded run, and the form of its answer.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceConfig {
    /// The file.
    pub run: PathBuf,
    /// The question.
    pub question: Question,
    /// The form of the answer.
    pub format: OutputFormat,
    /// Columns of the screen.
    pub width: usize,
    /// Display of the progress of a run that is executed again.
    pub progress: Progress,
}

/// A question to a recorded run.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// `info`
    Info,
    /// `extract`: a function, and the number of traces shown; `None` shows all.
    Extract(String, Option<NonZeroUsize>),
    /// `replay`
    Replay(ReplayRange),
    /// `find`: blocks of a function, and the number of positions shown.
    Find(String, Vec<u32>, usize),
    /// `query`: a fact at a line, of a variable.
    Query(Fact, SourceLine, Option<String>),
    /// `query --hottest`
    Hottest(HottestConfig),
    /// `slice`
    Slice(SliceConfig),
    /// `currency` of a variable at a line.
    Currency(SourceLine, String),
}

/// `trace query --hottest`: the loads or operations of the program that were redundant most often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HottestConfig {
    /// Loads or operations.
    pub fact: Fact,
    /// Number of them that is shown; `None` shows all.
    pub top: Option<NonZeroUsize>,
    /// The file in which those are saved that the optimizer has use for.
    pub output: Option<PathBuf>,
}

/// `trace slice`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceConfig {
    /// The line.
    pub at: SourceLine,
    /// The variable.
    pub variable: String,
    /// The execution of the line; `None` is the last one.
    pub occurrence: Option<NonZeroU64>,
    /// The precision.
    pub approach: SliceApproach,
}

/// The approaches of Agrawal and Horgan, "Dynamic Program Slicing", PLDI 1990.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SliceApproach {
    /// dependences of all lines that were executed
    #[value(name = "1")]
    Nodes,
    /// dependences that occurred
    #[value(name = "2")]
    Edges,
    /// dependences of this very value
    #[value(name = "3")]
    Instances,
}

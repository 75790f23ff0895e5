//! Resolved options of `trace`.
//!
//! In: made once by `cli::resolve`. Out: a struct for each command. Invariant: as in the module around.

use super::{ExecutionConfig, MessageConfig, OutputFormat, Program};
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

#[cfg(feature = "cli")]
use clap::ValueEnum;

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

/// The events that `trace replay` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayRange {
    /// The first one, from 1; `None` is the end where replay begins.
    pub from: Option<NonZeroU64>,
    /// Their number; `None` sets no limit.
    pub events: Option<u64>,
    /// The order.
    pub direction: Direction,
}

/// The order of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// As they were executed.
    Forward,
    /// The last one first.
    Backward,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(ValueEnum))]
pub enum SliceApproach {
    /// dependences of all lines that were executed
    #[cfg_attr(feature = "cli", value(name = "1"))]
    Nodes,
    /// dependences that occurred
    #[cfg_attr(feature = "cli", value(name = "2"))]
    Edges,
    /// dependences of this very value
    #[cfg_attr(feature = "cli", value(name = "3"))]
    Instances,
}

/// Kinds of data-flow facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(ValueEnum))]
pub enum Fact {
    /// the value that is loaded is known from a load or store before
    Load,
    /// the operator's result was computed before
    Expr,
    /// a definition of the variable reaches the line
    Def,
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// The file's name, or the end of it; empty if the program has only one.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl FromStr for SourceLine {
    type Err = String;

    fn from_str(text: &str) -> Result<SourceLine, String> {
        let (file, line) = text.rsplit_once(':').unwrap_or(("", text));
        match line.parse() {
            Ok(line) if line > 0 => Ok(SourceLine { file: file.to_owned(), line }),
            _ => Err("write a file and a line in it, as in sieve.hw:12".to_owned()),
        }
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file.as_str() {
            "" => write!(f, "line {}", self.line),
            file => write!(f, "{file}:{}", self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_stand_without_its_file() {
        let read = |text: &str| text.parse::<SourceLine>().map(|at| (at.file, at.line)).ok();
        assert_eq!(read("lib/a.hw:12"), Some(("lib/a.hw".to_owned(), 12)));
        assert_eq!(read("c:a.hw:3"), Some(("c:a.hw".to_owned(), 3)));
        assert_eq!(read("7"), Some((String::new(), 7)));
        assert_eq!([read("a.hw"), read("a.hw:0"), read("a.hw:x"), read("")], [None, None, None, None]);
    }
}

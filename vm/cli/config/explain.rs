//! `explain`: one run, and the report of its decisions.

use super::{ExecutionConfig, Program};
use holloway_measure::bench::progress::Progress;
use holloway_measure::extent::Rounds;
use holloway_study::report::style::{MessageConfig, OutputFormat};
use std::path::PathBuf;

/// `explain`: one run, and the report of its decisions.
#[derive(Clone, PartialEq, Debug)]
pub struct ExplainConfig {
    /// The program to explain.
    pub explained: Explained,
    /// The options of its execution.
    pub execution: ExecutionConfig,
    /// The part of the report that is printed.
    pub part: ReportPart,
    /// Settings that a second run has besides, to be compared with the first; empty if there is none.
    pub what_if: Vec<String>,
    /// Pairs of further runs by which the gain of traces is measured; `None` measures nothing.
    pub measure: Option<Measure>,
    /// Replays by which decisions are measured; `None` measures nothing.
    pub audit: Option<AuditConfig>,
    /// The form of the output.
    pub format: OutputFormat,
    /// The form of messages and of the report.
    pub messages: MessageConfig,
}

/// Measurement of a gain by whole runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Pairs of runs, with and without.
    pub rounds: Rounds,
    /// The binary that runs them: this one.
    pub executable: PathBuf,
    /// Progress display on standard error.
    pub progress: Progress,
}

/// Measurement of decisions by replays without them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditConfig {
    /// Turns, each of a replay of the run as it was and one without each decision.
    pub turns: Measure,
    /// The decisions.
    pub audited: Audited,
}

/// Decisions that are measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Audited {
    /// Those that led to the code that the run was in longest.
    All,
    /// Those that led to these versions, by names or numbers.
    Versions(Vec<String>),
}

impl Audited {
    /// These versions, or all decisions if none is named.
    pub fn of(versions: Vec<String>) -> Audited {
        if versions.is_empty() { Audited::All } else { Audited::Versions(versions) }
    }
}

/// The part of `explain`'s report that is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReportPart {
    /// One screen.
    Overview,
    /// Decisions about one function, place or version, as it was written.
    Why(String),
    /// Everything in order.
    Story,
}

/// The program that `explain` runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explained {
    /// The program embedded in the binary, whose loop changes phase.
    Demonstration,
    /// Another.
    Program(Program),
}

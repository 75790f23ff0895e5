//! Resolved options of `lab` and `lab import`.
//!
//! In: made once by `cli::resolve`. Out: a struct for each command. Invariant: as in the module around.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::Source;
use holloway_study::lab::SchemeChoice;

/// `lab`: a numbering scheme on graphs and traces from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabConfig {
    /// The input, as JSON.
    pub source: Source,
    /// The scheme in place of the input's.
    pub scheme: Option<SchemeChoice>,
    /// The form of the result.
    pub output: LabOutput,
}

/// The form of the lab's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabOutput {
    /// Everything, as JSON.
    Json,
    /// A line a procedure, as text.
    Summary {
        /// The most lines; `None` means all procedures.
        top: Option<NonZeroUsize>,
    },
    /// The graphs with the values of their edges, in DOT.
    Dot,
}

/// `lab import`: an input of the lab from a C program that ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabImportConfig {
    /// The text of the program's LLVM IR.
    pub program: PathBuf,
    /// The trace of its run.
    pub trace: PathBuf,
    /// The file of the input, beside which the trace is written; `None` writes both to standard output.
    pub output: Option<PathBuf>,
}

//! Reasons for which nothing of a folder was measured.

use std::path::PathBuf;
use std::{fmt, io};

use super::super::race::Interrupted;
use super::super::results::BenchError;
use holloway_study::report::text::one_line;

/// A reason for which there are no results.
#[derive(Debug)]
pub enum UnseenError {
    /// Ctrl-C, or a temporary folder cannot be written.
    Bench(BenchError),
    /// The folder, or a file in it, cannot be read.
    NotRead(PathBuf, io::Error),
    /// The file with sizes has another form.
    Malformed(PathBuf, String),
    /// The folder has no such program with a C program beside it; what is there instead.
    Unknown {
        /// The name.
        name: String,
        /// Advice.
        help: String,
    },
    /// The folder has no program with a C program beside it.
    Empty(PathBuf),
    /// There is no C compiler.
    NoCompiler,
}

impl From<BenchError> for UnseenError {
    fn from(error: BenchError) -> Self {
        UnseenError::Bench(error)
    }
}

impl From<Interrupted> for UnseenError {
    fn from(Interrupted: Interrupted) -> Self {
        UnseenError::Bench(BenchError::Interrupted)
    }
}

impl fmt::Display for UnseenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &PathBuf| one_line(&path.display().to_string());
        match self {
            UnseenError::Bench(BenchError::Interrupted) => write!(f, "interrupted"),
            UnseenError::Bench(BenchError::Workspace(error)) => {
                write!(f, "cannot write to a temporary folder: {error}")
            }
            UnseenError::NotRead(path, error) => write!(f, "cannot read {}: {error}", shown(path)),
            UnseenError::Malformed(path, what) => write!(f, "{}: {}", shown(path), one_line(what)),
            UnseenError::Unknown { name, help } => {
                write!(f, "there is no '{}' with a C program beside it; {}", one_line(name), one_line(help))
            }
            UnseenError::Empty(path) => write!(
                f,
                "{} has no program to measure: put NAME.hw and the same program in C, NAME.c, there",
                shown(path)
            ),
            UnseenError::NoCompiler => write!(f, "--unseen compares with C; install gcc, or another compiler as cc"),
        }
    }
}

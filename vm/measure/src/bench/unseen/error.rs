//! Reasons for which nothing of a folder was measured.

use std::fmt;

use super::super::race::Interrupted;
use super::super::results::BenchError;
use crate::folder::FolderError;

/// A reason for which there are no results.
#[derive(Debug)]
pub enum UnseenError {
    /// Ctrl-C, or a temporary folder cannot be written.
    Bench(BenchError),
    /// The folder.
    Folder(FolderError),
    /// There is no C compiler.
    NoCompiler,
}

impl From<BenchError> for UnseenError {
    fn from(error: BenchError) -> Self {
        UnseenError::Bench(error)
    }
}

impl From<FolderError> for UnseenError {
    fn from(error: FolderError) -> Self {
        UnseenError::Folder(error)
    }
}

impl From<Interrupted> for UnseenError {
    fn from(Interrupted: Interrupted) -> Self {
        UnseenError::Bench(BenchError::Interrupted)
    }
}

impl fmt::Display for UnseenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnseenError::Bench(BenchError::Interrupted) => write!(f, "interrupted"),
            UnseenError::Bench(BenchError::Workspace(error)) => {
                write!(f, "cannot write to a temporary folder: {error}")
            }
            UnseenError::Folder(error) => error.fmt(f),
            UnseenError::NoCompiler => write!(f, "--unseen compares with C; install gcc, or another compiler as cc"),
        }
    }
}

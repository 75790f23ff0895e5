//! Errors of reading a file.
//!
//! In: what was found. Out: [`FileError`]. Invariant: every damaged, truncated or foreign file gives one of these.

use std::{fmt, io};

/// A file that cannot be read.
#[derive(Debug)]
pub enum FileError {
    /// The file does not begin with the format's magic bytes.
    Foreign,
    /// The file is of a version of the format that is not known here.
    Version(u32),
    /// The file ends too early.
    Truncated,
    /// The bytes of this part are not those that were written.
    Checksum(&'static str),
    /// This part says a thing that cannot be.
    Invalid(&'static str),
    /// This part would take more memory than its length is worth.
    TooLarge(&'static str),
    /// The file has no such function.
    NoFunction,
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Foreign => write!(f, "this is no recorded run"),
            FileError::Version(version) => write!(f, "version {version} of the format is not known"),
            FileError::Truncated => write!(f, "the file ends too early"),
            FileError::Checksum(part) => write!(f, "the {part} is damaged: its checksum differs"),
            FileError::Invalid(part) => write!(f, "the {part} is damaged"),
            FileError::TooLarge(part) => write!(f, "the {part} would take more memory than a file of this length may"),
            FileError::NoFunction => write!(f, "no function of this name was called"),
            FileError::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => FileError::Truncated,
            _ => FileError::Io(error),
        }
    }
}

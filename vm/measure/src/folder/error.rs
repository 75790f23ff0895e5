//! Reasons for which a folder has nothing to measure.

use std::path::PathBuf;
use std::{fmt, io};

use holloway_study::report::text::one_line;

/// A reason for which nothing of a folder is measured.
#[derive(Debug)]
pub enum FolderError {
    /// The folder, or a file in it, cannot be read.
    NotRead(PathBuf, io::Error),
    /// The file with sizes has another form.
    Malformed(PathBuf, String),
    /// The folder has no such program.
    Unknown {
        /// The name.
        name: String,
        /// The kind of program.
        what: &'static str,
        /// Advice: what is there instead.
        help: String,
    },
    /// The folder has no program; what to put there.
    Empty(PathBuf, &'static str),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &PathBuf| one_line(&path.display().to_string());
        match self {
            FolderError::NotRead(path, error) => write!(f, "cannot read {}: {error}", shown(path)),
            FolderError::Malformed(path, what) => write!(f, "{}: {}", shown(path), one_line(what)),
            FolderError::Unknown { name, what, help } => {
                write!(f, "there is no '{}' {what}; {}", one_line(name), one_line(help))
            }
            FolderError::Empty(path, advice) => write!(f, "{} has no program to measure: {advice}", shown(path)),
        }
    }
}

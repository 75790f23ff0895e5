//! Folders of programs, as a command line names them.
//!
//! In: a folder. Out: the files in it that have some extension, and what its `expected.json` says of them. Invariants: files are in
//! alphabetical order; a program's name is that of its file without the extension.

mod error;
mod expected;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use error::FolderError;
pub(crate) use expected::Expectations;
use holloway_study::report::text::nearest;

/// The file with sizes and outputs, which may be missing.
const EXPECTED: &str = "expected.json";

/// The files with an extension, by their paths from the root.
pub(crate) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, FolderError> {
    let not_read = |error| FolderError::NotRead(folder.to_owned(), error);
    let path = std::path::absolute(folder).map_err(not_read)?;
    let entries = fs::read_dir(&path).map_err(not_read)?;
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|found| found == extension) && path.is_file();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_wanted).collect();
    files.sort();
    Ok(files)
}

/// The name of the program in a file.
pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Refuses a name that none of the programs has; `what` tells what they are.
pub(crate) fn known<'n>(
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
    what: &'static str,
) -> Result<(), FolderError> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    if names.contains(name) {
        return Ok(());
    }
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    };
    Err(FolderError::Unknown { name: name.to_owned(), what, help })
}

/// The sizes and outputs that the folder knows.
pub(crate) fn expectations(folder: &Path) -> Result<Expectations, FolderError> {
    let file = folder.join(EXPECTED);
    match fs::read_to_string(&file) {
        Ok(text) => Expectations::parse(&text).map_err(|what| FolderError::Malformed(file, what)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Expectations::default()),
        Err(error) => Err(FolderError::NotRead(file, error)),
    }
}

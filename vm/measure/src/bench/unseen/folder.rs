//! The programs of a folder.
//!
//! In: the folder that is named on the command line. Out: [`Folder`]: every `NAME.hw` with a `NAME.c` beside it, in
//! alphabetical order, those without, and what `expected.json` says. Invariant: names on the command line are names of
//! programs there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::config::UnseenConfig;
use super::error::UnseenError;
use super::expected::Expectations;
use holloway_study::report::text::nearest;

/// A folder, read.
#[derive(Debug)]
pub(super) struct Folder {
    /// Its path from the root.
    pub(super) path: PathBuf,
    /// The programs to measure; not empty.
    pub(super) programs: Vec<UnseenProgram>,
    /// The names of those without a C program.
    pub(super) alone: Vec<String>,
    /// Known sizes and outputs.
    pub(super) expectations: Expectations,
}

/// A program in two languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnseenProgram {
    /// Its name, which is that of its files without the extension.
    pub(super) name: String,
    /// The program.
    pub(super) source: PathBuf,
    /// The same in C.
    pub(super) c: PathBuf,
}

/// The file with sizes and outputs, which may be missing.
const EXPECTED: &str = "expected.json";

impl Folder {
    /// Reads the folder of a command line.
    pub(super) fn read(config: &UnseenConfig) -> Result<Folder, UnseenError> {
        let not_read = |error| UnseenError::NotRead(config.folder.clone(), error);
        let path = std::path::absolute(&config.folder).map_err(not_read)?;
        let mut sources: Vec<PathBuf> = fs::read_dir(&path)
            .map_err(not_read)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_program(path))
            .collect();
        sources.sort();
        let (programs, alone): (Vec<_>, Vec<_>) =
            sources.into_iter().map(UnseenProgram::of).partition(|program| program.c.is_file());
        if programs.is_empty() {
            return Err(UnseenError::Empty(config.folder.clone()));
        }
        let sized = config.sizes.iter().filter_map(|given| given.program.as_ref());
        for name in config.names.iter().chain(sized) {
            known(name, &programs)?;
        }
        let is_wanted = |name: &String| config.names.is_empty() || config.names.contains(name);
        Ok(Folder {
            programs: programs.into_iter().filter(|program| is_wanted(&program.name)).collect(),
            alone: alone.into_iter().map(|program| program.name).filter(|_| config.names.is_empty()).collect(),
            expectations: expectations(&path)?,
            path,
        })
    }
}

impl UnseenProgram {
    fn of(source: PathBuf) -> UnseenProgram {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        UnseenProgram { name, c: source.with_extension("c"), source }
    }
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "hw") && path.is_file()
}

/// Refuses a name that no program has.
fn known(name: &str, programs: &[UnseenProgram]) -> Result<(), UnseenError> {
    let names: BTreeSet<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    if names.contains(name) {
        return Ok(());
    }
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("there are: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    };
    Err(UnseenError::Unknown { name: name.to_owned(), help })
}

fn expectations(folder: &Path) -> Result<Expectations, UnseenError> {
    let file = folder.join(EXPECTED);
    match fs::read_to_string(&file) {
        Ok(text) => Expectations::parse(&text).map_err(|what| UnseenError::Malformed(file, what)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Expectations::default()),
        Err(error) => Err(UnseenError::NotRead(file, error)),
    }
}

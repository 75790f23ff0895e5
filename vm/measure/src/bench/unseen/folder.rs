//! The programs of a folder.
//!
//! In: the folder that is named on the command line. Out: [`Folder`]: every `NAME.hw` with a `NAME.c` beside it, in
//! alphabetical order, those without, and what `expected.json` says. Invariant: names on the command line are names of
//! programs there.

use std::path::PathBuf;

use super::config::UnseenConfig;
use super::error::UnseenError;
use crate::folder::{self, Expectations, FolderError};

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

impl Folder {
    /// Reads the folder of a command line.
    pub(super) fn read(config: &UnseenConfig) -> Result<Folder, UnseenError> {
        let sources = folder::files(&config.folder, "hw")?;
        let (programs, alone): (Vec<_>, Vec<_>) =
            sources.into_iter().map(UnseenProgram::of).partition(|program| program.c.is_file());
        let Some(path) = programs.first().and_then(|program| program.source.parent()).map(PathBuf::from) else {
            let advice = "put NAME.hw and the same program in C, NAME.c, there";
            return Err(FolderError::Empty(config.folder.clone(), advice).into());
        };
        let sized = config.sizes.iter().filter_map(|given| given.program.as_ref());
        for name in config.names.iter().chain(sized) {
            let names = programs.iter().map(|program| program.name.as_str());
            folder::known(name, names, "with a C program beside it")?;
        }
        let is_wanted = |name: &String| config.names.is_empty() || config.names.contains(name);
        Ok(Folder {
            programs: programs.into_iter().filter(|program| is_wanted(&program.name)).collect(),
            alone: alone.into_iter().map(|program| program.name).filter(|_| config.names.is_empty()).collect(),
            expectations: folder::expectations(&path)?,
            path,
        })
    }
}

impl UnseenProgram {
    fn of(source: PathBuf) -> UnseenProgram {
        UnseenProgram { name: folder::name_of(&source), c: source.with_extension("c"), source }
    }
}

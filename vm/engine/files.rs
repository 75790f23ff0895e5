//! Source of imports: the file system.

use holloway_lang::session::{Loader, Resolved};
use std::io;
use std::path::{Path, PathBuf};

/// Reads imported files, relative to the file that imports them; from memory or a terminal, to the working directory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Files {
    /// The key of a file: the same for every path to it.
    pub fn key(path: &Path) -> io::Result<String> {
        Ok(std::fs::canonicalize(path)?.to_string_lossy().into_owned())
    }
}

impl Loader for Files {
    fn resolve(&mut self, importer: Option<&str>, path: &str) -> Result<Resolved, String> {
        let folder = importer.and_then(|key| Path::new(key).parent()).unwrap_or(Path::new(""));
        let file: PathBuf = folder.join(path);
        let key = Files::key(&file).map_err(|error| reason(&error))?;
        let here = std::env::current_dir().ok().and_then(|here| here.canonicalize().ok());
        let shown = here.and_then(|here| Path::new(&key).strip_prefix(here).map(Path::to_owned).ok());
        let name = shown.map_or_else(|| key.clone(), |path| path.to_string_lossy().into_owned());
        Ok(Resolved { key, name })
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        std::fs::read(key).map_err(|error| reason(&error))
    }
}

/// Returns true if two paths lead to one file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    one == other || canonical(one).is_some_and(|one| canonical(other) == Some(one))
}

/// The reason of an error, without the system's error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => error.to_string(),
    }
}

//! Source of imports: the file system.

use crate::whole_file;
use holloway_lang::session::{Loader, Resolved};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Links that are followed one after another: as many as the system follows.
const MOST_LINKS: usize = 40;

/// Reads imported files, relative to the file that imports them; from memory or a terminal, to the working directory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Files {
    /// The key of a file: the same for every path to it.
    pub fn key(path: &Path) -> io::Result<String> {
        Ok(std::fs::canonicalize(path)?.to_string_lossy().into_owned())
    }
}

/// A program as it is read from a file.
pub(crate) struct ProgramFile {
    /// Its name in messages: the path as it was given.
    pub(crate) name: String,
    /// Its key.
    pub(crate) key: String,
    pub(crate) bytes: Vec<u8>,
}

impl ProgramFile {
    pub(crate) fn read(path: &Path) -> io::Result<ProgramFile> {
        let bytes = File::open(path).and_then(whole_file::source)?;
        Ok(ProgramFile { name: path.to_string_lossy().into_owned(), key: Files::key(path)?, bytes })
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
        let refused = |error: io::Error| reason(&error);
        let file = File::open(key).map_err(refused)?;
        // A device or a pipe may have no end, or keep the host waiting for it.
        match file.metadata().map_err(refused)?.is_file() {
            true => whole_file::source(file).map_err(refused),
            false => Err("it is no regular file".to_owned()),
        }
    }
}

/// Returns true if two paths lead to one file, by links of either kind. A device may be read and written at once.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let id =
        |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|found| (found.dev(), found.ino()));
    match (id(one), id(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => destination(one) == destination(other) && !one.exists(),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The path at which a file is, or would be made: links are followed, also those that lead to nothing yet.
pub fn destination(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(there) = fs::canonicalize(&path) {
            return there;
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return path.file_name().map_or_else(|| path.clone(), |name| folder.join(name)),
        }
    }
    path
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

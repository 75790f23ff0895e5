//! The embedded files on disk, in a folder that is deleted with its owner.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::embedded;

/// A temporary folder with files of `bench-programs/`, and space for builds.
pub(super) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// An empty workspace.
    pub(super) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("holloway-bench-").tempdir()?;
        Ok(Self { folder })
    }

    /// Writes the embedded file at `path` below `bench-programs/`.
    pub(super) fn place(&self, path: &str) -> io::Result<PathBuf> {
        let bytes = embedded::file(path).unwrap_or_else(|| panic!("bench-programs/{path} is not embedded"));
        self.write(path, bytes)
    }

    /// Writes every embedded file below `folder`.
    pub(super) fn place_below(&self, folder: &str) -> io::Result<()> {
        embedded::files_below(folder).try_for_each(|(path, bytes)| self.write(path, bytes).map(drop))
    }

    /// The folder `name` for builds, created if necessary.
    pub(super) fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.path().join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file at `path` below the folder.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let target = self.path().join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, bytes)?;
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_layout_and_go_away() {
        let workspace = Workspace::new().unwrap();
        let path = workspace.path().to_owned();
        let program = workspace.place("fib.hw").unwrap();
        workspace.place_below("peers/lib/").unwrap();
        assert!(fs::read_to_string(program).unwrap().contains("fn fib"));
        assert!(path.join("peers/lib/bench.h").is_file());
        drop(workspace);
        assert!(!path.exists());
    }
}

//! The programs that the open documents are, each with all that it imports, analysed when somebody asks.
//!
//! In: open documents and files. Out: an [`Analysis`] of each, kept until a text in it changes; and all programs in which a
//! file is used. Invariants: an analysis is of the texts as they are now; a fault of the analysis is no end of the server.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use holloway_lang::diagnostic::{CheckError, Diagnostic, DiagnosticKind};
use holloway_lang::session::{Analysis, Input, Loader as _, Session};
use holloway_lang::source::FileId;
use lsp_types::{Position, Uri};

use super::documents::{Document, Documents};
use super::lines::Lines;
use super::loader::OpenFirst;

/// Files in the folders of the editor that are searched for uses of a name.
const MOST_FILES: usize = 2000;
/// The depth to which folders are searched.
const DEEPEST: usize = 12;

/// The programs; see the module.
#[derive(Default)]
pub(crate) struct Programs {
    pub(crate) documents: Documents,
    /// The folders that the editor shows.
    pub(crate) folders: Vec<PathBuf>,
    /// Analyses by the key of the root.
    kept: HashMap<String, Rc<Analysis>>,
}

/// A place in a program.
pub(crate) struct Place {
    pub(crate) program: Rc<Analysis>,
    pub(crate) file: FileId,
    pub(crate) offset: u32,
}

impl Programs {
    /// The program that an open document is.
    pub(crate) fn of(&mut self, uri: &Uri) -> Option<Rc<Analysis>> {
        let key = self.documents.get(uri)?.key.clone();
        self.of_key(&key)
    }

    /// The program that a file is, as it is in the editor or on the disk.
    fn of_key(&mut self, key: &str) -> Option<Rc<Analysis>> {
        if let Some(kept) = self.kept.get(key) {
            return Some(Rc::clone(kept));
        }
        let bytes = OpenFirst(&self.documents).read(key).ok()?;
        let made = Rc::new(analyse(&self.documents, key, &bytes, None)?);
        if self.documents.of_file(key).is_some() {
            self.kept.insert(key.to_owned(), Rc::clone(&made));
        }
        Some(made)
    }

    /// The place in the program of an open document that a position is.
    pub(crate) fn place(&mut self, uri: &Uri, position: Position) -> Option<Place> {
        let program = self.of(uri)?;
        let file = program.root?;
        let offset = Lines::new(&program.sources().file(file).text).offset(position) as u32;
        Some(Place { program, file, offset })
    }

    /// Forgets what was known of the programs in which a file is, and of those that could not find a file.
    pub(crate) fn changed(&mut self, key: &str) {
        let knows = |program: &Analysis| program.sources().files().any(|(_, file)| file.name == key);
        let misses = |program: &Analysis| program.diagnostics.iter().any(is_missing_file);
        self.kept.retain(|root, program| root != key && !knows(program) && !misses(program));
    }

    /// Forgets everything: files on the disk may have changed.
    pub(crate) fn forget(&mut self) {
        self.kept.clear();
    }

    /// All programs in which a file is: those of open documents, and of other files in the editor's folders.
    pub(crate) fn using(&mut self, key: &str) -> Vec<Rc<Analysis>> {
        let mut roots: Vec<String> = self.documents.all().map(|document| document.key.clone()).collect();
        let mut folders = self.folders.clone();
        if folders.is_empty() {
            folders.extend(Path::new(key).parent().filter(|folder| folder.is_absolute()).map(Path::to_owned));
        }
        let seen: HashSet<String> = roots.iter().cloned().collect();
        let found = programs_below(&folders).into_iter().map(|path| path.to_string_lossy().into_owned());
        roots.extend(found.filter(|root| !seen.contains(root) && (root == key || self.imports_something(root))));
        roots.sort();
        let is_in = |program: &Rc<Analysis>| program.sources().files().any(|(_, file)| file.name == key);
        roots.iter().filter_map(|root| self.of_key(root)).filter(is_in).collect()
    }

    fn imports_something(&self, root: &str) -> bool {
        OpenFirst(&self.documents).read(root).is_ok_and(|bytes| bytes.windows(6).any(|word| word == b"import"))
    }
}

fn is_missing_file(found: &Diagnostic) -> bool {
    matches!(found.kind, DiagnosticKind::Check(CheckError::CannotImport { .. }))
}

/// Analyses the program that a file is; `probe` is an offset in it that is asked about. None if that fails by a fault of
/// ours: the editor has all other answers then.
pub(crate) fn analyse(documents: &Documents, key: &str, bytes: &[u8], probe: Option<u32>) -> Option<Analysis> {
    let input = Input { name: key, key: Some(key), bytes };
    let made = || Session::analyse(input, &mut OpenFirst(documents), probe);
    catch_unwind(AssertUnwindSafe(made)).ok()
}

/// Analyses an open document with another text.
pub(crate) fn analyse_with(documents: &Documents, document: &Document, text: &str, probe: u32) -> Option<Analysis> {
    analyse(documents, &document.key, text.as_bytes(), Some(probe))
}

/// The programs in folders, by their keys.
fn programs_below(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending: Vec<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_hidden = name.to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && name != "target" && depth < DEEPEST => {
                    pending.push((path, depth + 1));
                }
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "hw") => {
                    found.extend(path.canonicalize());
                }
                Ok(_) | Err(_) => {}
            }
            if found.len() >= MOST_FILES {
                return found;
            }
        }
    }
    found
}

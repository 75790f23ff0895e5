//! The files of one input: its imports, their imports, and so on.
//!
//! In: the text of the input and a [`Loader`] that knows files. Out: the parsed files in the order in which their
//! statements run: each before its importer, in order of import, once. Invariant: files are followed with a stack of
//! its own, so a chain of imports of any length is fine.

use hashbrown::HashMap;

use crate::ast::{Import, Item, TopLevel};
use crate::check::error::CheckError;
use crate::check::{File, Role, SessionKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind, SyntaxError, limit};
use crate::parse::parse_broken;
use crate::prune::prune;
use crate::source::{FileId, SourceMap, Span};

/// A text to add.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// The [`Loader`]'s key, where it is a file: imports are relative to it, and importing it again is a cycle.
    pub key: Option<&'a str>,
    /// The text as it was read.
    pub bytes: &'a [u8],
}

/// The source of imported files. The language does no input or output of its own.
pub trait Loader {
    /// The file that `path`, as written in an import, means. `importer` is the key of the file that imports it; `None`
    /// where that is no file (a line of the REPL, standard input). An error is a phrase such as "no such file".
    fn resolve(&mut self, importer: Option<&str>, path: &str) -> Result<Resolved, String>;

    /// The bytes of a file that [`Loader::resolve`] gave. An error is a phrase such as "permission denied".
    fn read(&mut self, key: &str) -> Result<Vec<u8>, String>;
}

/// A loader without files.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn resolve(&mut self, _: Option<&str>, _: &str) -> Result<Resolved, String> {
        Err("no such file".to_owned())
    }

    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("no such file".to_owned())
    }
}

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The same for all paths to one file: its canonical path.
    pub key: String,
    /// As the user knows it.
    pub name: String,
}

/// A file whose imports are being followed.
struct Open {
    key: Option<String>,
    file: File,
    imports: Vec<Import>,
    /// Number of imports done.
    done: usize,
    /// The span that imports it.
    from: Option<Span>,
}

/// The state of loading one input.
struct Load<'a> {
    sources: &'a mut SourceMap,
    loader: &'a mut dyn Loader,
    loaded: &'a mut HashMap<String, FileId>,
    kind: SessionKind,
    care: Care,
    errors: Vec<Diagnostic>,
    stack: Vec<Open>,
}

/// The treatment of files with errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// They are not looked at further.
    Whole,
    /// The understood part of them is taken.
    Understood,
}

/// Loads `input` and everything that it imports and that is not in `loaded` yet.
pub(super) fn load(
    input: &Input<'_>,
    sources: &mut SourceMap,
    loader: &mut dyn Loader,
    loaded: &mut HashMap<String, FileId>,
    kind: SessionKind,
) -> Result<Vec<File>, Vec<Diagnostic>> {
    let load = Load { sources, loader, loaded, kind, care: Care::Whole, errors: Vec::new(), stack: Vec::new() };
    let (files, errors) = load.run(input);
    if errors.is_empty() { Ok(files) } else { Err(limit(errors)) }
}

/// Loads as [`load`] does, and takes what was understood of files with errors.
pub(super) fn load_understood(
    input: &Input<'_>,
    sources: &mut SourceMap,
    loader: &mut dyn Loader,
    loaded: &mut HashMap<String, FileId>,
    kind: SessionKind,
) -> (Vec<File>, Vec<Diagnostic>) {
    let load = Load { sources, loader, loaded, kind, care: Care::Understood, errors: Vec::new(), stack: Vec::new() };
    let (files, errors) = load.run(input);
    (files, limit(errors))
}

impl Load<'_> {
    /// Follows all imports. Returns the files in the order in which they run, and the errors.
    fn run(mut self, input: &Input<'_>) -> (Vec<File>, Vec<Diagnostic>) {
        self.open(input.key.map(str::to_owned), input.name, input.bytes, Role::Root, None);
        let mut files = Vec::new();
        while let Some(top) = self.stack.last_mut() {
            match top.imports.get(top.done).cloned() {
                Some(import) => {
                    top.done += 1;
                    self.follow(&import);
                }
                None => files.extend(self.stack.pop().map(|open| open.file)),
            }
        }
        (files, self.errors)
    }

    /// Parses a file and puts it on the stack.
    fn open(&mut self, key: Option<String>, name: &str, bytes: &[u8], role: Role, from: Option<Span>) {
        let file = match self.sources.add_bytes(name, bytes) {
            Ok(file) => file,
            Err(error) => return self.errors.push(error),
        };
        let (mut program, mut errors, places) = parse_broken(self.sources, file);
        if self.kind == SessionKind::Repl && role == Role::Root {
            // There it is the last answer.
            errors.retain(|error| error.kind != DiagnosticKind::Syntax(SyntaxError::WildcardAsValue));
        }
        errors.retain(Diagnostic::is_error);
        let is_taken = errors.is_empty() || self.care == Care::Understood;
        if self.care == Care::Understood {
            prune(&mut program, &places);
        }
        self.errors.extend(errors);
        if let Some(key) = &key {
            self.loaded.insert(key.clone(), file);
        }
        let imports = match is_taken {
            true => program.body.iter().filter_map(import_of).cloned().collect(),
            false => Vec::new(),
        };
        self.stack.push(Open { key, file: File { program, role, imports: Vec::new() }, imports, done: 0, from });
    }

    /// Opens the file that `import`, in the file on top of the stack, names, unless it was loaded before.
    fn follow(&mut self, import: &Import) {
        let importer = self.stack.last().and_then(|open| open.key.as_deref());
        let resolved = match self.loader.resolve(importer, &import.path) {
            Ok(resolved) => resolved,
            Err(reason) => return self.refuse(import, reason),
        };
        if let Some(at) = self.stack.iter().position(|open| open.key.as_ref() == Some(&resolved.key)) {
            let mut error = Diagnostic::error(CheckError::ImportCycle(import.path.clone()), import.path_span);
            for from in self.stack[at + 1..].iter().filter_map(|open| open.from) {
                error = error.with_label(from, "through this import");
            }
            return self.errors.push(error);
        }
        let importer = self.stack.len() - 1;
        if !self.loaded.contains_key(&resolved.key) {
            match self.loader.read(&resolved.key) {
                Ok(bytes) => {
                    let (key, from) = (Some(resolved.key.clone()), Some(import.path_span));
                    self.open(key, &resolved.name, &bytes, Role::Imported, from);
                }
                Err(reason) => return self.refuse(import, reason),
            }
        }
        // A text that is no source is not among them.
        if let Some(&file) = self.loaded.get(&resolved.key) {
            self.stack[importer].file.imports.push((import.alias.clone(), file));
        }
    }

    fn refuse(&mut self, import: &Import, reason: String) {
        let error = CheckError::CannotImport { path: import.path.clone(), reason };
        self.errors.push(Diagnostic::error(error, import.path_span));
    }
}

fn import_of(part: &TopLevel) -> Option<&Import> {
    match part {
        TopLevel::Item(Item::Import(import)) => Some(import),
        TopLevel::Item(Item::Fn(_) | Item::Struct(_) | Item::Enum(_) | Item::Const(_)) | TopLevel::Stmt(_) => None,
    }
}

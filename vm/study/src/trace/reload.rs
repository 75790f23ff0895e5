//! The program of a recorded run, loaded from the sources that the recording keeps.
//!
//! In: the program of a recording. Out: an engine with the same functions and blocks, which gives the inputs of the recorded run again.
//! Invariant: nothing is read from the file system; a program that would be another one is refused.

use holloway::{Config, Engine, TierChoice};
use holloway_lang::ir::Module;
use holloway_lang::session::{Input, Loader, Resolved};
use holloway_profiler::wpp::{Program, SourceText};
use holloway_runtime::{Answers, Sink, Tape};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Why a recorded program cannot be loaded.
#[derive(Debug)]
pub enum ReloadError {
    /// The recording has no sources, or none that compile: another version of the language recorded it.
    Sources,
    /// The sources make other functions or blocks: another version of the compiler recorded it.
    OtherProgram,
    /// The answers of the world outside to the run cannot be read.
    Inputs,
    /// There is no memory for it.
    Memory(std::io::Error),
}

impl fmt::Display for ReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReloadError::Sources => write!(
                f,
                "its sources do not compile; record the run again with this version (values of modules are not followed)"
            ),
            ReloadError::OtherProgram => {
                write!(f, "its program has other blocks in this version of holloway; record the run again")
            }
            ReloadError::Inputs => write!(f, "the inputs of the run are damaged"),
            ReloadError::Memory(error) => write!(f, "no memory for the program: {error}"),
        }
    }
}

impl std::error::Error for ReloadError {}

/// Loads the program of a recording.
pub fn reload(program: &Program) -> Result<Engine, ReloadError> {
    let root = program.sources.first().ok_or(ReloadError::Sources)?;
    let args = program.arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
    let output = Sink::Callback(Box::new(|_| {}));
    let config = Config { tier: TierChoice::Interp, args, output, ..Config::default() };
    let files = Box::new(RecordedFiles(program.sources.clone()));
    let mut engine = Engine::with_files(config, files).map_err(ReloadError::Memory)?;
    let input = Input { name: &root.name, key: Some(&root.name), bytes: root.text.as_bytes() };
    engine.add(input).map_err(|_| ReloadError::Sources)?;
    if !is_same(program, engine.module()) {
        return Err(ReloadError::OtherProgram);
    }
    let answers: Answers = match program.inputs.as_slice() {
        [] => Answers::default(),
        bytes => serde_json::from_slice(bytes).map_err(|_| ReloadError::Inputs)?,
    };
    engine.executor_mut().runtime_mut().tape = Tape::playing(answers);
    Ok(engine)
}

/// Returns whether names and blocks are the same.
fn is_same(program: &Program, module: &Module) -> bool {
    let bodies = || module.funcs.values().map(|decl| &decl.body);
    program.functions.len() == module.funcs.len()
        && bodies()
            .zip(&program.functions)
            .all(|(body, shape)| body.name == shape.name && body.blocks.len() == shape.blocks.len())
}

/// Sources by their names.
struct RecordedFiles(Vec<SourceText>);

impl RecordedFiles {
    fn find(&self, path: &Path) -> Option<&SourceText> {
        let path = plain(path);
        // A name may be relative to the folder where the run was recorded, or absolute.
        let exact = self.0.iter().find(|source| plain(Path::new(&source.name)) == path);
        exact.or_else(|| self.0.iter().find(|source| plain(Path::new(&source.name)).ends_with(&path)))
    }
}

impl Loader for RecordedFiles {
    fn resolve(&mut self, importer: Option<&str>, path: &str) -> Result<Resolved, String> {
        let folder = importer.and_then(|key| Path::new(key).parent()).unwrap_or(Path::new(""));
        let found = self.find(&folder.join(path)).or_else(|| self.find(Path::new(path)));
        let found = found.ok_or_else(|| "it was not recorded".to_owned())?;
        Ok(Resolved { key: found.name.clone(), name: found.name.clone() })
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        let found = self.0.iter().find(|source| source.name == key);
        found.map(|source| source.text.clone().into_bytes()).ok_or_else(|| "it was not recorded".to_owned())
    }
}

/// A path without `.` and, where that is possible, without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_among_the_sources() {
        let source = |name: &str| SourceText { name: name.to_owned(), text: String::new() };
        let mut files = RecordedFiles(vec![source("app/main.hw"), source("lib/a.hw"), source("/elsewhere/b.hw")]);
        let mut found = |importer: &str, path: &str| files.resolve(Some(importer), path).map(|found| found.name).ok();
        assert_eq!(found("app/main.hw", "../lib/a.hw").as_deref(), Some("lib/a.hw"));
        assert_eq!(found("lib/a.hw", "./../lib/./a.hw").as_deref(), Some("lib/a.hw"));
        assert_eq!(found("/elsewhere/b.hw", "b.hw").as_deref(), Some("/elsewhere/b.hw"));
        assert_eq!(found("app/main.hw", "c.hw"), None);
    }
}

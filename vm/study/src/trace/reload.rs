//! The program of a recorded run, loaded from the sources that the recording keeps, or from the module.
//!
//! In: the program of a recording. Out: the same functions and blocks, and the run, which gives the inputs of the recorded one again and makes its calls.
//! Invariant: nothing is read from the file system; a program that would be another one is refused.

use super::execution::{Rerun, RootCall};
use super::facts::place::SourceProgram;
use holloway::internals::Variables;
use holloway::{Config, Engine, LoadError, TierChoice};
use holloway_lang::ir::Module;
use holloway_lang::session::{Input, Loader, Resolved};
use holloway_lang::source::SourceMap;
use holloway_profiler::wpp::{Program, RecordedModule, SourceText};
use holloway_runtime::{Answers, Sink, Tape};
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Why a recorded program cannot be loaded.
#[derive(Debug)]
pub enum ReloadError {
    /// The recording has no sources, or none that compile: another version of the language recorded it.
    Sources,
    /// The module cannot be loaded: another version recorded it, or its bytes are damaged.
    Module(LoadError),
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
                "its sources do not compile; record the run again with this version (earlier versions kept no bytes of modules)"
            ),
            ReloadError::Module(error) => write!(f, "its module cannot be loaded: {error}; record the run again"),
            ReloadError::OtherProgram => {
                write!(f, "its program has other blocks in this version of holloway; record the run again")
            }
            ReloadError::Inputs => write!(f, "the inputs of the run are damaged"),
            ReloadError::Memory(error) => write!(f, "no memory for the program: {error}"),
        }
    }
}

impl std::error::Error for ReloadError {}

/// A recorded run that is loaded.
pub struct Reloaded {
    /// The program.
    pub program: ReloadedProgram,
    /// The run.
    pub run: ReloadedRun,
}

/// The program of a recorded run. It stays as it is while the run is executed again.
pub struct ReloadedProgram {
    module: Arc<Module>,
    sources: SourceMap,
    /// The variables that debug information names, of a module.
    variables: Option<Variables>,
}

/// A recorded run, to be executed again.
pub struct ReloadedRun {
    engine: Engine,
    /// The calls that the run was, where the program does not tell them.
    calls: Option<Vec<RootCall>>,
}

impl ReloadedProgram {
    /// The program, for those who ask.
    pub fn sourced(&self) -> SourceProgram<'_> {
        SourceProgram { module: &self.module, sources: &self.sources, variables: self.variables.as_ref() }
    }
}

impl ReloadedRun {
    /// The run from its beginning.
    pub fn rerun(&mut self) -> Rerun<'_> {
        Rerun::new(self.engine.executor_mut().runtime_mut(), self.calls.as_deref())
    }
}

/// Loads the program of a recording.
pub fn reload(program: &Program) -> Result<Reloaded, ReloadError> {
    let root = program.sources.first().ok_or(ReloadError::Sources)?;
    let args = program.arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
    let output = Sink::Callback(Box::new(|_| {}));
    let config = Config { tier: TierChoice::Interp, args, output, ..Config::default() };
    let mut engine = match &program.module {
        Some(module) => load_module(program, module, &root.name, config)?,
        None => {
            let files = Box::new(RecordedFiles(program.sources.clone()));
            let mut engine = Engine::with_files(config, files).map_err(ReloadError::Memory)?;
            let input = Input { name: &root.name, key: Some(&root.name), bytes: root.text.as_bytes() };
            engine.add(input).map_err(|_| ReloadError::Sources)?;
            engine
        }
    };
    if !is_same(program, &engine) {
        return Err(ReloadError::OtherProgram);
    }
    let answers: Answers = match program.inputs.as_slice() {
        [] => Answers::default(),
        bytes => serde_json::from_slice(bytes).map_err(|_| ReloadError::Inputs)?,
    };
    engine.executor_mut().runtime_mut().tape = Tape::playing(answers);
    let calls = engine.export_call().map(|call| calls_of(&engine, call.ok()));
    let program = ReloadedProgram {
        module: Arc::clone(engine.module()),
        sources: engine.sources().clone(),
        variables: program.module.as_ref().map(|module| Variables::of(&module.bytes)),
    };
    Ok(Reloaded { program, run: ReloadedRun { engine, calls } })
}

/// Loads a module, with the texts of its source files that were recorded.
fn load_module(
    program: &Program,
    module: &RecordedModule,
    name: &str,
    mut config: Config,
) -> Result<Engine, ReloadError> {
    config.heap.limit = usize::try_from(module.room).unwrap_or(usize::MAX);
    config.wasm.invoke.clone_from(&module.export);
    config.wasm.environment.clone_from(&module.environment);
    let mut engine = Engine::new(config).map_err(ReloadError::Memory)?;
    // The first source is made of the module itself; the others are asked for in their order.
    let mut texts = program.sources.iter().skip(1).peekable();
    let mut read =
        |path: &str| texts.next_if(|source| Path::new(path).ends_with(&source.name)).map(|it| it.text.clone());
    let input = Input { name, key: None, bytes: &module.bytes };
    engine.load_module_with(&input, &mut read).map_err(ReloadError::Module)?;
    Ok(engine)
}

/// The calls of a run that calls an export; none if it was refused.
fn calls_of(engine: &Engine, export: Option<RootCall>) -> Vec<RootCall> {
    let Some(export) = export else { return Vec::new() };
    let before = engine.module().top_level.iter().map(|func| (*func, Vec::new()));
    before.chain([export]).collect()
}

/// Returns whether the names of sources, and names and blocks of functions, are the same.
fn is_same(program: &Program, engine: &Engine) -> bool {
    let module = engine.module();
    let mut files = engine.sources().files().map(|(_, file)| &file.name);
    let is_module = program.module.is_some();
    let has_its_files = !is_module || program.sources.iter().map(|source| &source.name).eq(&mut files);
    let bodies = || module.funcs.values().map(|decl| &decl.body);
    has_its_files
        && program.functions.len() == module.funcs.len()
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

    fn module(bytes: &[u8]) -> Program {
        let source = SourceText { name: "a.wat".to_owned(), text: "func f ;; at 0x16\n".to_owned() };
        let module = RecordedModule { bytes: bytes.to_vec(), export: None, room: 1 << 20, environment: Vec::new() };
        Program { sources: vec![source], module: Some(module), ..Program::default() }
    }

    #[test]
    fn what_is_no_module_any_more_is_refused() {
        let refused = |program: &Program| match reload(program) {
            Ok(_) => panic!("it is not the recorded one"),
            Err(error) => error.to_string(),
        };
        let damaged = refused(&module(b"\0asm\x01\0\0\0\x01"));
        assert!(damaged.starts_with("its module cannot be loaded: a.wat: invalid module"), "{damaged}");
        // It has other functions, and other sources.
        assert!(matches!(reload(&module(b"(module (func $f))")).err(), Some(ReloadError::OtherProgram)));
        // Recordings of earlier versions have the list of functions for a source.
        let older = Program { module: None, ..module(b"") };
        assert!(refused(&older).starts_with("its sources do not compile; record the run again with this version"));
    }
}

//! The embedding API: a program, its executor, and calls into it.
//!
//! In: a [`Config`], sources, values. Out: diagnostics, results, failures: all as data. The pipeline of an input:
//! `lang::session` -> module -> runtime and code -> its top-level statements -> calls. Invariant: a call never reaches
//! a global that was not initialised: definitions that a failing top-level statement left undefined are withdrawn.

use crate::config::Config;
use crate::counted::Counted;
use crate::error::{CallError, LoadError, RunError};
use crate::executor::Executor;
use crate::files::{Files, ProgramFile};
use crate::function_edges::{self, FunctionEdges};
use crate::looked_up::LookedUp;
use crate::module_error::ModuleError;
use crate::no_imports::NoImports;
use crate::paths::{self, PathProfile};
use crate::types::{HostTypes, OpaqueTypes};
use crate::value::{self, Value};
use hashbrown::HashSet;
use holloway_aos::{Event, Session as AdaptiveSession};
use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::ir::{Block, EntryPoint, FuncRef, Global, Module, TypeRef};
use holloway_lang::session::{Added, Definition, Input, Loader, Session, SessionKind};
use holloway_lang::source::SourceMap;
use holloway_profiler::scheme::Scheme;
use holloway_runtime::failure::{Failure, Unwind};
use holloway_runtime::{InterruptHandle, Limits, Runtime, RuntimeConfig};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A program that can be loaded, run and called.
pub struct Engine {
    pub(crate) session: Session,
    pub(crate) files: Box<dyn Loader + Send>,
    /// The source of what programs from memory import.
    pub(crate) memory_files: MemoryFiles,
    /// The names of programs that were loaded.
    pub(crate) loaded: HashSet<String>,
    pub(crate) executor: Executor,
    pub(crate) limits: Limits,
    /// Top-level functions that were loaded and not run yet, with the additions they belong to.
    pub(crate) pending: Vec<Added>,
    pub(crate) main: Option<EntryPoint>,
    /// The number of the engine, which no other has.
    pub(crate) id: u64,
    /// Types of the host that programs know by name.
    pub(crate) opaque_types: OpaqueTypes,
    /// Structs and enums of the host that were declared.
    pub(crate) host_types: HostTypes,
    /// The functions that the host has looked up.
    pub(crate) looked_up: LookedUp,
    /// The module of WebAssembly that the program is, and what it may ask of its host.
    #[cfg(feature = "wasm")]
    pub(crate) wasm: crate::module::WasmState,
}

/// The source of what programs from memory import.
pub(crate) enum MemoryFiles {
    /// There are no imports.
    None(NoImports),
    /// The same as for programs from files.
    Files,
    /// The host's part.
    Host(Box<dyn Loader + Send>),
}

static ENGINES: AtomicU64 = AtomicU64::new(0);

impl Engine {
    /// An engine without a program. Fails only if the system has no memory.
    pub fn new(config: Config) -> io::Result<Engine> {
        Engine::of_kind(SessionKind::Program, config)
    }

    /// An engine in which later definitions replace earlier ones, as in the REPL.
    pub fn interactive(config: Config) -> io::Result<Engine> {
        Engine::of_kind(SessionKind::Repl, config)
    }

    /// An engine whose imports are found in other places than the file system.
    #[doc(hidden)]
    pub fn with_files(config: Config, files: Box<dyn Loader + Send>) -> io::Result<Engine> {
        Ok(Engine { files, memory_files: MemoryFiles::Files, ..Engine::new(config)? })
    }

    fn of_kind(kind: SessionKind, mut config: Config) -> io::Result<Engine> {
        let session = Session::new(kind);
        let limits = config.limits;
        let (tier, passes) = (config.tier, config.passes.clone());
        let adaptive = config.adaptive.take().map(|adaptive| adaptive.0);
        #[cfg(feature = "wasm")]
        let wasm = crate::module::WasmState::new(std::mem::take(&mut config.wasm));
        let runtime = Runtime::new(Arc::clone(session.module()), RuntimeConfig::from(config))?;
        let mut executor = Executor::new(tier, runtime, limits, adaptive)?;
        if let Executor::Compiled(machine) = &mut executor {
            machine.code.passes = passes;
        }
        Ok(Engine {
            session,
            files: Box::new(Files),
            memory_files: match kind {
                SessionKind::Repl => MemoryFiles::Files,
                SessionKind::Program => MemoryFiles::None(NoImports),
            },
            loaded: HashSet::new(),
            executor,
            limits,
            pending: Vec::new(),
            main: None,
            id: ENGINES.fetch_add(1, Ordering::Relaxed),
            opaque_types: OpaqueTypes::new(),
            host_types: HostTypes::default(),
            looked_up: LookedUp::default(),
            #[cfg(feature = "wasm")]
            wasm,
        })
    }

    /// Adds a program from memory. On errors nothing changes.
    pub fn load(&mut self, name: &str, text: impl AsRef<[u8]>) -> Result<(), LoadError> {
        let input = Input { name, key: None, bytes: text.as_ref() };
        if self.is_module(&input) {
            return self.load_module(&input);
        }
        let (session, loader) = self.session_for_memory();
        let added = session.add(input, loader).map_err(LoadError::Diagnostics)?;
        self.loaded.insert(name.to_owned());
        self.take(added);
        Ok(())
    }

    /// Begins a run or a call, with its limits. Statements that did not run yet run first.
    #[inline]
    pub(crate) fn begin(&mut self) -> Result<(), RunError> {
        self.executor.runtime_mut().set_limits(self.limits);
        match self.pending.is_empty() {
            true => Ok(()),
            false => self.run_statements(),
        }
    }

    /// The program gets objects that it did not make, or functions by name.
    pub(crate) fn expect_values_from_elsewhere(&mut self) {
        self.executor.expect_values_from_elsewhere();
        self.session.expect_functions_of_host();
    }

    /// Has the executor, and the functions that were looked up, take the program as the session has it now.
    pub(crate) fn install_session(&mut self) {
        self.executor.install(Arc::clone(self.session.module()));
        self.executor.set_sources(self.session.sources());
        self.looked_up.refresh(&self.session);
    }

    /// The session, and the source of what programs from memory import.
    pub(crate) fn session_for_memory(&mut self) -> (&mut Session, &mut dyn Loader) {
        let loader: &mut dyn Loader = match &mut self.memory_files {
            MemoryFiles::None(none) => none,
            MemoryFiles::Files => &mut *self.files,
            MemoryFiles::Host(files) => &mut **files,
        };
        (&mut self.session, loader)
    }

    /// Takes what was added to the program. Returns the type of the value that it shows.
    pub(crate) fn take(&mut self, added: Added) -> Option<TypeRef> {
        self.install_session();
        let shown = added.shown;
        self.main = added.main.or(self.main);
        self.pending.push(added);
        shown
    }

    /// Adds a program from a file, with all its imports. On errors nothing changes.
    pub fn load_file(&mut self, path: impl AsRef<Path>) -> Result<(), LoadError> {
        let path = path.as_ref();
        let ProgramFile { name, key, bytes } =
            ProgramFile::read(path).map_err(|error| LoadError::Io(path.to_owned(), error))?;
        self.add(Input { name: &name, key: Some(&key), bytes: &bytes })?;
        self.loaded.insert(name);
        Ok(())
    }

    /// Adds an input. Returns the type of the value that it shows when it runs, in an interactive engine.
    pub fn add(&mut self, input: Input<'_>) -> Result<Option<TypeRef>, LoadError> {
        if self.is_module(&input) {
            return self.load_module(&input).map(|()| None);
        }
        let added = self.session.add(input, &mut *self.files).map_err(LoadError::Diagnostics)?;
        Ok(self.take(added))
    }

    /// Adds an input as [`Engine::add`] does, and keeps the value that it shows for later ones, as `ans` and `_`.
    #[doc(hidden)]
    pub fn add_keeping(&mut self, input: Input<'_>) -> Result<Option<TypeRef>, LoadError> {
        if self.is_module(&input) {
            return self.load_module(&input).map(|()| None);
        }
        let added = self.session.add_keeping(input, &mut *self.files).map_err(LoadError::Diagnostics)?;
        Ok(self.take(added))
    }

    /// Gives back the answers that no later input can use. What was added must have run.
    #[doc(hidden)]
    pub fn drop_former_answers(&mut self) {
        let globals = self.executor.runtime_mut().globals_mut();
        self.session.former_answers().for_each(|former| globals.set(former, 0));
    }

    /// The program's definitions, and their texts.
    #[doc(hidden)]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Checks an input without adding it. Returns the type of the bare expression at its end, if there is one.
    pub fn type_of(&mut self, input: Input<'_>) -> Result<Option<String>, Vec<Diagnostic>> {
        self.session.type_of(input, &mut *self.files)
    }

    /// Runs the top-level statements that did not run yet, then `main`, if there is one. Returns the exit status.
    pub fn run(&mut self) -> Result<i32, RunError> {
        #[cfg(feature = "wasm")]
        if let Some(name) = self.wasm.invoked() {
            return self.invoke(&name);
        }
        self.begin()?;
        let Some(main) = self.main.take() else { return Ok(0) };
        let args = if main.takes_args { vec![self.args_array()?] } else { Vec::new() };
        let result = self.executor.call(main.func, &args);
        self.executor.runtime_mut().unpin_all();
        match result {
            Ok(Some(word)) if main.returns_status => Ok(status(word as i64)),
            Ok(_) => Ok(0),
            Err(unwind) => ended(unwind),
        }
    }

    /// Runs the top-level statements that did not run yet. `exit` ends them with its status as the error.
    pub fn run_statements(&mut self) -> Result<(), RunError> {
        let mut pending = std::mem::take(&mut self.pending).into_iter();
        while let Some(added) = pending.next() {
            self.run_added(&added, pending.as_slice())?;
        }
        self.session.settle();
        Ok(())
    }

    /// Runs the top-level statements of one input; others were to run behind it. Returns what the last of its functions does.
    pub(crate) fn run_added(&mut self, added: &Added, behind: &[Added]) -> Result<Option<u64>, RunError> {
        let mut last = None;
        for func in &added.top_level {
            self.executor.runtime_mut().is_initialising = true;
            let result = self.executor.call(*func, &[]);
            self.executor.runtime_mut().is_initialising = false;
            match result {
                Ok(word) => last = word,
                Err(unwind) => {
                    self.forget(added, behind, &unwind);
                    return Err(unwind.into());
                }
            }
        }
        Ok(last)
    }

    /// Withdraws the definitions that depend on globals which were not initialised: some of an input that came to an end, and
    /// all of those that were to run behind it.
    fn forget(&mut self, added: &Added, behind: &[Added], unwind: &Unwind) {
        let mut lost: Vec<Global> = match unwind {
            Unwind::Failure(Failure { stack, .. }) => {
                let outermost = stack.last().expect("a failure has a place");
                added.uninitialised(outermost.function, outermost.at)
            }
            Unwind::Exit(_) => added.globals.iter().map(|new| new.global).collect(),
        };
        lost.extend(behind.iter().flat_map(|added| &added.globals).map(|new| new.global));
        self.session.forget(&lost);
        self.session.settle();
        self.main = None;
        #[cfg(feature = "wasm")]
        self.wasm.forget();
        self.install_session();
    }

    /// Calls a function by name. Statements that did not run yet run first.
    pub fn call(&mut self, name: &str, args: &[Value]) -> Result<Option<Value>, CallError> {
        self.begin().map_err(CallError::Run)?;
        let func = self.function_of_language(name)?;
        let module = Arc::clone(self.session.module());
        let sig = &module.sigs[module.funcs[func].sig];
        if sig.params.len() != args.len() {
            return Err(CallError::ArgumentCount { expected: sig.params.len(), found: args.len() });
        }
        if sig.params.iter().zip(args).any(|(ty, arg)| value::brings_objects(&module, *ty, arg)) {
            self.expect_values_from_elsewhere();
        }
        let (runtime, engine) = (self.executor.runtime_mut(), self.id);
        let words: Result<Vec<u64>, CallError> =
            sig.params.iter().zip(args).map(|(ty, arg)| value::to_word(runtime, engine, *ty, arg)).collect();
        let result =
            words.and_then(|words| self.executor.call(func, &words).map_err(|unwind| CallError::Run(unwind.into())));
        self.executor.runtime_mut().unpin_all();
        match (result?, sig.result) {
            (Some(word), Some(ty)) => value::of_word(self.executor.runtime(), ty, word).map(Some),
            _ => Ok(None),
        }
    }

    /// The function that a name means in the program now.
    pub fn function_named(&self, name: &str) -> Option<FuncRef> {
        self.session.function(name)
    }

    /// Refuses to add something to a module of WebAssembly.
    pub(crate) fn refuse_module(&self, name: &str) -> Result<(), LoadError> {
        match self.session.is_foreign() {
            true => Err(LoadError::Module(name.to_owned(), ModuleError::NotAlone)),
            false => Ok(()),
        }
    }

    /// The function of that name, where its types are those of the language.
    pub(crate) fn function_of_language(&self, name: &str) -> Result<FuncRef, CallError> {
        match self.function_named(name) {
            Some(_) if self.session.is_foreign() => Err(CallError::OfModule(name.to_owned())),
            Some(func) => Ok(func),
            None => Err(CallError::UnknownFunction(name.to_owned())),
        }
    }

    fn args_array(&mut self) -> Result<u64, RunError> {
        let runtime = self.executor.runtime_mut();
        holloway_runtime::builtins::io::args(runtime)
            .map(|array| {
                runtime.pin(array.word());
                array.word()
            })
            .map_err(|kind| RunError::Setup(kind.to_string()))
    }

    /// Returns whether a failure ends the process as `abort` does: that of a program of WebAssembly, but not of an export that was asked for.
    #[doc(hidden)]
    pub fn aborts_on_failure(&self) -> bool {
        #[cfg(feature = "wasm")]
        if self.wasm.invoked().is_some() {
            return false;
        }
        self.session.is_foreign()
    }

    /// A handle to stop the program from another thread or a signal handler.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.executor.runtime().interrupt_handle()
    }

    /// Takes the output so far, if output is captured.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.executor.runtime_mut().output.take_captured()
    }

    /// Every text that was loaded, for rendering diagnostics and failures.
    pub fn sources(&self) -> &SourceMap {
        self.session.sources()
    }

    /// The first and the last line of a block.
    #[doc(hidden)]
    pub fn lines_of(&self, func: FuncRef, block: Block) -> (u32, u32) {
        let span = self.module().function(func).blocks[block].span();
        let (first, _) = self.sources().line_col(span);
        let (last, _) = self.sources().line_col(span.at_end());
        (first, last)
    }

    /// The program in IR form.
    pub fn module(&self) -> &Arc<Module> {
        self.session.module()
    }

    /// Every top-level name, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.session.names()
    }

    /// The present meaning of a top-level name.
    pub fn definition(&self, name: &str) -> Option<Definition> {
        self.session.definition(name)
    }

    /// The present meaning of every top-level name, in the order of definition.
    pub fn definitions(&self) -> Vec<Definition> {
        self.session.definitions()
    }

    /// The executor of the program.
    #[doc(hidden)]
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The executor of the program.
    #[doc(hidden)]
    pub fn executor_mut(&mut self) -> &mut Executor {
        &mut self.executor
    }

    /// Counts by a scheme from now on, in place of any other.
    pub fn profile_by(&mut self, scheme: Scheme) {
        self.executor.profile(scheme);
    }

    /// The events of the adaptive system so far, if [`Adaptive::keeping_events`] keeps them.
    pub fn events(&self) -> &[Event] {
        self.executor.adaptive().map(AdaptiveSession::events).unwrap_or_default()
    }

    /// The profile by the scheme of [`Engine::profile_by`]; edges if there is none.
    pub fn profile(&mut self) -> Counted {
        match self.path_profile() {
            Some(profile) => Counted::Paths(profile),
            None => Counted::Edges(self.edge_profile()),
        }
    }

    /// The path profile of every function, if [`Engine::profile_by`] asked for one.
    pub fn path_profile(&mut self) -> Option<PathProfile> {
        paths::paths(self.session.module(), &mut self.executor)
    }

    /// The exact edge profile of every function that ran.
    pub fn edge_profile(&self) -> Vec<FunctionEdges> {
        function_edges::edges(self.session.module(), &self.executor)
    }
}

/// Returns whether an input is a module of WebAssembly, or the text of one.
#[doc(hidden)]
pub fn is_module(name: &str, bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm") || [".wat", ".wasm"].iter().any(|end| name.ends_with(end))
}

impl Engine {
    /// Returns whether an input is a module, or is to be added to one, which cannot be.
    fn is_module(&self, input: &Input<'_>) -> bool {
        is_module(input.name, input.bytes) || self.session.is_foreign()
    }
}

#[cfg(not(feature = "wasm"))]
impl Engine {
    fn load_module(&mut self, input: &Input<'_>) -> Result<(), LoadError> {
        Err(LoadError::Module(input.name.to_owned(), ModuleError::NotBuilt))
    }
}

/// The low 8 bits, as the system keeps them.
fn status(value: i64) -> i32 {
    (value & 0xff) as i32
}

fn ended(unwind: Unwind) -> Result<i32, RunError> {
    match unwind {
        Unwind::Exit(value) => Ok(status(value)),
        Unwind::Failure(failure) => Err(RunError::Failure(failure)),
    }
}

impl From<Unwind> for RunError {
    fn from(unwind: Unwind) -> RunError {
        match unwind {
            Unwind::Exit(value) => RunError::Exit(status(value)),
            Unwind::Failure(failure) => RunError::Failure(failure),
        }
    }
}

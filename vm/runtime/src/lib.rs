//! The runtime: everything a running program needs besides its code, shared by all tiers. It knows neither tiers nor the code generator.
//!
//! In: a module, and a configuration of input, output and limits. Out: a value that interpreter and compiled code are
//! given as `&mut Runtime`.
//! Invariants: the context, the globals and string constants have addresses that never change, so compiled code may
//! hold them. [`Runtime::install`] only adds: ids of an installed module mean the same in every later one.

mod alloc;
pub mod builtins;
pub mod context;
pub mod cpu_time;
pub mod failure;
mod fences;
pub mod files;
mod func_value;
pub mod globals;
pub mod heap;
pub mod host;
pub mod host_values;
mod hosts;
pub mod input;
pub mod limits;
pub mod linear;
pub mod output;
pub mod rng;
mod rooted;
pub mod stdin;
pub mod stop;
pub mod tape;
pub mod timer;

#[cfg(test)]
mod tests;

pub use context::{ContextBox, InterruptHandle, flag};
pub use files::FileAccess;
pub use func_value::{func_of_word, func_word};
pub use input::{Input, SharedStdin};
pub use limits::Limits;
pub use output::{ErrorSink, Output, Sink};
pub use rooted::Root;
pub use stop::Stop;
pub use tape::{Answer, Answers, Tape};

use crate::failure::FailureKind;
use crate::files::{Asked, FileLimits};
use crate::heap::{Heap, HeapConfig, Layout, PermanentStr};
use cranelift_entity::PrimaryMap;
use globals::Globals;
use holloway_ir::{Module, StrRef};
use host_values::HostValues;
use hosts::Hosts;
use linear::Instance;
use rng::Rng;
use rooted::RootList;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{env, io};
use timer::Timer;

/// Configuration of a runtime.
pub struct RuntimeConfig {
    /// The heap's limits.
    pub heap: HeapConfig,
    /// The sink of the program's output.
    pub sink: Sink,
    /// The most bytes of output that are captured, where they are; `None` means as many as the heap may have.
    pub most_captured: Option<usize>,
    /// The sink of what it writes to standard error.
    pub errors: ErrorSink,
    /// The source that `input()` reads.
    pub input: Input,
    /// The result of `args()`.
    pub args: Vec<Vec<u8>>,
    /// Limits of the first run.
    pub limits: Limits,
    /// Says if the program may use files.
    pub files: FileAccess,
}

impl Default for RuntimeConfig {
    fn default() -> Self {
        RuntimeConfig {
            heap: HeapConfig::default(),
            sink: Sink::Stdout,
            most_captured: None,
            errors: ErrorSink::Stderr,
            input: Input::Stdin,
            args: Vec::new(),
            limits: Limits::default(),
            files: FileAccess::default(),
        }
    }
}

/// The state of one program.
pub struct Runtime {
    module: Arc<Module>,
    heap: Heap,
    context: ContextBox,
    globals: Globals,
    constants: PrimaryMap<StrRef, PermanentStr>,
    out_of_memory: PermanentStr,
    /// Bytes of the object for which there was no room last.
    refused: Option<usize>,
    /// The words of the interpreter's frames, outermost first.
    pub registers: Vec<u64>,
    pins: Vec<u64>,
    roots: RootList,
    /// Modules installed so far.
    generation: u64,
    /// The functions of the host.
    pub hosts: Hosts<Runtime>,
    /// True while top-level statements run, so that globals may have no value yet.
    pub is_initialising: bool,
    /// Values of the host that the program has.
    pub host_values: HostValues,
    /// Memory and tables, of a module of WebAssembly.
    linear: Option<Box<Instance>>,
    stack_base: Option<usize>,
    /// The program's output.
    pub output: Output,
    /// The sink of what the program writes to standard error.
    pub errors: ErrorSink,
    /// The program's input.
    pub input: Input,
    /// The result of `args()`.
    pub args: Vec<Vec<u8>>,
    /// Says if the program may use files.
    pub files: FileAccess,
    /// The generator that `random()` draws from.
    pub rng: Rng,
    /// The answers of the world outside, kept or given again.
    pub tape: Tape,
    started: Instant,
    timer: Timer,
}

impl Runtime {
    /// A runtime for a module. Fails if the system has no address space.
    pub fn new(module: Arc<Module>, config: RuntimeConfig) -> io::Result<Runtime> {
        let context = ContextBox::new()?;
        let timer = Timer::new(context.interrupt_handle());
        let mut runtime = Runtime {
            module: Arc::new(Module::default()),
            heap: Heap::new(config.heap)?,
            context,
            globals: Globals::new()?,
            constants: PrimaryMap::new(),
            out_of_memory: PermanentStr::new(&FailureKind::OutOfMemory.message()),
            refused: None,
            registers: Vec::new(),
            pins: Vec::new(),
            roots: RootList::default(),
            generation: 0,
            hosts: Hosts::default(),
            is_initialising: false,
            host_values: HostValues::default(),
            linear: None,
            stack_base: None,
            output: Output::new(config.sink, config.most_captured.unwrap_or(config.heap.limit)),
            errors: config.errors,
            input: config.input,
            args: config.args,
            files: config.files,
            rng: Rng::seeded(0),
            tape: Tape::Off,
            started: Instant::now(),
            timer,
        };
        runtime.output.stop_on_error(runtime.interrupt_handle());
        runtime.install(module);
        runtime.set_limits(config.limits);
        Ok(runtime)
    }

    /// Takes a module that extends the present one: adds its new records, constants and globals.
    pub fn install(&mut self, module: Arc<Module>) {
        for record in module.records.keys().skip(self.heap.layouts().len()) {
            let fields = 0..module.records[record].fields.len() as u32;
            self.heap.add_layout(Layout::of(fields.map(|field| module.field_elem(record, field))));
        }
        for bytes in module.strings.values().skip(self.constants.len()) {
            self.constants.push(PermanentStr::new(bytes));
        }
        self.globals.grow(module.globals.len());
        self.module = module;
        self.generation += 1;
    }

    /// Makes memory and tables for the module, if it is one of WebAssembly. Fails if there is no room for them.
    pub fn instantiate(&mut self) -> io::Result<()> {
        if let Some(linear) = &self.module.linear {
            self.linear = Some(Box::new(Instance::new(&self.module, linear, self.heap.limit())?));
            self.note_memory_size();
        }
        Ok(())
    }

    /// Tells compiled code how large the linear memory is now.
    pub(crate) fn note_memory_size(&mut self) {
        let size = self.linear_mut().memory.bytes().len() as u64;
        self.context.set_memory_size(size);
    }

    /// Memory and tables, of a module of WebAssembly.
    pub fn linear(&self) -> Option<&Instance> {
        self.linear.as_deref()
    }

    /// Memory and tables, to change.
    ///
    /// # Panics
    /// If the program is no module of WebAssembly.
    #[inline]
    pub fn linear_mut(&mut self) -> &mut Instance {
        self.linear.as_deref_mut().expect("the module has memory and tables")
    }

    /// The number of modules installed so far.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Bytes of the object for which there was no room last, if that is known.
    pub fn refused(&self) -> Option<usize> {
        self.refused
    }

    /// The greatest number of bytes of the heap.
    pub fn heap_limit(&self) -> usize {
        self.heap.limit()
    }

    /// The program.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// The state shared with compiled code.
    pub fn context(&self) -> &ContextBox {
        &self.context
    }

    /// The state shared with compiled code, to change.
    pub fn context_mut(&mut self) -> &mut ContextBox {
        &mut self.context
    }

    /// The globals.
    pub fn globals(&self) -> &Globals {
        &self.globals
    }

    /// The globals, to change.
    pub fn globals_mut(&mut self) -> &mut Globals {
        &mut self.globals
    }

    /// The program, its output, and whether it is to stop, for printing values.
    pub(crate) fn printing(&mut self) -> (&Module, &mut Output, Stop<'_>) {
        (&self.module, &mut self.output, Stop { context: &self.context, timer: &self.timer })
    }

    /// The program, and whether it is to stop, for looking at values.
    pub(crate) fn looking(&self) -> (&Module, Stop<'_>) {
        (&self.module, Stop { context: &self.context, timer: &self.timer })
    }

    /// Seconds since the runtime was made.
    pub fn clock(&mut self) -> f64 {
        self.tape.time(|| self.started.elapsed().as_secs_f64())
    }

    /// The next line of the input; `None` at the end.
    pub fn read_line(&mut self) -> Result<Option<Vec<u8>>, FailureKind> {
        let stop = Stop { context: &self.context, timer: &self.timer };
        self.tape.line(|| self.input.read_line(self.heap.limit(), &mut || stop.requested()))
    }

    /// The bytes that come next of the input, so many at most unless it comes by lines; `None` at the end.
    pub fn read_some(&mut self, most: usize) -> Result<Option<Vec<u8>>, FailureKind> {
        let stop = Stop { context: &self.context, timer: &self.timer };
        self.tape.line(|| self.input.read_some(most, self.heap.limit(), &mut || stop.requested()))
    }

    /// Returns whether somebody sees the output on a terminal; the answer is on the tape.
    pub fn is_on_terminal(&mut self) -> bool {
        match self.tape.other(|| Ok::<_, FailureKind>(Answer::Is(self.output.is_terminal()))) {
            Ok(Some(Answer::Is(is_terminal))) => is_terminal,
            Ok(_) | Err(_) => false,
        }
    }

    /// Asks the world outside by what is in the linear memory; the answer is on the tape. There are no bytes behind the end of one that is played.
    pub fn ask_by_memory(&mut self, ask: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let memory = self.linear.as_deref().map_or(&[][..], |linear| linear.memory.bytes());
        match self.tape.other(|| Ok::<_, FailureKind>(Answer::Bytes(ask(memory)))) {
            Ok(Some(Answer::Bytes(bytes))) => bytes,
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// The rest of the input.
    pub fn read_rest(&mut self) -> Result<Vec<u8>, FailureKind> {
        let stop = Stop { context: &self.context, timer: &self.timer };
        let rest = || self.input.read_rest(self.heap.limit(), &mut || stop.requested()).map(Answer::Bytes);
        match self.tape.other(rest)? {
            Some(Answer::Bytes(bytes)) => Ok(bytes),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    /// Seconds since 1970.
    pub fn time(&mut self) -> f64 {
        let since = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        match self.tape.other(|| Ok::<_, FailureKind>(Answer::Time(since().as_secs_f64()))) {
            Ok(Some(Answer::Time(seconds))) => seconds,
            Ok(_) | Err(_) => 0.0,
        }
    }

    /// A variable of the environment.
    pub fn env(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let value = || env::var_os(OsStr::from_bytes(name)).map(OsString::into_vec);
        match self.tape.other(|| Ok::<_, FailureKind>(Answer::Maybe(value()))) {
            Ok(Some(Answer::Maybe(value))) => value,
            Ok(_) | Err(_) => None,
        }
    }

    /// Asks a file, if the program may; what it says is on the tape. None if a tape that is played has no more.
    pub(crate) fn ask_file(
        &mut self,
        ask: impl FnOnce(&FileLimits<'_>) -> Asked,
    ) -> Result<Option<Answer>, FailureKind> {
        let stop = Stop { context: &self.context, timer: &self.timer };
        let limits = FileLimits { bytes: self.heap.limit(), stop, access: self.files };
        self.tape.other(|| match limits.access {
            FileAccess::Refused => Ok(Answer::Refused),
            FileAccess::Allowed | FileAccess::Unchanged => ask(&limits),
        })
    }

    /// A handle to stop the program with.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.context.interrupt_handle()
    }

    /// Resets fuel and time, and discards an interrupt or deadline not yet noticed.
    #[inline]
    pub fn set_limits(&mut self, limits: Limits) {
        self.context.take_flags(flag::INTERRUPT | flag::DEADLINE);
        let fuel = limits.fuel.map_or(i64::MAX, |fuel| i64::try_from(fuel).unwrap_or(i64::MAX));
        self.context.set_fuel(fuel);
        self.timer.begin_run(limits.time);
    }

    /// The poll of function entries and back edges: spends fuel, then checks flags.
    #[inline]
    pub fn poll(&mut self) -> Result<(), FailureKind> {
        if !self.context.spend() {
            return Err(FailureKind::FuelExhausted);
        }
        if self.context.flags() == 0 { Ok(()) } else { self.stop_requested() }
    }

    /// Takes the flags that stop the program; leaves those of the adaptive system.
    #[cold]
    pub fn stop_requested(&mut self) -> Result<(), FailureKind> {
        Stop { context: &self.context, timer: &self.timer }.requested()
    }

    /// The timer of the program's runs.
    pub fn timer(&self) -> &Timer {
        &self.timer
    }

    /// Sets the message that `catch` binds. If there is no memory for it, the out-of-memory message takes its place.
    pub fn set_caught(&mut self, kind: &FailureKind) {
        let message = match kind {
            FailureKind::OutOfMemory => Err(FailureKind::OutOfMemory),
            other => self.new_str(&other.message(), &[]),
        };
        self.context.set_caught(message.unwrap_or_else(|_| self.out_of_memory_message()).word());
    }
}

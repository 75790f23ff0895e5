//! From a configuration to an engine with a program in it: shared by `run`, `dump`, `profile` and the REPL.
//!
//! In: resolved configuration. Out: an [`Engine`] ready to run, or the exit status after the reason was reported.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use holloway_jit::opt::pipeline::Options;
use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::ir::Module;
use holloway_lang::session::Input;

use super::ctrl_c::{self, Stop};
use super::input::{self, Text};
use super::{Exit, refuse};
use crate::config::{ExecutionConfig, Source};
use holloway::LoadError;
use holloway::internals::Files;
use holloway::whole_file;
use holloway::{Config, Engine, RunError};
use holloway_runtime::failure::{Failure, FailureKind};
use holloway_runtime::heap::HeapConfig;
use holloway_runtime::{Limits, Runtime, Sink};
use holloway_study::report::style::MessageConfig;
use holloway_study::report::text::{function_name, grouped};
use holloway_study::report::{diagnostics, failure};
use holloway_study::trace::LoadFacts;
use holloway_study::trace::facts::place::SourceProgram;

/// The configuration of an engine, by the command line.
pub fn engine(execution: &ExecutionConfig, args: &[OsString], output: Sink) -> Result<Config, Exit> {
    let heap_limit =
        execution.limits.heap.map_or(HeapConfig::default().limit, |limit: NonZeroU64| limit.get() as usize);
    Ok(Config {
        tier: execution.tier,
        passes: Options { disabled: execution.disabled_passes.clone(), ..Options::default() },
        heap: HeapConfig { limit: heap_limit, ..HeapConfig::default() },
        limits: Limits { fuel: execution.limits.fuel, time: execution.limits.time },
        output,
        files: execution.files,
        wasm: execution.wasm.clone(),
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        ..Config::default()
    })
}

/// Makes an engine; `Engine::new` or `Engine::interactive`.
pub fn start(config: Config, make: fn(Config) -> io::Result<Engine>) -> Result<Engine, Exit> {
    make(config).map_err(|error| match error.kind() {
        io::ErrorKind::Unsupported => refuse(&error, Exit::Failure),
        _ => refuse(&format_args!("no memory for the program: {error}"), Exit::Failure),
    })
}

/// Reads a program.
pub fn read(source: &Source) -> Result<Text, Exit> {
    input::read(source).map_err(|error| refuse(&error, Exit::NoInput))
}

/// Reads a program and adds it to an engine.
pub fn load(engine: &mut Engine, source: &Source, messages: MessageConfig) -> Result<(), Exit> {
    add(engine, source, &read(source)?, messages)
}

/// Adds a program that was read to an engine.
pub fn add(engine: &mut Engine, source: &Source, text: &Text, messages: MessageConfig) -> Result<(), Exit> {
    let key = key(source);
    let input = Input { name: &text.name, key: key.as_deref(), bytes: &text.bytes };
    match engine.add(input) {
        Ok(_) => Ok(()),
        Err(LoadError::Io(path, error)) => {
            Err(refuse(&format_args!("cannot read {}: {error}", path.display()), Exit::NoInput))
        }
        Err(LoadError::Diagnostics(all)) => Err(does_not_compile(engine, &all, messages)),
        Err(error @ LoadError::Module(..)) => Err(refuse(&error, Exit::DoesNotCompile)),
    }
}

/// The key of a program's file, if it is one: its imports are relative to it.
pub fn key(source: &Source) -> Option<String> {
    match source {
        Source::File(path) => Files::key(path).ok(),
        Source::Stdin | Source::Code(_) | Source::Bench(_) => None,
    }
}

/// Tells the optimizer the facts of a recorded run, if there is a file of them.
pub fn advise(engine: &mut Engine, facts: Option<&Path>) -> Result<(), Exit> {
    let Some(path) = facts else { return Ok(()) };
    let refused = |reason: &dyn Display| refuse(&format_args!("{}: {reason}", path.display()), Exit::NoInput);
    let text = whole_file::advice(path)
        .map_err(|error| refuse(&format_args!("cannot read {}: {error}", path.display()), Exit::NoInput))?;
    let program = SourceProgram { module: engine.module(), sources: engine.sources(), variables: None };
    let loads = LoadFacts::parse(&text).and_then(|facts| facts.loads(program)).map_err(|error| refused(&error))?;
    engine.executor_mut().advise(loads);
    Ok(())
}

/// The name of a program in files about it.
pub fn name(source: &Source) -> String {
    match source {
        Source::File(path) => path.display().to_string(),
        Source::Stdin => "<stdin>".to_owned(),
        Source::Code(_) => "<code>".to_owned(),
        Source::Bench(name) => format!("{name}.hw"),
    }
}

/// Reports why a program does not compile.
pub fn does_not_compile(engine: &Engine, all: &[Diagnostic], messages: MessageConfig) -> Exit {
    tell(&diagnostics::render_all(all, engine.sources(), messages));
    Exit::DoesNotCompile
}

/// Reports the failure of a run, if any. Returns its exit status.
pub fn finish(engine: &Engine, result: Result<i32, RunError>, messages: MessageConfig) -> Exit {
    let lost = engine.executor().runtime().output.error().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    let exit = ended(engine, result, messages);
    match lost {
        Some(error) => refuse(&format_args!("cannot write to standard output: {error}"), Exit::Failure),
        None => exit,
    }
}

fn ended(engine: &Engine, result: Result<i32, RunError>, messages: MessageConfig) -> Exit {
    match result {
        Ok(0) => Exit::Success,
        Ok(status) | Err(RunError::Exit(status)) => Exit::Program(status as u8),
        Err(RunError::Setup(reason)) => refuse(&reason, Exit::Failure),
        // A reader that closes the pipe early, such as `head`, is no failure; other reasons are reported by the caller.
        Err(RunError::Failure(found)) if found.kind == FailureKind::OutputLost => Exit::Success,
        Err(RunError::Failure(found)) => {
            let help = help_for(&found.kind, engine.executor().runtime());
            let shown = failure::Failure { help, ..report(engine.module(), &found) };
            tell(&failure::render(&shown, engine.sources(), messages));
            match found.kind {
                FailureKind::Interrupted => ctrl_c::exit(),
                _ if engine.aborts_on_failure() => Exit::Trap,
                _ => Exit::Failure,
            }
        }
    }
}

/// A failure in the form of a report.
pub fn report(module: &Module, found: &Failure) -> failure::Failure {
    let frame = |frame: &holloway_runtime::failure::FrameInfo| failure::Frame {
        function: function_name(module, frame.function),
        span: frame.at,
    };
    failure::Failure {
        message: found.kind.to_string(),
        span: found.span,
        help: None,
        frames: found.stack.iter().map(frame).collect(),
    }
}

/// The way out of a failure that the command line has brought about.
fn help_for(kind: &FailureKind, runtime: &Runtime) -> Option<String> {
    if *kind != FailureKind::OutOfMemory {
        return None;
    }
    let asked = runtime
        .refused()
        .map_or_else(String::new, |size| format!("an object of {} bytes has no room: ", grouped(size)));
    Some(format!("{asked}the heap may hold {} bytes; `--heap-limit BYTES` allows more", grouped(runtime.heap_limit())))
}

/// Writes to standard error. If it is closed, there is nobody to tell.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Makes Ctrl-C, and signals that end a process, stop the program at its next poll; a second one, before that poll,
/// ends the process.
pub fn stop_on_signals(engine: &Engine) -> Option<Stop> {
    let told = |error| refuse(&format_args!("signals will end the process at once: {error}"), Exit::Failure);
    ctrl_c::stop(&engine.interrupt_handle()).map_err(told).ok()
}

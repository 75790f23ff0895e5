//! Holloway: a virtual machine that runs programs of a small language, profiles their paths and recompiles along them.
//!
//! The library is the embedding API: an [`Engine`] loads programs, runs them and calls their functions; profiles, failures, diagnostics
//! and events of the adaptive system are data. Modules are private: below the engine stand what all tiers share (`runtime`, `heap`,
//! `builtins`, `failure`), the reference interpreter (`interp`), compiled code (`machine`) and the adaptive system (`adaptive`, `recompile`);
//! above it, with the feature `cli`, the command (`cli`, `config`, `repl`, `report`, `measure`, `lab`, `diff`).
#![expect(unreachable_pub, reason = "modules are private; `pub` says what other modules may use")]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the command uses what the library alone does not")
)]

mod adaptive;
mod builtins;
#[cfg(feature = "cli")]
mod cli;
mod config;
#[cfg(feature = "cli")]
mod diff;
mod engine;
mod failure;
mod heap;
mod interp;
#[cfg(feature = "cli")]
mod jitdump;
#[cfg(feature = "cli")]
mod lab;
mod machine;
#[cfg(feature = "cli")]
mod measure;
mod profile;
mod recompile;
#[cfg(feature = "cli")]
mod repl;
mod report;
mod runtime;
mod trace;
mod whole_file;

#[cfg(all(test, feature = "cli"))]
mod tests;

pub use holloway_lang::diagnostic::Diagnostic;
pub use holloway_profiler::scheme::{NotProfiled, Results, Scheme, SettingError, Settings};

pub use engine::{
    Adaptive, CallError, Config, Counted, Engine, FunctionEdges, FunctionPaths, LoadError, PathProfile, ProgramPaths,
    RunError, TierChoice, Value,
};
pub use failure::{Failure, FailureKind, FrameInfo};
pub use heap::HeapConfig;
pub use holloway_jit::opt::pipeline::Options as PassOptions;
pub use runtime::{Input, InterruptHandle, Limits, SharedStdin, Sink};

/// Events of the adaptive system: samples, decisions, compilations and what became of them.
pub mod events {
    pub use crate::adaptive::event::*;
    pub use crate::adaptive::event_file::{EventFileError, read};
}

/// Runs the command: parses the process's arguments and carries them out.
#[cfg(feature = "cli")]
pub fn command() -> std::process::ExitCode {
    use cli::{Environment, Exit, ParseEnd};
    let exit = match cli::parse(std::env::args_os(), &Environment::of_process()) {
        Ok(command) => cli::dispatch(command),
        Err(ParseEnd::Shown(text)) => cli::show(&text),
        Err(ParseEnd::Refused(error)) => cli::refuse(&error, Exit::Usage),
    };
    exit.into()
}

/// The examples of the guide, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
pub struct EmbeddingGuide;

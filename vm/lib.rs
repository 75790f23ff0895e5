//! Holloway: a virtual machine that runs programs of a small language, profiles their paths and recompiles along them.
//!
//! The library is the embedding API: an [`Engine`] loads programs, runs them and calls their functions; profiles, failures, diagnostics
//! and events of the adaptive system are data. Modules are private: below the engine stand what all tiers share (`runtime`, `heap`,
//! `builtins`, `failure`), the reference interpreter (`interp`), compiled code (`machine`) and the adaptive system (`aos`);
//! above it, with the feature `cli`, the command (`cli`, `config`, `repl`, `report`, `measure`, `lab`, `diff`).
#![expect(unreachable_pub, reason = "modules are private; `pub` says what other modules may use")]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the command uses what the library alone does not")
)]

#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod config;
#[cfg(feature = "cli")]
mod diff;
mod engine;
#[cfg(feature = "cli")]
mod lab;
#[cfg(feature = "cli")]
mod measure;
#[cfg(feature = "cli")]
mod repl;
#[cfg(feature = "cli")]
mod report;
#[cfg(feature = "cli")]
mod trace;
mod whole_file;

#[cfg(all(test, feature = "cli"))]
mod tests;

use holloway_interp as interp;
use holloway_machine::{self as machine, profile};
use holloway_runtime::{self as runtime, builtins, failure, heap};

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
    pub use holloway_aos::event::*;
    pub use holloway_aos::event_file::{EventFileError, read};
    pub use holloway_aos::reason::{LoopName, NoProposal, Reason};
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

//! Holloway: a virtual machine that runs programs of a small language, profiles their paths and recompiles along them.
//!
//! The library is the embedding API: an [`Engine`] loads programs, runs them and calls their functions; profiles, failures, diagnostics
//! and events of the adaptive system are data. Below it stand what all tiers share (`holloway_runtime`), the reference interpreter
//! (`holloway_interp`), compiled code (`holloway_machine`) and the adaptive system (`holloway_aos`); above it the views of
//! profiles and recordings, the measurements, and the command. What these use beyond the API is hidden in its documentation.
//!
//! ```
//! use holloway::{Config, Engine, Value};
//!
//! let mut engine = Engine::new(Config::default())?;
//! engine.load("gcd.hw", "fn gcd(a: int, b: int) -> int { if b == 0 { return a } return gcd(b, a % b) }")?;
//! let result = engine.call("gcd", &[Value::Int(48), Value::Int(36)])?;
//! assert_eq!(result, Some(Value::Int(12)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apart;
mod arity;
mod array;
mod config;
mod counted;
mod dynamic;
mod engine;
mod error;
mod executor;
mod files;
mod function;
mod function_edges;
mod globals;
mod host;
mod imports;
mod looked_up;
mod memory;
#[cfg(feature = "wasm")]
mod module;
mod module_error;
mod names;
mod no_imports;
mod observers;
mod opaque;
mod paths;
mod program_paths;
mod reload;
mod report;
mod types;
mod value;
#[doc(hidden)]
pub mod whole_file;

pub use holloway_derive::Holloway;
pub use holloway_lang::diagnostic::{Diagnostic, DiagnosticKind, Fix, Severity};
pub use holloway_lang::ir::{FuncRef, Module, TypeRef};
pub use holloway_lang::session::Definition;
pub use holloway_lang::source::{FileId, SourceFile, SourceMap, Span};
pub use holloway_profiler::scheme::{NotProfiled, Results, Scheme, SettingError, Settings};

pub use array::{Array, Element};
pub use config::{Adaptive, Config, TierChoice};
pub use counted::Counted;
pub use dynamic::DynamicFunction;
pub use engine::Engine;
pub use error::{CallError, DeclareError, EvalError, LoadError, ReloadError, RunError};
pub use function::{Calls, Function};
pub use function_edges::FunctionEdges;
pub use holloway_jit::opt::pipeline::Options as PassOptions;
pub use holloway_runtime::failure::{Failure, FailureKind, FrameInfo};
pub use holloway_runtime::heap::HeapConfig;
pub use holloway_runtime::{ErrorSink, FileAccess, Input, InterruptHandle, Limits, SharedStdin, Sink};
pub use host::{Answer, Context, Given, HostFunction, Param};
pub use module_error::ModuleError;
pub use opaque::Opaque;
pub use paths::{FunctionPaths, PathProfile};
pub use program_paths::ProgramPaths;
pub use report::{Reported, StackFrame};
pub use types::{Args, Described, List, Member, Output, Program, Type, Word};
#[doc(hidden)]
pub use value::Fields;
pub use value::{Field, OpaqueValue, SharedArray, Value};

/// Events of the adaptive system: samples, decisions, compilations and what became of them.
pub mod events {
    pub use holloway_aos::event::*;
    pub use holloway_aos::event_file::{EventFileError, read};
    pub use holloway_aos::reason::{LoopName, NoProposal, Reason};
}

/// Modules of WebAssembly: values, types, and what they may ask of their host.
#[cfg(feature = "wasm")]
pub mod wasm {
    pub use crate::module::{Imports, SourceFiles, WasmConfig, WasmValue};
    pub use holloway_wasi::Directory;
    pub use holloway_wasm::{Export, ExportedFunction, FuncType, GlobalVariable, ImportName, ValType, WasmError};
}

/// The parts of an engine that the crates above use beyond the API.
#[doc(hidden)]
pub mod internals {
    pub use crate::engine::is_module;
    pub use crate::executor::Executor;
    pub use crate::files::{Files, destination, is_same_file};
    pub use crate::paths::FunctionResults;
    pub use crate::{
        Adaptive, CallError, Config, Counted, Engine, FunctionEdges, FunctionPaths, LoadError, PathProfile,
        ProgramPaths, RunError, TierChoice, Value,
    };
    #[cfg(feature = "wasm")]
    pub use holloway_wasi::reads as wasi_reads;
    #[cfg(feature = "wasm")]
    pub use holloway_wasm::{KnownVariable, VariableBase, VariablePlace, Variables};
}

/// The examples of the guide, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
pub struct EmbeddingGuide;

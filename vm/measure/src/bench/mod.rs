//! Measurement of the benchmark programs, alone or beside the same programs in other languages.
//!
//! In: a [`BenchConfig`] or [`StartupConfig`]. Out: [`Results`] or [`StartupResults`], which `report` turns into tables
//! and `json` into JSON. Every measurement is of a whole process from its start to its end, so that all languages are
//! measured alike; processes that are compared take turns. Only `warmup` looks into a process, at the times of its
//! lines. Invariant: a program that does not print its known checksum has no time.
//!
//! Data flow: `embedded` (files in the binary) -> `suite` (programs, sizes, checksums) -> `workspace` (files on disk)
//! -> `contender` (command lines) -> `race` (rounds of child processes) -> `results` -> `report` or `json`. Programs of
//! a folder come by `unseen` instead of the first three, and WebAssembly modules of one by `modules`.

pub mod ablation;
pub mod answer;
pub mod calibrate;
pub mod child;
mod compile;
mod config;
mod contender;
pub mod embedded;
mod gains;
pub mod json;
mod measure;
pub mod modules;
pub mod policies;
mod process;
pub mod profiled;
pub mod progress;
mod race;
pub mod report;
mod request;
mod results;
mod startup;
pub mod statistics;
mod suite;
pub mod unseen;
pub mod warmup;
pub mod why;
mod workspace;

pub use child::Children;
pub use compile::measure_compile;
pub use config::{BenchConfig, CompileConfig, PeerChoice, RunsConfig, StartupConfig};
pub use measure::measure;
pub use modules::{ModulesConfig, measure_modules};
pub use progress::Progress;
pub use request::Request;
pub use results::BenchError;
pub use results::Results;
pub use startup::measure_startup;
pub use suite::{Arithmetic, BenchProgram, UnknownProgram, papers_programs, select};
pub use unseen::{UnseenConfig, UnseenError, measure_unseen};
pub use warmup::{WarmupConfig, measure_warmup};
pub use why::{WhyConfig, WhyError, measure_why};

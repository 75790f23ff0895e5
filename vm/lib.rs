//! Holloway: running programs, deciding what to compile, and talking to people.
//!
//! The library is the embedding API: an [`Engine`] loads programs, runs them and calls their functions.
//! Below it stand what all tiers share (`runtime`, `heap`, `builtins`, `failure`), the reference
//! interpreter (`interp`) and compiled code (`machine`); above it the command (`cli`, `config`, `repl`,
//! `report`, `bench`, `reproduce`).

pub mod adaptive;
pub mod bench;
pub mod builtins;
pub mod cli;
pub mod config;
pub mod engine;
pub mod failure;
pub mod heap;
pub mod interp;
pub mod machine;
pub mod profile;
pub mod recompile;
pub mod repl;
pub mod report;
pub mod reproduce;
pub mod runtime;

pub use engine::{CallError, Config, Engine, LoadError, RunError, TierChoice, Value};

/// The examples of the guide, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
pub struct EmbeddingGuide;

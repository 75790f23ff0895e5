//! Holloway: running programs, deciding what to compile, and talking to people.

pub mod bench;
pub mod cli;
pub mod config;
pub mod report;

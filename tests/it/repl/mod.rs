//! The REPL as a person meets it: on a terminal, key by key.
//!
//! In: the binary on a pseudo-terminal ([`terminal`]). Out: checks of the text on its screen.

mod adaptive;
mod answers;
mod commands;
mod definitions;
mod editing;
mod inputs;
mod plain;
mod scripts;
mod stopping;
mod terminal;

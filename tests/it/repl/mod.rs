//! The REPL as a person meets it: on a terminal, key by key.
//!
//! In: the binary on a pseudo-terminal ([`terminal`]). Out: checks of the text on its screen.

mod adaptive;
mod commands;
mod editing;
mod inputs;
mod plain;
mod stopping;
mod terminal;

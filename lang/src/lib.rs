//! The Holloway language: from source text to its control-flow-graph intermediate representation.
//!
//! The pipeline, one arrow a module: `source` (text) -> `token` -> `layout` -> `parse` (`grammar.lalrpop`) -> `ast` ->
//! `check` -> `tast` -> `lower` -> `ir`. A `session` takes one input after another along it. `diagnostic` holds the
//! messages of every stage; the `holloway` package renders them.
#![forbid(unsafe_code)]

pub mod ast;
pub mod ast_print;
pub mod brackets;
mod check;
pub mod depth;
pub mod diagnostic;
pub mod format;
pub mod ir;
pub mod layout;
pub mod literal;
pub mod lower;
pub mod parse;
pub mod session;
mod settings;
pub mod source;
mod span;
pub mod steps;
pub mod tast;
pub mod token;
pub mod token_print;

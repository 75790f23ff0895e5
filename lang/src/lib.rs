//! The Holloway language: from source text to its control-flow-graph intermediate representation.
//!
//! The pipeline, one arrow a module: `source` (text) -> `token` -> `expand` -> `layout` -> `parse` (`grammar.lalrpop`)
//! -> `ast` -> `check` -> `tast` -> `lower` -> the IR, which is a crate of its own. A `session` takes one input after
//! another along it. `diagnostic` holds the messages of every stage; the `holloway` package renders them.
#![forbid(unsafe_code)]

pub mod ast;
pub mod ast_print;
pub mod brackets;
mod check;
pub mod codes;
pub mod cursor;
pub mod depth;
pub mod diagnostic;
mod expand;
pub mod fix;
pub mod format;
pub mod index;
mod interpolation;
pub mod layout;
pub mod literal;
pub mod lower;
pub mod parse;
mod prune;
pub mod receivers;
pub mod session;
mod settings;
pub mod source;
pub mod tast;
pub mod token;
pub mod token_print;
pub mod words;

pub use holloway_ir as ir;

//! The Holloway language: from source text to its control-flow-graph intermediate representation.
//!
//! The road, one arrow a module: `source` (text) -> `token` -> `layout` -> `parse` (`grammar.lalrpop`) -> `ast` -> ...
//! `diagnostic` is what every stage says to the user; rendering it is the business of the `holloway` package.
#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
pub mod ir;
pub mod lower;
pub mod source;
pub mod tast;

//! WebAssembly as a second front end: modules become the IR that all tiers run.
//!
//! In: the bytes of a module, or its text. Out: [`Lowered`]: a module of the IR, and what a host needs to know of it. One road:
//! text -> bytes -> validation -> sections -> IR; lines come from DWARF, or from the offsets of functions. Beside it: [`Variables`] of the source language.
//! Invariants: no input makes it panic; nothing of the language is known here; no host function is known here, either.
#![forbid(unsafe_code)]

mod budget;
mod environment;
mod error;
mod function;
mod lower;
mod names;
mod places;
mod sections;
mod text;
mod types;
mod validate;
mod variables;

pub use error::WasmError;
pub use lower::{Export, ExportedFunction, ImportedFunction, ImportedGlobal, Lowered, lower};
pub use places::SourceText;
pub use sections::{GlobalVariable, ImportName};
pub use types::{FuncType, ValType};
pub use variables::{KnownVariable, VariableBase, VariablePlace, Variables};

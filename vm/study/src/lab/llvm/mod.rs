//! Control-flow graphs from the text of clang's LLVM IR, with the guards of `-fsanitize-coverage=trace-pc-guard,no-prune`.
//!
//! In: the text of a module (`.ll`). Out: a [`Module`], or a [`TextError`] with its line.
//!
//! Only what a graph needs is read: definitions, labels, terminators, calls, guards, and lines of debug information. Other
//! lines may be anything, so that a new LLVM with new instructions is no obstacle. LLVM itself is not needed; the crates
//! that parse all of the language do need it, or are in their first versions.
//!
//! [`functions`] reads lines, [`instruction`] a line, [`debug`] the metadata. Invariants: a successor is a block of its function; no text
//! causes a panic.

mod debug;
mod functions;
mod instruction;
mod scan;

use std::fmt;

pub use functions::parse;

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The functions that have guards, in the order of the text.
    pub functions: Vec<Function>,
    /// Each guard's function and block, from the number that the program gives the guard, less 1.
    pub guards: Vec<Option<(usize, usize)>>,
}

/// One function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, without `@`.
    pub name: String,
    /// Its source file, where the text has debug information.
    pub file: Option<String>,
    /// Its blocks; the first is the entry, which no block leads to.
    pub blocks: Vec<Block>,
    /// Set if it calls `__cyg_profile_func_exit` before it returns.
    pub marks_returns: bool,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its label, without `%`.
    pub name: String,
    /// The first and the last source line of its instructions, in its function's file.
    pub lines: Option<(u32, u32)>,
    /// Its calls in order, those of intrinsics and of assembly left out.
    pub calls: Vec<Callee>,
    /// The position of its last call if it marks its return ahead of it: a tail call.
    pub tail_call: Option<usize>,
    /// Its end.
    pub end: End,
}

/// The function that a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function of the module with guards.
    Traced(usize),
    /// A function that the text does not name.
    Pointer,
    /// A function without guards. It may call back.
    Outside,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It leads to these blocks, each listed once.
    LeadsTo(Vec<usize>),
    /// It returns.
    Returns,
    /// The text has nothing behind it: `unreachable`, `resume`.
    Stops,
}

/// A fault of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

#[cfg(test)]
mod tests;

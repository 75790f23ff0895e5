//! The errors of a module that cannot be taken.
//!
//! In: what the reader of the text, the validator or a limit says. Out: one value with the place in the bytes, or in the text. Invariant: a
//! module that only uses what is not taken gets the name of the proposal that it uses.

use std::fmt;

/// The fault of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WasmError {
    /// The text form is malformed.
    Text {
        /// The fault.
        message: String,
        /// Its line, counted from 1.
        line: usize,
        /// Its column, counted from 1.
        column: usize,
    },
    /// The bytes are no valid module.
    Invalid {
        /// The fault.
        message: String,
        /// The offset of the bytes.
        offset: u64,
    },
    /// The module is valid with a proposal that is not taken.
    Unsupported {
        /// The proposal.
        proposal: &'static str,
        /// The offset of its first use.
        offset: u64,
    },
    /// The module is larger than a run can be.
    TooMany {
        /// Of what there are too many.
        what: &'static str,
        /// The most that there may be.
        limit: usize,
        /// The offset of the type, the function or the section that has them.
        offset: u64,
    },
}

impl fmt::Display for WasmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WasmError::Text { message, line, column } => write!(f, "line {line}, column {column}: {message}"),
            WasmError::Invalid { message, offset } => write!(f, "invalid module at offset {offset:#x}: {message}"),
            WasmError::Unsupported { proposal, offset } => {
                write!(f, "at offset {offset:#x} the module uses a proposal that is not supported: {proposal}")
            }
            WasmError::TooMany { what, limit, offset } => {
                write!(f, "at offset {offset:#x} the module has too many {what}: at most {limit} are supported")
            }
        }
    }
}

impl std::error::Error for WasmError {}

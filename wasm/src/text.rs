//! The text form of modules.
//!
//! In: the text of a `.wat` file. Out: the bytes of the module, with debug information that names the lines of the text. Invariant:
//! lines so come by one road, whatever a module was made of.

use crate::error::WasmError;
use std::path::Path;
use wast::core::{EncodeOptions, GenerateDwarf};
use wast::parser::{self, ParseBuffer};
use wast::{Error, Wat};

/// Returns whether these are the bytes of a module, and no text.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm")
}

/// Translates the text of a file of that name.
pub(crate) fn to_bytes(name: &str, text: &str) -> Result<Vec<u8>, WasmError> {
    let place = |error: Error| {
        let (line, column) = error.span().linecol_in(text);
        WasmError::Text { message: error.message(), line: line + 1, column: column + 1 }
    };
    let mut buffer = ParseBuffer::new(text).map_err(place)?;
    // Or there is no line of any instruction.
    buffer.track_instr_spans(true);
    let mut module: Wat<'_> = parser::parse(&buffer).map_err(place)?;
    let mut options = EncodeOptions::new();
    options.dwarf(Path::new(name), text, GenerateDwarf::Lines);
    options.encode_wat(&mut module).map_err(place)
}

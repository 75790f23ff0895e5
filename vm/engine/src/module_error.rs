//! Reasons for which a module of WebAssembly is not loaded.
//!
//! In: what the front end, or a look at the host's functions, says. Out: a line of text. Invariant: without WebAssembly in the build there is one reason.

use std::fmt;

/// The reason.
#[derive(Debug)]
pub enum ModuleError {
    /// This build has no front end for WebAssembly.
    NotBuilt,
    /// The bytes, or the text, are no module that can be lowered.
    #[cfg(feature = "wasm")]
    Invalid(holloway_wasm::WasmError),
    /// The module imports what the host does not have.
    #[cfg(feature = "wasm")]
    UnknownImport {
        /// The kind of thing.
        what: &'static str,
        /// Its name.
        name: holloway_wasm::ImportName,
    },
    /// The module imports something under another type than it has.
    #[cfg(feature = "wasm")]
    ImportType {
        /// Its name.
        name: holloway_wasm::ImportName,
        /// The type that the module asks for.
        expected: String,
        /// The type that it has.
        found: String,
    },
    /// The module declares a memory or tables for which there is no room.
    #[cfg(feature = "wasm")]
    NoRoom(std::io::Error),
    /// A directory that the module may use cannot be opened.
    #[cfg(feature = "wasm")]
    Directory(std::io::Error),
    /// A module, and nothing else, is one program.
    NotAlone,
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModuleError::NotBuilt => f.write_str("modules of WebAssembly are not supported by this build"),
            #[cfg(feature = "wasm")]
            ModuleError::Invalid(error) => error.fmt(f),
            #[cfg(feature = "wasm")]
            ModuleError::UnknownImport { what, name } => {
                write!(f, "unknown import: there is no {what} `{}` in `{}`", name.name, name.module)
            }
            #[cfg(feature = "wasm")]
            ModuleError::ImportType { name, expected, found } => {
                write!(f, "incompatible import type: `{}` in `{}` is {found}, not {expected}", name.name, name.module)
            }
            #[cfg(feature = "wasm")]
            ModuleError::NoRoom(error) => write!(f, "no room for the memory or the tables: {error}"),
            #[cfg(feature = "wasm")]
            ModuleError::Directory(error) => write!(f, "cannot open a directory of the program: {error}"),
            ModuleError::NotAlone => f.write_str(
                "a module of WebAssembly is a program of its own; nothing is added to one, nor one to others",
            ),
        }
    }
}

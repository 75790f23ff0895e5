//! The configuration of `lsp`.
//!
//! In: made by `cli::resolve`. Out: plain data. Invariant: that of the folder above.

use std::path::PathBuf;

/// `lsp`: the language server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LspConfig {
    /// The recorded run that hints tell of; `None` is the newest one beside each program.
    pub run: Option<PathBuf>,
}

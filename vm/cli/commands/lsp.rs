//! `lsp`: the language server, on standard input and output.

use crate::Exit;
use crate::config::LspConfig;
use holloway_lsp::{Options, serve_stdio};

/// Serves an editor until it leaves.
pub fn lsp(config: &LspConfig) -> Exit {
    match serve_stdio(Options { run: config.run.clone() }) {
        0 => Exit::Success,
        _ => Exit::Failure,
    }
}

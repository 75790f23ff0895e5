//! The arguments of `lsp`.
//!
//! In: text. Out: [`LspArgs`]. Invariant: what an editor configures beside goes with its first message.

use std::path::PathBuf;

use clap::Args;

/// `lsp`.
#[derive(Args, Debug)]
pub struct LspArgs {
    /// The recorded run that hints in programs tell of [default: the newest one beside each program]
    #[arg(long, value_name = "RUN.hwrun")]
    pub run: Option<PathBuf>,
    /// Taken and ignored: there is no other way of talking
    #[arg(long, hide = true)]
    pub stdio: bool,
}

//! `holloway` on a terminal: the REPL.

use crate::cli::{Exit, perf};
use crate::config::ReplConfig;
use crate::repl::{self, Workspace};

/// Talks to a person until they leave; the exit status is what the program passed to `exit`, if that is how it ended.
pub fn repl(config: &ReplConfig) -> Exit {
    try_repl(config).unwrap_or_else(|exit| exit)
}

fn try_repl(config: &ReplConfig) -> Result<Exit, Exit> {
    let mut workspace = Workspace::new(config)?;
    perf::listen(workspace.engine_mut(), config.perf)?;
    Ok(repl::run(workspace, config))
}

//! The REPL: `holloway` on a terminal, with `-i`, or with commands of the REPL in its standard input.

use crate::config::ReplConfig;
use crate::repl::{self, Workspace};
use crate::{Exit, perf};

/// Runs the REPL until the person leaves. The exit status is the argument of `exit`, if the program called it.
pub fn repl(config: &ReplConfig) -> Exit {
    try_repl(config).unwrap_or_else(|exit| exit)
}

fn try_repl(config: &ReplConfig) -> Result<Exit, Exit> {
    let mut workspace = Workspace::new(config)?;
    perf::listen(workspace.engine_mut(), config.perf)?;
    Ok(repl::run(workspace, config))
}

//! `completions`: a script for a shell, from the definition of the command line.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, Exit, show};

/// Prints the completion script for `shell`.
pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "holloway", &mut script);
    show(&String::from_utf8_lossy(&script))
}

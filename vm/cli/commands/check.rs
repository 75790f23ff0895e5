//! `check`: parses and type-checks, each file on its own.

use crate::config::{CheckConfig, ExecutionConfig};
use crate::{Exit, program};
use holloway::Engine;
use holloway_runtime::Sink;

/// Checks every file. The exit status is that of the worst result.
pub fn check(config: &CheckConfig) -> Exit {
    let mut worst = Exit::Success;
    for source in &config.sources {
        let exit = check_one(source, config).err().unwrap_or(Exit::Success);
        if exit.status() > worst.status() {
            worst = exit;
        }
    }
    worst
}

fn check_one(source: &crate::config::Source, config: &CheckConfig) -> Result<(), Exit> {
    let execution = ExecutionConfig::interpreted();
    let mut engine = program::start(program::engine(&execution, &[], Sink::Stdout)?, Engine::new)?;
    program::load(&mut engine, source, config.messages)
}

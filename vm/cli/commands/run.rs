//! `run`: one program, start to end.

use crate::cli::{Exit, perf, program};
use crate::config::RunConfig;
use crate::engine::Engine;
use crate::runtime::Sink;

/// Runs a program; the exit status is the program's.
pub fn run(config: &RunConfig) -> Exit {
    try_run(config).unwrap_or_else(|exit| exit)
}

fn try_run(config: &RunConfig) -> Result<Exit, Exit> {
    let settings = program::engine(&config.execution, &config.program.args, Sink::Stdout)?;
    let mut engine = program::start(settings, Engine::new)?;
    perf::listen(&mut engine, config.perf)?;
    program::load(&mut engine, &config.program.source, config.messages)?;
    program::stop_on_ctrl_c(&engine);
    let result = engine.run();
    Ok(program::finish(&engine, result, config.messages))
}

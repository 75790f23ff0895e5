//! `run`: one program, start to end.

use crate::adaptive::session::Keep;
use crate::cli::{Exit, adaptive, perf, program};
use crate::config::RunConfig;
use crate::engine::Engine;
use crate::runtime::Sink;

/// Runs a program; the exit status is the program's.
pub fn run(config: &RunConfig) -> Exit {
    try_run(config).unwrap_or_else(|exit| exit)
}

fn try_run(config: &RunConfig) -> Result<Exit, Exit> {
    let mut settings = program::engine(&config.execution, &config.program.args, Sink::Stdout)?;
    let name = program::name(&config.program.source);
    settings.adaptive = adaptive::session(&config.execution, Keep::Nothing, &name)?;
    let mut engine = program::start(settings, Engine::new)?;
    perf::listen(&mut engine, config.perf)?;
    program::load(&mut engine, &config.program.source, config.messages)?;
    program::stop_on_ctrl_c(&engine);
    let result = engine.run();
    let exit = program::finish(&engine, result, config.messages);
    adaptive::finish(&mut engine, &config.execution)?;
    Ok(exit)
}

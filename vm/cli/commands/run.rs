//! `run`: one program, start to end.

use crate::config::{OnFailure, RunConfig};
use crate::input::Text;
use crate::{Exit, perf, program, recompilation, recording};
use holloway::Engine;
use holloway::RunError;
use holloway_aos::session::Keep;
use holloway_machine::profile::Listening;
use holloway_runtime::Sink;
use holloway_study::report::last_paths;
use holloway_study::trace::LastPaths;
use std::io::Write;

/// Runs a program; the exit status is the program's.
pub fn run(config: &RunConfig) -> Exit {
    try_run(config, None).unwrap_or_else(|exit| exit)
}

/// Runs a program whose text was read already.
pub fn run_text(config: &RunConfig, text: &Text) -> Exit {
    try_run(config, Some(text)).unwrap_or_else(|exit| exit)
}

fn try_run(config: &RunConfig, text: Option<&Text>) -> Result<Exit, Exit> {
    let name = program::name(&config.program.source);
    if let Some(option) = &config.for_the_program {
        program::tell(&format!(
            "holloway: {option} stands after {name} and goes to the program; options of holloway stand before it\n"
        ));
    }
    let mut settings = program::engine(&config.execution, &config.program.args, output(config))?;
    settings.adaptive = recompilation::session(&config.execution, Keep::Nothing)?;
    let mut engine = program::start(settings, Engine::new)?;
    let last_paths = match config.on_failure {
        OnFailure::Message => None,
        OnFailure::LastPaths => Some(Listening::new(LastPaths::default())),
    };
    last_paths.iter().for_each(|listening| engine.executor_mut().listen(&listening.shared()));
    match text {
        Some(text) => program::add(&mut engine, &config.program.source, text, config.messages)?,
        None => program::load(&mut engine, &config.program.source, config.messages)?,
    }
    perf::listen(&mut engine, config.perf)?;
    recompilation::check(&mut engine, &config.execution)?;
    recompilation::begin(&mut engine, &config.execution, &name)?;
    program::advise(&mut engine, config.execution.facts.as_deref())?;
    program::stop_on_signals(&engine);
    let mut recording = recording::save(&mut engine, &config.execution, &config.program)?;
    let result = engine.run();
    recording.iter_mut().for_each(recording::Recording::stop);
    let stack = if let Err(RunError::Failure(failure)) = &result { failure.stack.clone() } else { Vec::new() };
    let exit = program::finish(&engine, result, config.messages);
    if let (Some(listening), false) = (last_paths, stack.is_empty()) {
        engine.executor_mut().settle();
        let text = last_paths::text(&engine, &listening.get(), &stack, config.messages.style.width);
        program::tell(&text);
    }
    // The recording is whole even where another file cannot be written.
    let finished = recompilation::finish(&mut engine, &config.execution);
    if let Some(recording) = recording {
        recording.end(&engine, exit)?;
    }
    finished?;
    // The process ends here: its memory is given back at once, and what it has written is flushed.
    std::mem::forget(engine);
    Ok(exit)
}

/// With `--events -`, standard output holds the events alone; the program's output goes to standard error.
fn output(config: &RunConfig) -> Sink {
    match &config.execution.adaptive.events {
        Some(path) if recompilation::is_stdout(path) => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
        Some(_) | None => Sink::Stdout,
    }
}

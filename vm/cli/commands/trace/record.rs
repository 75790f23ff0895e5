//! `trace record`: one run, recorded.

use crate::config::RecordConfig;
use crate::{Exit, program, refuse};
use holloway::Engine;
use holloway::RunError;
use holloway_runtime::Sink;
use holloway_runtime::failure::FailureKind;
use holloway_study::report::text::{grouped, one_line};
use holloway_study::trace::{self, End, State};

/// Runs a program and records its path. The exit status is the program's.
pub fn record(config: &RecordConfig) -> Exit {
    try_record(config).unwrap_or_else(|exit| exit)
}

fn try_record(config: &RecordConfig) -> Result<Exit, Exit> {
    let settings = program::engine(&config.execution, &config.program.args, Sink::Stdout)?;
    let arguments = settings.args.clone();
    let mut engine = program::start(settings, Engine::new)?;
    program::load(&mut engine, &config.program.source, config.messages)?;
    let name = one_line(&config.output.display().to_string());
    let cannot = |error: &std::io::Error| refuse(&format_args!("cannot write {name}: {error}"), Exit::Failure);
    let limit = config.limit.map(u64::from);
    let listening = trace::record(&mut engine, &arguments, &config.output, limit).map_err(|error| cannot(&error))?;
    program::stop_on_signals(&engine);
    let result = engine.run();
    let end = match &result {
        Err(RunError::Failure(failure)) if failure.kind == FailureKind::Interrupted => End::Interrupted,
        _ => End::ByItself,
    };
    let exit = program::finish(&engine, result, config.messages);
    engine.executor_mut().settle();
    let mut recording = listening.get();
    match (recording.finish(end), limit) {
        (State::Failed(error), _) => Err(cannot(&error)),
        (State::Full, Some(limit)) => {
            let (limit, blocks) = (grouped(limit as usize), grouped(recording.written() as usize));
            program::tell(&format!(
                "holloway: {name} would have more than {limit} bytes; it holds the first {blocks} blocks of the path\n"
            ));
            Ok(exit)
        }
        (State::Full | State::Recording, _) => Ok(exit),
    }
}

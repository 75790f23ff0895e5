//! `trace record`: one run, recorded.

use crate::config::RecordConfig;
use crate::{Exit, program, refuse};
use holloway::Engine;
use holloway::RunError;
use holloway::wasm::WasmConfig;
use holloway_profiler::wpp::RecordedModule;
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
    let (arguments, room) = (settings.args.clone(), settings.heap.limit as u64);
    let mut engine = program::start(settings, Engine::new)?;
    let source = &config.program.source;
    let text = program::read(source)?;
    program::add(&mut engine, source, &text, config.messages)?;
    let module = engine.session().is_foreign().then(|| {
        let WasmConfig { invoke, environment, .. } = config.execution.wasm.clone();
        RecordedModule { bytes: text.bytes, export: invoke, room, environment }
    });
    let name = one_line(&config.output.display().to_string());
    let cannot = |error: &std::io::Error| refuse(&format_args!("cannot write {name}: {error}"), Exit::Failure);
    let limit = config.limit.map(u64::from);
    let listening =
        trace::record(&mut engine, (&arguments, module), &config.output, limit).map_err(|error| cannot(&error))?;
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

//! The run that is explained.
//!
//! In: a program, or the demonstration. Out: the recorded run. Invariant: the program's output is where no report is.

use crate::config::{ExecutionConfig, ExplainConfig, Explained};
use crate::{Exit, program, recompilation, recording};
use holloway::Engine;
use holloway_aos::DEMO;
use holloway_aos::session::Keep;
use holloway_runtime::Sink;
use holloway_study::report::style::OutputFormat;
use holloway_study::run::Run;
use std::io::Write;

/// Name of the embedded program.
pub(super) const DEMO_NAME: &str = "demo.hw";

/// Runs the program.
pub(super) fn observed(config: &ExplainConfig, execution: &ExecutionConfig, output: Sink) -> Result<(Run, Exit), Exit> {
    let (args, name) = match &config.explained {
        Explained::Demonstration => (&[][..], DEMO_NAME.to_owned()),
        Explained::Program(program) => (program.args.as_slice(), program::name(&program.source)),
    };
    let mut settings = program::engine(execution, args, output)?;
    settings.adaptive = recompilation::session(execution, Keep::Nothing)?;
    let mut engine = program::start(settings, Engine::new)?;
    match &config.explained {
        Explained::Demonstration => {
            engine.load(DEMO_NAME, DEMO).expect("the demonstration compiles");
        }
        Explained::Program(program) => program::load(&mut engine, &program.source, config.messages)?,
    }
    recompilation::begin(&mut engine, execution, &name)?;
    program::stop_on_signals(&engine);
    let mut recording = recording::begin(&mut engine, execution, (&name, args), recording::samples(execution))?;
    let result = engine.run();
    recording.stop();
    // A failing program has a report too.
    let exit = program::finish(&engine, result, config.messages);
    // The recording is whole even where another file cannot be written.
    let finished = recompilation::finish(&mut engine, execution);
    let run = recording.end(&engine, exit)?;
    finished.map(|()| (run, exit))
}

/// With `--json`, standard output holds the report alone; the program's output goes to standard error.
pub(super) fn output(config: &ExplainConfig) -> Sink {
    match config.format {
        OutputFormat::Text => Sink::Stdout,
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| {
            let _ = std::io::stderr().write_all(bytes);
        })),
    }
}

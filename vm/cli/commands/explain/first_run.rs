//! The run that is explained.
//!
//! In: a program, or the demonstration. Out: the recorded run; and what it read and printed, if it is run again. Invariant: the program's output is where no
//! report is.

use crate::config::{ExecutionConfig, ExplainConfig, Explained};
use crate::{Exit, program, recompilation, recording};
use holloway::{Engine, Input, SharedStdin};
use holloway_aos::DEMO;
use holloway_aos::session::Keep;
use holloway_measure::bench::child::KEPT_OUTPUT;
use holloway_measure::whole_runs::RunEnd;
use holloway_runtime::Sink;
use holloway_study::report::style::OutputFormat;
use holloway_study::run::Run;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Name of the embedded program.
pub(super) const DEMO_NAME: &str = "demo.hw";

/// The input and the output of a run, kept for further runs of the program, which are to read and print the same.
#[derive(Default)]
pub(super) struct KeptStreams {
    input: SharedStdin,
    /// The beginning of the output.
    output: Arc<Mutex<Vec<u8>>>,
}

impl KeptStreams {
    /// Standard input, from its first line.
    pub(super) fn input(&self) -> Input {
        Input::Shared(self.input.clone())
    }

    /// A sink that shows what it keeps.
    fn output(&self, config: &ExplainConfig) -> Sink {
        let (format, kept) = (config.format, Arc::clone(&self.output));
        Sink::Callback(Box::new(move |bytes| {
            write(format, bytes);
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT_OUTPUT - kept.len();
            kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }))
    }

    /// The input that was read.
    pub(super) fn read(&self) -> Vec<u8> {
        self.input.read_so_far()
    }

    /// The end of the run with this status.
    pub(super) fn end(&self, exit: Exit) -> RunEnd {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        RunEnd { status: Some(i32::from(exit.status())), output: String::from_utf8_lossy(&output).into_owned() }
    }
}

/// Runs the program, and keeps what it reads and prints.
pub(super) fn kept(
    config: &ExplainConfig,
    execution: &ExecutionConfig,
    streams: &KeptStreams,
) -> Result<(Run, Exit), Exit> {
    observed(config, execution, (streams.input(), streams.output(config)))
}

/// Runs the program.
pub(super) fn observed(
    config: &ExplainConfig,
    execution: &ExecutionConfig,
    (input, output): (Input, Sink),
) -> Result<(Run, Exit), Exit> {
    let (args, name) = match &config.explained {
        Explained::Demonstration => (&[][..], DEMO_NAME.to_owned()),
        Explained::Program(program) => (program.args.as_slice(), program::name(&program.source)),
    };
    let mut settings = program::engine(execution, args, output)?;
    settings.input = input;
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
        OutputFormat::Json => Sink::Callback(Box::new(|bytes| write(OutputFormat::Json, bytes))),
    }
}

/// Writes where [`output`] does. An error there shows when the report is written.
fn write(format: OutputFormat, bytes: &[u8]) {
    let _ = match format {
        OutputFormat::Text => {
            let mut out = io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        }
        OutputFormat::Json => io::stderr().write_all(bytes),
    };
}

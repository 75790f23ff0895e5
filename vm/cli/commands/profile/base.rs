//! The base run of `profile`: acyclic paths choose k for each loop (`--k auto`), or how often edges are taken numbers paths (`--numbering smart`).
//!
//! In: the configuration of a profile. Out: a [`BaseRun`]. Invariant: the program's own run sees the same input and nothing else of the
//! base run: that prints and writes nothing, and the lines that it reads are kept for the second run, which then reads on.

use crate::config::ProfileConfig;
use crate::ctrl_c::{self, Stop};
use crate::input::Text;
use crate::{Exit, k_choice, program, refuse};
use holloway::RunError;
use holloway::{Config, Engine, PathProfile};
use holloway_machine::profile::Frequencies;
use holloway_profiler::scheme::{LoopIterations, Scheme};
use holloway_runtime::failure::FailureKind;
use holloway_runtime::{ErrorSink, FileAccess, Input, SharedStdin, Sink};

/// Knowledge for the program's own run.
#[derive(Default)]
pub(super) struct BaseRun {
    /// The loops with a k of their own, if the scheme has such.
    pub(super) loops: LoopIterations,
    /// Counts of edges.
    pub(super) frequencies: Frequencies,
}

/// Runs the program once, and makes `second` read what that read.
pub(super) fn run(config: &ProfileConfig, text: &Text, second: &mut Config) -> Result<BaseRun, Exit> {
    let silent = Sink::Callback(Box::new(|_| {}));
    let mut first = program::engine(&config.execution, &config.program.args, silent)?;
    first.tier = second.tier;
    first.errors = ErrorSink::Callback(Box::new(|_| {}));
    if first.files == FileAccess::Allowed {
        first.files = FileAccess::Unchanged;
    }
    let lines = SharedStdin::default();
    second.input = Input::Shared(lines.clone());
    first.input = Input::Shared(lines);
    let mut engine = program::start(first, Engine::new)?;
    program::add(&mut engine, &config.program.source, text, config.messages)?;
    engine.executor_mut().profile(Scheme::named("bl").expect("the registry has it"));
    let stop = program::stop_on_signals(&engine);
    // A failure ends the second run in the same way, which tells of it.
    if let Err(RunError::Failure(failure)) = engine.run()
        && failure.kind == FailureKind::Interrupted
    {
        return Err(refuse(&"interrupted in the silent run that comes first", ctrl_c::exit()));
    }
    stop.into_iter().for_each(Stop::end);
    let profile = engine.path_profile();
    let learned = |profile: PathProfile| BaseRun {
        loops: k_choice::chosen(&engine, config.scheme, &profile),
        frequencies: profile.frequencies(),
    };
    Ok(profile.map(learned).unwrap_or_default())
}

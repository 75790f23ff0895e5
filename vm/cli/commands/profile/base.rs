//! The base run of `profile`: acyclic paths choose k for each loop (`--k auto`), or how often edges are taken numbers paths (`--numbering smart`).
//!
//! In: the configuration of a profile. Out: a [`BaseRun`]. Invariant: the program's own run sees the same input and nothing else of the
//! base run: that prints nothing, and the lines that it reads are kept for the second run, which then reads on.

use std::sync::{Arc, Mutex, PoisonError};

use crate::RunError;
use crate::cli::ctrl_c::Stop;
use crate::cli::input::Text;
use crate::cli::{Exit, k_choice, program, refuse};
use crate::config::ProfileConfig;
use crate::engine::{Config, Engine, PathProfile};
use crate::failure::FailureKind;
use crate::profile::Frequencies;
use crate::runtime::{Input, Sink};
use holloway_profiler::scheme::{LoopIterations, Scheme};

/// The lines that were read.
type Lines = Arc<Mutex<Vec<Vec<u8>>>>;

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
    let lines = Lines::default();
    first.input = recording(&lines);
    second.input = replaying(lines);
    let mut engine = program::start(first, Engine::new)?;
    program::add(&mut engine, &config.program.source, text, config.messages)?;
    engine.executor_mut().profile(Scheme::named("bl").expect("the registry has it"));
    let stop = program::stop_on_ctrl_c(&engine);
    // A failure ends the second run in the same way, which tells of it.
    if let Err(RunError::Failure(failure)) = engine.run()
        && failure.kind == FailureKind::Interrupted
    {
        return Err(refuse(&"interrupted in the silent run that comes first", Exit::Interrupted));
    }
    stop.into_iter().for_each(Stop::end);
    let profile = engine.path_profile();
    let learned = |profile: PathProfile| BaseRun {
        loops: k_choice::chosen(&engine, config.scheme, &profile),
        frequencies: profile.frequencies(),
    };
    Ok(profile.map(learned).unwrap_or_default())
}

fn recording(lines: &Lines) -> Input {
    let lines = Arc::clone(lines);
    Input::Callback(Box::new(move || {
        let line = Input::Stdin.read_line()?;
        lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        Some(line)
    }))
}

fn replaying(lines: Lines) -> Input {
    let mut at = 0;
    Input::Callback(Box::new(move || {
        let known = lines.lock().unwrap_or_else(PoisonError::into_inner).get(at).cloned();
        at += 1;
        known.or_else(|| Input::Stdin.read_line())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_run_reads_what_the_first_read() {
        let lines = Lines::default();
        lines.lock().unwrap().extend([b"one".to_vec(), b"two".to_vec()]);
        let mut again = replaying(lines);
        assert_eq!([again.read_line(), again.read_line()], [Some(b"one".to_vec()), Some(b"two".to_vec())]);
    }
}

//! The base run of `profile --k auto`: acyclic paths choose k for each loop.
//!
//! In: the configuration of a profile. Out: the loops that are chosen. Invariant: the program's own run sees the same input and nothing else of the
//! base run: that prints nothing, and the lines that it reads are kept for the second run, which then reads on.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::{Exit, k_choice, program};
use crate::config::ProfileConfig;
use crate::engine::{Config, Engine};
use crate::runtime::{Input, Sink};
use holloway_profiler::scheme::{LoopIterations, Scheme};

/// The lines that were read.
type Lines = Arc<Mutex<Vec<Vec<u8>>>>;

/// Runs the program once, and makes `second` read what that read.
pub(super) fn choose_loops(config: &ProfileConfig, second: &mut Config) -> Result<LoopIterations, Exit> {
    let silent = Sink::Callback(Box::new(|_| {}));
    let mut first = program::engine(&config.execution, &config.program.args, silent)?;
    first.tier = second.tier;
    let lines = Lines::default();
    first.input = recording(&lines);
    second.input = replaying(lines);
    let mut engine = program::start(first, Engine::new)?;
    program::load(&mut engine, &config.program.source, config.messages)?;
    engine.executor_mut().profile(Scheme::named("bl").expect("the registry has it"));
    // A failure ends the second run in the same way, which tells of it.
    let _ = engine.run();
    let profile = engine.path_profile();
    Ok(profile.map(|profile| k_choice::chosen(&engine, config.scheme, &profile)).unwrap_or_default())
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

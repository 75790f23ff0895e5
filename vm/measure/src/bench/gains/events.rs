//! The events of one run of the adaptive system.
//!
//! In: the command of a run. Out: its events, from the file that it writes them to. Invariant: a run that fails has
//! none.

use std::ffi::OsString;
use std::fs;

use super::super::child::{ChildError, Children, CommandLine};
use super::super::results::BenchError;
use super::super::workspace::Workspace;
use holloway_aos::event::Event;
use holloway_aos::event_file;

/// The events of a run of the whole system. A failure is not told here: the race of the same command tells it.
pub(in crate::bench) fn events_of(
    run: &CommandLine,
    workspace: &Workspace,
    children: &Children,
) -> Result<Vec<Event>, BenchError> {
    let file = workspace.path().join("events.json");
    // Another program's, if there is one; a run that fails early leaves none of its own.
    let _ = fs::remove_file(&file);
    let (command, options) = run.args.split_first().expect("a run has a command");
    let events = [command.clone(), OsString::from("--events"), file.clone().into_os_string()];
    let args = events.into_iter().chain(options.iter().cloned()).collect();
    match children.run(&CommandLine { args, ..run.clone() }) {
        Ok(_) | Err(ChildError::TimedOut(_)) => {}
        Err(ChildError::Interrupted) => return Err(BenchError::Interrupted),
        Err(ChildError::System(error)) => return Err(BenchError::Workspace(error)),
    }
    let text = fs::read_to_string(&file).unwrap_or_default();
    Ok(event_file::read(&text).unwrap_or_default())
}

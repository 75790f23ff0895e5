//! The recorded run, executed again with the addresses of its accesses to memory: kept whole, or counted and told as it goes.
//!
//! In: a runtime that holds the program and gives the inputs of the recorded run again; the recorded path. Out: a [`ProgramExecution`]:
//! activations along path traces, as the engines of `holloway_profiler::wpp` ask for them, and the accesses to memory.
//!
//! Kept is only what depends on the execution: blocks, calls, failures, and for each access to an element, a field or a length which
//! store it reads. Locals and globals follow from the IR and the path [ZG01 section 4].
//!
//! Invariant: what is returned is the recorded path, block by block, as far as that goes; anything else is an error. The recording may end
//! earlier than the program: a limit or a signal ended it. Then it lacks the last blocks of the activations that were live; those before its
//! last block are part of what is returned.

mod block_watcher;
mod definition_watcher;
mod expression_watcher;
mod forward_watcher;
mod last_access;
mod line_visits;
mod linear_effects;
mod linear_shadow;
mod memory;
mod memory_effects;
mod memory_watcher;
mod order;
mod outcome;
mod path_check;
mod rerun;
mod shadow;
mod touched;
mod unique_traces;
mod watcher;

pub use last_access::ValueCounts;
pub use memory::MemoryAccesses;
pub use order::ExecutionOrder;
pub use outcome::{ExecutionError, ProgramExecution, RecordedPath};
pub use rerun::{Rerun, RootCall, run};

use super::answer_error::AnswerError;
use super::facts::asked_expressions::AskedExpressions;
use super::facts::place::{Site, SourceLine, SourceProgram};
use block_watcher::BlockWatcher;
use cranelift_entity::PrimaryMap;
use definition_watcher::{DefinitionWatcher, MeantVariable, ReachingDefinitions};
use expression_watcher::ExpressionWatcher;
use forward_watcher::ForwardWatcher;
pub(in crate::trace) use forward_watcher::{ValueQuestion, WatchedValue};
use holloway_interp::{Interpreter, Observer};
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::wpp::slice::{Procedure, ProcedureId};
use last_access::AccessWatcher;
use line_visits::LineVisits;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use watcher::Watcher;

/// Executes a run again in the interpreter: mostly from the first top-level statement to the end of `main`. Without a recorded path
/// every execution is accepted.
pub fn execute<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
) -> Result<ProgramExecution, ExecutionError> {
    execute_keeping(true, rerun.into(), recorded)
}

/// The same without the accesses to memory, which take most of the room.
pub fn execute_path<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
) -> Result<ProgramExecution, ExecutionError> {
    execute_keeping(false, rerun.into(), recorded)
}

/// The observer of a run that is executed again, once it is over.
fn watched<O: Observer>(rerun: Rerun<'_>, watcher: O) -> O {
    let mut interpreter = Interpreter::with_observer(watcher);
    rerun.run(&mut interpreter);
    interpreter.observer
}

fn execute_keeping(
    keeps_memory: bool,
    rerun: Rerun<'_>,
    recorded: Option<RecordedPath<'_>>,
) -> Result<ProgramExecution, ExecutionError> {
    let module = Arc::clone(rerun.runtime.module());
    let watcher = Watcher::new(&module, recorded, rerun.runtime.interrupt_handle(), keeps_memory);
    watched(rerun, watcher).finish()
}

/// Executes the program likewise, and counts how often each of some loads had its value in hand. Nothing is kept of the path, so the run may be as long
/// as it likes.
pub fn count_loads<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
    asked: &[Site],
) -> Result<BTreeMap<Site, ValueCounts>, ExecutionError> {
    let rerun = rerun.into();
    let module = Arc::clone(rerun.runtime.module());
    let watcher = AccessWatcher::new(&module, recorded, rerun.runtime.interrupt_handle(), asked);
    watched(rerun, watcher).finish()
}

/// Executes the program likewise, and counts how often the value of each statement that is asked about was available.
/// Only statements that were executed are told.
pub(in crate::trace) fn count_available<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
    asked: &AskedExpressions,
) -> Result<BTreeMap<Site, ValueCounts>, ExecutionError> {
    let rerun = rerun.into();
    let module = Arc::clone(rerun.runtime.module());
    let watcher = ExpressionWatcher::new(&module, recorded, rerun.runtime.interrupt_handle(), asked);
    watched(rerun, watcher).finish()
}

/// Executes the program likewise, and counts which definitions of a variable reach a line.
pub(in crate::trace) fn watch_definitions<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
    (program, at, variable): (SourceProgram<'_>, SourceLine, &MeantVariable<'_>),
) -> Result<ReachingDefinitions, AnswerError> {
    let rerun = rerun.into();
    let module = Arc::clone(rerun.runtime.module());
    let visits = LineVisits::new(program, at).map_err(AnswerError::Place)?;
    let interrupt = rerun.runtime.interrupt_handle();
    let watcher = DefinitionWatcher::new(&module, recorded, interrupt, (visits, variable));
    watched(rerun, watcher).finish().map_err(AnswerError::Execution)?.map_err(AnswerError::Place)
}

/// Executes the program likewise, and computes the slice of a variable at an execution of a line, as it goes. Nothing is kept of the path; sets
/// of dependences may have so many nodes.
pub(in crate::trace) fn watch_value<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: Option<RecordedPath<'_>>,
    procedures: &PrimaryMap<ProcedureId, Procedure>,
    asked: (ValueQuestion<'_>, usize),
) -> Result<WatchedValue, ExecutionError> {
    let rerun = rerun.into();
    let module = Arc::clone(rerun.runtime.module());
    let watcher = ForwardWatcher::new(&module, recorded, rerun.runtime.interrupt_handle(), procedures, asked);
    watched(rerun, watcher).finish()
}

/// Executes the program likewise, and tells each block until it is enough. So the blocks that a recording lacks which was cut short are told, too.
pub fn tell_blocks<'a>(
    rerun: impl Into<Rerun<'a>>,
    recorded: RecordedPath<'_>,
    tell: impl FnMut(FuncRef, Block) -> ControlFlow<()>,
) -> Result<(), ExecutionError> {
    let rerun = rerun.into();
    let module = Arc::clone(rerun.runtime.module());
    let watcher = BlockWatcher::new(&module, recorded, rerun.runtime.interrupt_handle(), tell);
    watched(rerun, watcher).finish()
}

//! The recorded run, executed again with the addresses of its accesses to memory.
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

mod memory;
mod memory_watcher;
mod order;
mod shadow;
mod watcher;

pub use memory::MemoryAccesses;
pub use order::ExecutionOrder;

use holloway_interp::{Interpreter, Observer};
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::wpp::ReplayCheck;
use holloway_profiler::wpp::slice::Execution;
use holloway_runtime::Runtime;
use holloway_runtime::builtins;
use std::fmt;
use std::sync::Arc;
use watcher::Watcher;

/// A recording that an execution is compared with.
pub enum RecordedPath<'a> {
    /// Blocks, in order of execution.
    Blocks(&'a mut dyn Iterator<Item = (FuncRef, Block)>),
    /// A recording that may have been cut short.
    Activations(ReplayCheck<'a>),
}

/// A program and an execution of it.
#[derive(Clone, Debug, Default)]
pub struct ProgramExecution {
    /// The functions, path traces and activations.
    pub execution: Execution,
    /// The accesses to memory.
    pub memory: MemoryAccesses,
    /// Number of blocks executed.
    pub blocks: u64,
}

/// Reasons for which a recorded run cannot be executed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutionError {
    /// Another block is executed than was recorded.
    Differs {
        /// The number of blocks before it.
        after: u64,
        /// The name and number of the recorded block; `None` if none was recorded here.
        recorded: Option<(String, u32)>,
        /// Those of the executed block; `None` if the program ends.
        found: Option<(String, u32)>,
    },
    /// More blocks than an execution is kept of.
    TooLong {
        /// The limit.
        most: u64,
    },
}

impl fmt::Display for ExecutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |(function, block): &(String, u32)| format!("{function}:block{block}");
        match self {
            ExecutionError::Differs { after, recorded, found } => {
                let found = found.as_ref().map_or_else(|| "the program ends".to_owned(), name);
                let recorded = recorded.as_ref().map_or_else(|| "a return".to_owned(), name);
                write!(f, "the run cannot be repeated: after {after} blocks {recorded} was recorded, but now ")?;
                write!(f, "{found}; its inputs or the program have changed")
            }
            ExecutionError::TooLong { most } => write!(f, "the run has more than {most} blocks, too many to ask about"),
        }
    }
}

impl std::error::Error for ExecutionError {}

/// Executes the runtime's program in the interpreter, from the first top-level statement to the end of `main`. Without a recorded path
/// every execution is accepted.
pub fn execute(runtime: &mut Runtime, recorded: Option<RecordedPath<'_>>) -> Result<ProgramExecution, ExecutionError> {
    let module = Arc::clone(runtime.module());
    let watcher = Watcher::new(&module, recorded, runtime.interrupt_handle());
    let mut interpreter = Interpreter::with_observer(watcher);
    run(runtime, &mut interpreter);
    interpreter.observer.finish()
}

/// Calls the functions of the runtime's program as an engine does, until one fails.
pub fn run<O: Observer>(runtime: &mut Runtime, interpreter: &mut Interpreter<O>) {
    let module = Arc::clone(runtime.module());
    for func in &module.top_level {
        if interpreter.call(runtime, *func, &[]).is_err() {
            return;
        }
    }
    let Some(main) = module.main else { return };
    let mut words = Vec::new();
    if main.takes_args {
        let Ok(array) = builtins::io::args(runtime) else { return };
        runtime.pin(array.word());
        words.push(array.word());
    }
    // A failing end was recorded, too.
    let _ = interpreter.call(runtime, main.func, &words);
}

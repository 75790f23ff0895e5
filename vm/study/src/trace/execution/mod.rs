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
mod outcome;
mod shadow;
mod watcher;

pub use memory::MemoryAccesses;
pub use order::ExecutionOrder;
pub use outcome::{ExecutionError, ProgramExecution, RecordedPath};

use holloway_interp::{Interpreter, Observer};
use holloway_runtime::Runtime;
use holloway_runtime::builtins;
use std::sync::Arc;
use watcher::Watcher;

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

//! A run that is executed again.
//!
//! In: a runtime with the program, and the calls that the run was; mostly the program tells them. Out: the same calls, of the interpreter.
//! Invariant: a call that fails, or ends the program, is the last one.

use holloway_interp::{Interpreter, Observer};
use holloway_lang::ir::FuncRef;
use holloway_runtime::{Runtime, builtins};
use std::sync::Arc;

/// A function of the program, and the words of its arguments.
pub type RootCall = (FuncRef, Vec<u64>);

/// A runtime, and the calls.
pub struct Rerun<'a> {
    pub(super) runtime: &'a mut Runtime,
    calls: Option<&'a [RootCall]>,
}

impl<'a> Rerun<'a> {
    /// These calls; without any, those of the functions that the program says run by themselves.
    pub fn new(runtime: &'a mut Runtime, calls: Option<&'a [RootCall]>) -> Rerun<'a> {
        Rerun { runtime, calls }
    }

    /// Makes the calls, until one fails.
    pub(super) fn run<O: Observer>(self, interpreter: &mut Interpreter<O>) {
        match self.calls {
            // A failing end was recorded, too.
            Some(calls) => _ = calls.iter().all(|(func, words)| interpreter.call(self.runtime, *func, words).is_ok()),
            None => run(self.runtime, interpreter),
        }
    }
}

impl<'a> From<&'a mut Runtime> for Rerun<'a> {
    fn from(runtime: &'a mut Runtime) -> Rerun<'a> {
        Rerun::new(runtime, None)
    }
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

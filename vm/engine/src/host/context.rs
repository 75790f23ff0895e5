//! The program that has called a function of the host, for that function.
//!
//! In: calls of a [`Function`](crate::Function). Out: their results. Invariant: what the host calls here runs inside of the
//! call that the program made: within its limits, and deeper on its stack.

use crate::error::CallError;
use holloway_runtime::Runtime;
use holloway_runtime::host::{self, Caller};

/// The program that has called a function of the host.
pub struct Context<'a> {
    pub(crate) caller: &'a mut dyn Caller<Runtime>,
    /// The engine that runs it.
    pub(crate) engine: u64,
}

impl Context<'_> {
    pub(crate) fn runtime(&mut self) -> &mut Runtime {
        self.caller.runtime()
    }

    pub(crate) fn call_words(
        &mut self,
        func: holloway_lang::ir::FuncRef,
        words: &[u64],
    ) -> Result<Option<u64>, CallError> {
        host::call_back(self.caller, func, words).map_err(|unwind| CallError::Run(unwind.into()))
    }
}

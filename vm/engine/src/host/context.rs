//! The program that has called a function of the host, for that function.
//!
//! In: calls of a [`Function`](crate::Function) or a [`DynamicFunction`](crate::DynamicFunction). Out: their results. Invariant: what the host calls here runs inside of the
//! call that the program made: within its limits, and deeper on its stack.

use super::types::Types;
use crate::error::CallError;
use crate::types::Word;
use holloway_lang::ir::TypeRef;
use holloway_runtime::Runtime;
use holloway_runtime::host::{self, Caller};

/// The program that has called a function of the host.
pub struct Context<'a> {
    pub(crate) caller: &'a mut dyn Caller<Runtime>,
    /// The types of the function.
    pub(super) types: &'a Types,
    /// The operands of its call, which the program keeps while it runs.
    pub(super) words: &'a [u64],
}

impl Context<'_> {
    /// The engine that runs the program.
    pub(crate) fn engine(&self) -> u64 {
        self.types.engine
    }

    /// An argument of the function, with its type.
    pub(crate) fn argument(&self, at: usize) -> Option<(TypeRef, Word)> {
        let ty = *self.types.params.get(at)?;
        Some((ty, self.types.word(self.words, at)))
    }

    /// The type of a parameter of the function, as programs write it.
    #[doc(hidden)]
    pub fn parameter_type(&mut self, at: usize) -> Option<String> {
        let ty = *self.types.params.get(at)?;
        Some(self.runtime().module().type_name(ty))
    }

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

//! Functions of the host whose types are a text.
//!
//! In: a declaration as a program would write it, and a closure over values. Out: a function that programs call.
//! Invariant: what the closure gives is converted by the type that was declared; a value of another type is a failure.

use super::context::Context;
use super::function::{end_of, failure};
use super::types::Types;
use crate::engine::Engine;
use crate::error::{CallError, DeclareError};
use crate::value::{self, Value};
use holloway_runtime::Runtime;
use holloway_runtime::host::{Caller, HostFunction};
use std::fmt::Display;
use std::sync::Arc;

impl Engine {
    /// Gives programs that are loaded from now on a function of the host whose declaration is a text, such as
    /// `fn lookup(key: str) -> int?`: for hosts that know the types only when they run. An `Err` is a failure that programs may
    /// catch. A function without a result gives anything. Types of the host in it must have been declared before.
    pub fn function_as<E: Display>(
        &mut self,
        declaration: &str,
        function: impl Fn(&mut Context<'_>, &[Value]) -> Result<Value, E> + Send + Sync + 'static,
    ) -> Result<(), DeclareError> {
        self.refuse_declaration(declaration)?;
        let declared = self.session.declare_function(declaration).map_err(DeclareError::Diagnostics)?;
        let declared = declared.ok_or_else(|| DeclareError::Declaration(declaration.to_owned()))?;
        self.install_session();
        self.expect_values_from_elsewhere();
        let module = self.session.module();
        let decl = &module.funcs[declared.func];
        let name = decl.body.name.clone();
        let sig = &module.sigs[decl.sig];
        let types = Types { params: sig.params.clone(), result: sig.result, engine: self.id };
        let over_words = move |caller: &mut dyn Caller<Runtime>, words: &[u64]| {
            let args = arguments(caller.runtime(), &types, words).map_err(end_of)?;
            let answer = function(&mut Context { caller: &mut *caller, types: &types, words }, &args);
            let value = answer.map_err(|error| failure(&error))?;
            let Some(ty) = types.result else { return Ok(0) };
            value::to_word(caller.runtime(), types.engine, ty, &value).map_err(end_of)
        };
        self.executor.runtime_mut().hosts.set(declared.host, &name, HostFunction::CallsBack(Arc::new(over_words)));
        Ok(())
    }
}

/// The arguments of a call as values.
fn arguments(rt: &Runtime, types: &Types, words: &[u64]) -> Result<Vec<Value>, CallError> {
    types.params.iter().enumerate().map(|(at, ty)| value::of_word(rt, *ty, types.word(words, at).0)).collect()
}

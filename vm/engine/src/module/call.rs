//! Calls of exports.
//!
//! In: a name and values. Out: values. Invariant: values have the types of the export before anything runs.

use super::value::WasmValue;
use crate::engine::Engine;
use crate::error::{CallError, RunError};
use holloway_ir::FuncRef;
use holloway_wasm::{Export, ExportedFunction};

impl Engine {
    /// Calls an exported function. The module is instantiated first, if it was not yet.
    pub fn call_export(&mut self, name: &str, args: &[WasmValue]) -> Result<Vec<WasmValue>, CallError> {
        self.begin().map_err(CallError::Run)?;
        let Some(Export::Function(ExportedFunction { func, ty, further_results })) = self.wasm.exports.get(name) else {
            return Err(CallError::UnknownFunction(name.to_owned()));
        };
        if ty.params.len() != args.len() {
            return Err(CallError::ArgumentCount { expected: ty.params.len(), found: args.len() });
        }
        if let Some((ty, arg)) = ty.params.iter().zip(args).find(|(ty, arg)| **ty != arg.ty()) {
            return Err(CallError::Type { expected: ty.to_string(), found: arg.ty().to_string() });
        }
        if let Some(arg) = args.iter().find(|arg| !arg.is_of(self.session.module())) {
            return Err(CallError::Type { expected: "function of the module".to_owned(), found: arg.to_string() });
        }
        let words: Vec<u64> = args.iter().map(|arg| arg.word()).collect();
        let first = self.executor.call(*func, &words).map_err(|unwind| CallError::Run(unwind.into()))?;
        let globals = self.executor.runtime().globals();
        let words = first.into_iter().chain(further_results.iter().map(|global| globals.get(*global)));
        Ok(ty.results.iter().zip(words).map(|(ty, word)| WasmValue::of_word(*ty, word)).collect())
    }

    /// The value of an exported global.
    pub fn exported_global(&mut self, name: &str) -> Result<WasmValue, CallError> {
        self.begin().map_err(CallError::Run)?;
        match self.wasm.exports.get(name) {
            Some(Export::Global(global, variable)) => {
                Ok(WasmValue::of_word(variable.ty, self.executor.runtime().globals().get(*global)))
            }
            Some(Export::Function(_) | Export::Memory | Export::Table(_)) | None => {
                Err(CallError::UnknownGlobal(name.to_owned()))
            }
        }
    }

    /// The memory of the module, if it is instantiated.
    pub fn linear_memory(&self) -> Option<&[u8]> {
        self.executor.runtime().linear().map(|linear| linear.memory.bytes())
    }

    /// The exports of the module, by name.
    pub fn exports(&self) -> impl Iterator<Item = (&str, &Export)> {
        self.wasm.exports.iter().map(|(name, export)| (name.as_str(), export))
    }

    /// The call of an export with the arguments of the program that a run makes, if it is to make one.
    #[doc(hidden)]
    pub fn export_call(&self) -> Option<Result<(FuncRef, Vec<u64>), RunError>> {
        let name = self.wasm.invoked()?;
        let words = |(function, args): (&ExportedFunction, Vec<WasmValue>)| {
            (function.func, args.iter().map(|arg| arg.word()).collect())
        };
        Some(self.invocation(&name).map(words))
    }

    /// An export, and the arguments of the program as values of its parameters.
    fn invocation(&self, name: &str) -> Result<(&ExportedFunction, Vec<WasmValue>), RunError> {
        let Some(Export::Function(function)) = self.wasm.exports.get(name) else {
            return Err(RunError::Setup(format!("the module exports no function `{name}`")));
        };
        let ty = &function.ty;
        let texts = &self.executor.runtime().args;
        if texts.len() != ty.params.len() {
            let (wanted, given) = (ty.params.len(), texts.len());
            return Err(RunError::Setup(format!("`{name}` takes {wanted} arguments, and {given} are given")));
        }
        let mut args = Vec::new();
        for (ty, text) in ty.params.iter().zip(texts) {
            let text = String::from_utf8_lossy(text);
            let arg = WasmValue::parse(*ty, &text);
            args.push(arg.ok_or_else(|| RunError::Setup(format!("`{text}` is no {ty}, which `{name}` takes")))?);
        }
        Ok((function, args))
    }

    /// Calls an export with the arguments of the program, and prints its results, one a line. What does not fit it is said before anything runs.
    pub(crate) fn invoke(&mut self, name: &str) -> Result<i32, RunError> {
        let (_, args) = self.invocation(name)?;
        let results = self.call_export(name, &args).map_err(|error| match error {
            CallError::Run(error) => error,
            other => RunError::Setup(other.to_string()),
        })?;
        let text: String = results.iter().map(|value| format!("{value}\n")).collect();
        let output = &mut self.executor.runtime_mut().output;
        output.write_with(|buffer| buffer.extend_from_slice(text.as_bytes()));
        output.flush();
        Ok(0)
    }
}

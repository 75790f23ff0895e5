//! Globals of a program, read and written by the host, and the values of expressions.
//!
//! In: the name of a global, or an expression; a Rust type. Out: the value. Invariant: statements that did not run yet run
//! first, so that no global is read before it is initialised.

use crate::engine::Engine;
use crate::error::{CallError, EvalError, LoadError, RunError};
use crate::types::{Program, Type, Word};
use crate::value::{self, Value};
use holloway_lang::ast::Mutability;
use holloway_lang::ir::{Global, TypeRef};
use holloway_lang::session::Input;

impl Engine {
    /// The value of a global.
    pub fn get<T: Type>(&mut self, name: &str) -> Result<T, CallError> {
        let (global, ty, _) = self.global::<T>(name)?;
        let rt = self.executor.runtime_mut();
        let word = rt.globals().get(global);
        T::of_word(&mut Program { rt, engine: self.id }, ty, Word(word))
    }

    /// Gives a global a value. One that is a `let` has its value for ever.
    pub fn set<T: Type>(&mut self, name: &str, value: T) -> Result<(), CallError> {
        let (global, ty, mutability) = self.global::<T>(name)?;
        if mutability == Mutability::Fixed {
            return Err(CallError::NotAVariable(name.to_owned()));
        }
        // Code may rely on what the program itself gives it.
        self.expect_values_from_elsewhere();
        let rt = self.executor.runtime_mut();
        let pins = rt.pinned();
        let word = value.into_word(&mut Program { rt, engine: self.id }, ty);
        let rt = self.executor.runtime_mut();
        rt.unpin_to(pins);
        rt.globals_mut().set(global, word?.0);
        Ok(())
    }

    /// A global whose type is the one given.
    fn global<T: Type>(&mut self, name: &str) -> Result<(Global, TypeRef, Mutability), CallError> {
        self.begin().map_err(CallError::Run)?;
        let unknown = || CallError::UnknownGlobal(name.to_owned());
        let (global, mutability) = self.session.global(name).ok_or_else(unknown)?;
        let described = T::describe();
        if described.is_open() {
            self.expect_values_from_elsewhere();
        }
        let module = self.session.module();
        let ty = module.globals[global].ty;
        match described.fits(module, &self.opaque_types, ty) {
            true => Ok((global, ty, mutability)),
            false => Err(CallError::Type { expected: module.type_name(ty), found: described.text(&self.opaque_types) }),
        }
    }

    /// Runs statements, and gives the value of the expression at their end, if there is one. What they define stays, and
    /// takes the place of what had its name before. A `main` among it is what [`Engine::run`] calls next.
    pub fn eval(&mut self, text: &str) -> Result<Option<Value>, EvalError> {
        let failed = |error: RunError| EvalError::Call(CallError::Run(error));
        self.refuse_module("eval").map_err(EvalError::Load)?;
        self.begin().map_err(failed)?;
        let input = Input { name: "eval", key: None, bytes: text.as_bytes() };
        let (session, loader) = self.session_for_memory();
        let added =
            session.add_valued(input, loader).map_err(|found| EvalError::Load(LoadError::Diagnostics(found)))?;
        self.install_session();
        self.main = added.main.or(self.main);
        let last = self.run_added(&added, &[]).map_err(failed)?;
        self.session.settle();
        let runtime = self.executor.runtime();
        let value = added.shown.zip(last).map(|(ty, word)| value::of_word(runtime, ty, word));
        value.transpose().map_err(EvalError::Call)
    }
}

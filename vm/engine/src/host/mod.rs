//! Functions of the host, which programs call.
//!
//! In: a closure whose types stand for types of programs. Out: a function that every program loaded from then on can call.
//! Invariant: the program knows the function by a declaration in its own language, so its calls are checked as all others
//! are, and the closure gets words of the types that it was declared with.

mod context;
mod declared;
mod function;
mod param;
mod types;

pub use context::Context;
pub use function::{Answer, HostFunction};
pub(crate) use param::owned;
pub use param::{Given, Param};

use crate::engine::Engine;
use crate::error::DeclareError;
use crate::names::is_name;
use crate::types::Described;
use function::Declared;
use holloway_lang::session;
use types::Types;

impl Engine {
    /// Gives programs that are loaded from now on a function of the host. A function of a program that has the same name
    /// hides it.
    ///
    /// The types come from the closure: see [`Type`](crate::Type). A string may be borrowed (`&str`), a value of the host,
    /// too. An `Err` is a failure of the call, which the program may catch; so is a panic. With a first parameter
    /// `&mut Context` the closure can call the program; it may then be called while it runs.
    pub fn function<M>(&mut self, name: &str, function: impl HostFunction<M>) -> Result<(), DeclareError> {
        let Declared { params, result, calls_back } = function.declared();
        let is_open = calls_back || params.iter().chain(&result).any(|described| !described.is_plain());
        let declared = self.declare(name, &params, result.as_ref())?;
        if is_open {
            self.expect_values_from_elsewhere();
        }
        let module = self.session.module();
        let sig = &module.sigs[module.funcs[declared.func].sig];
        let types = Types { params: sig.params.clone(), result: sig.result, engine: self.id };
        self.executor.runtime_mut().hosts.set(declared.host, name, function.over_words(types));
        Ok(())
    }

    /// Declares a function of the host, and the structs and enums in its types.
    fn declare(
        &mut self,
        name: &str,
        params: &[Described],
        result: Option<&Described>,
    ) -> Result<session::HostFunction, DeclareError> {
        if !is_name(name) {
            return Err(DeclareError::Name(name.to_owned()));
        }
        self.refuse_declaration(name)?;
        let mut text = String::new();
        let mut host_types = self.host_types.clone();
        host_types.define(params.iter().chain(result), &self.opaque_types, &mut text)?;
        let letters = "abcdefghijklmnopqrstuvwxyz".chars();
        let written = |ty: &Described| ty.text(&self.opaque_types);
        let params: Vec<String> =
            letters.zip(params).map(|(letter, ty)| format!("{letter}: {}", written(ty))).collect();
        let result = result.map(|ty| format!(" -> {}", written(ty))).unwrap_or_default();
        text += &format!("fn {name}({}){result} {{ loop {{ }} }}\n", params.join(", "));
        let declared = self.session.declare_host(&text).map_err(DeclareError::Diagnostics)?;
        self.host_types = host_types;
        self.install_session();
        Ok(*declared.last().expect("a function was declared"))
    }

    /// Refuses to declare something in a module of WebAssembly, whose imports have the numbers of the host's functions.
    pub(crate) fn refuse_declaration(&self, name: &str) -> Result<(), DeclareError> {
        match self.session.is_foreign() {
            true => Err(DeclareError::OfModule(name.to_owned())),
            false => Ok(()),
        }
    }
}

//! Functions of the host, which programs call.
//!
//! In: a closure whose types stand for types of programs. Out: a function that every program loaded from then on can call.
//! Invariant: the program knows the function by a declaration in its own language, so its calls are checked as all others
//! are, and the closure gets words of the types that it was declared with.

mod context;
mod declared;
mod function;
mod param;

pub use context::Context;
pub use function::{Answer, HostFunction};
pub use param::{Given, Param};

use crate::engine::Engine;
use crate::error::DeclareError;
use crate::names::is_name;
use crate::types::Described;
use function::{Declared, Types};
use holloway_lang::session;
use std::sync::Arc;

impl Engine {
    /// Gives programs that are loaded from now on a function of the host. A function of a program that has the same name
    /// hides it.
    ///
    /// The types come from the closure: see [`Type`](crate::Type). A string may be borrowed (`&str`), a value of the host,
    /// too. An `Err` is a failure of the call, which the program may catch; so is a panic. With a first parameter
    /// `&mut Context` the closure can call the program; it may then be called while it runs.
    pub fn function<M>(&mut self, name: &str, function: impl HostFunction<M>) -> Result<(), DeclareError> {
        let Declared { mut params, mut result, calls_back } = function.declared();
        let is_open = calls_back || params.iter().chain(&result).any(|described| !described.is_plain());
        params.iter_mut().chain(&mut result).for_each(|described| described.name_opaque(&self.opaque_types));
        let declared = self.declare(name, &params, result.as_ref())?;
        if is_open {
            self.executor.expect_values_from_elsewhere();
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
        if let Some(rust) = params.iter().chain(result).find_map(Described::nameless) {
            return Err(DeclareError::Nameless(rust));
        }
        let mut text = String::new();
        for described in params.iter().chain(result) {
            self.definitions_of(described, &mut text);
        }
        let letters = "abcdefghijklmnopqrstuvwxyz".chars();
        let params: Vec<String> = letters.zip(params).map(|(letter, ty)| format!("{letter}: {ty}")).collect();
        let result = result.map(|ty| format!(" -> {ty}")).unwrap_or_default();
        text += &format!("fn {name}({}){result} {{ loop {{ }} }}\n", params.join(", "));
        let declared = self.declare_text(&text)?;
        Ok(*declared.last().expect("a function was declared"))
    }

    /// Declares types and functions of the host.
    pub(crate) fn declare_text(&mut self, text: &str) -> Result<Vec<session::HostFunction>, DeclareError> {
        let declared = self.session.declare_host(text).map_err(DeclareError::Diagnostics)?;
        self.executor.install(Arc::clone(self.session.module()));
        self.executor.set_sources(self.session.sources());
        Ok(declared)
    }

    /// Appends the definitions of structs and enums that programs do not know yet.
    pub(crate) fn definitions_of(&mut self, described: &Described, text: &mut String) {
        let mut named = Vec::new();
        described.each(&mut |part| named.push(part.clone()));
        for part in named {
            let (name, parts) = match &part {
                Described::Struct(name, fields) => (*name, fields().into_iter().map(|(_, ty)| ty).collect::<Vec<_>>()),
                Described::Enum(name, variants) => (*name, variants().into_iter().flat_map(|(_, of)| of).collect()),
                _ => continue,
            };
            if self.host_types.insert(name) {
                *text += &part.definition(&self.opaque_types).expect("it is a struct or an enum");
                text.push('\n');
                parts.iter().for_each(|part| self.definitions_of(part, text));
            }
        }
    }
}

//! Imports of programs that come from memory.
//!
//! In: a closure of the host that knows texts by name. Out: what the session loads. Invariant: unless the host gives such
//! a closure, a program from memory imports nothing: it does not see the file system.

use crate::engine::{Engine, MemoryFiles};
use holloway_lang::session::{Loader, Resolved};
use std::fmt::Display;

/// A loader that asks a closure.
struct Closure<F>(F);

impl<F, T, E> Loader for Closure<F>
where
    F: FnMut(&str) -> Result<T, E>,
    T: Into<Vec<u8>>,
    E: Display,
{
    fn resolve(&mut self, _: Option<&str>, path: &str) -> Result<Resolved, String> {
        Ok(Resolved { key: path.to_owned(), name: path.to_owned() })
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        (self.0)(key).map(T::into).map_err(|error| error.to_string())
    }
}

impl Engine {
    /// Has programs from memory import what a closure gives for the path that they write. Paths that differ are different
    /// texts; each is asked for once. An `Err` is the reason in the message of the import. Programs of
    /// [`Engine::load_file`] import files, as before.
    pub fn imports<T, E>(&mut self, resolver: impl FnMut(&str) -> Result<T, E> + Send + 'static)
    where
        T: Into<Vec<u8>> + 'static,
        E: Display + 'static,
    {
        self.memory_files = MemoryFiles::Host(Box::new(Closure(resolver)));
    }
}

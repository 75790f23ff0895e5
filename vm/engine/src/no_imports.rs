//! The source of imports of programs from memory, unless the host gives one: there are none.

use holloway_lang::session::{Loader, Resolved};

/// A loader that has nothing.
pub(crate) struct NoImports;

impl Loader for NoImports {
    fn resolve(&mut self, _: Option<&str>, _: &str) -> Result<Resolved, String> {
        Err("the host gives nothing to import".to_owned())
    }

    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("the host gives nothing to import".to_owned())
    }
}

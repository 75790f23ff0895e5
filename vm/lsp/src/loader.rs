//! The files that programs import, as the editor shows them.
//!
//! In: paths of imports. Out: the text that is open, else that of the file. Invariant: a file that is open counts, also
//! before it is saved for the first time.

use std::path::Path;

use holloway::internals::{Files, destination};
use holloway_lang::session::{Loader, Resolved};

use super::documents::Documents;

/// Reads open documents, and files that are not open.
pub(crate) struct OpenFirst<'d>(pub(crate) &'d Documents);

impl Loader for OpenFirst<'_> {
    fn resolve(&mut self, importer: Option<&str>, path: &str) -> Result<Resolved, String> {
        let named = |key: String| Resolved { name: key.clone(), key };
        let reason = match Files.resolve(importer, path) {
            Ok(found) => return Ok(named(found.key)),
            Err(reason) => reason,
        };
        let folder = importer.and_then(|key| Path::new(key).parent()).unwrap_or(Path::new(""));
        let key = destination(&folder.join(path)).to_string_lossy().into_owned();
        self.0.of_file(&key).map(|_| named(key)).ok_or(reason)
    }

    fn read(&mut self, key: &str) -> Result<Vec<u8>, String> {
        match self.0.of_file(key) {
            Some(document) => Ok(document.text.clone().into_bytes()),
            None => Files.read(key),
        }
    }
}

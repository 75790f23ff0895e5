//! A program that takes the place of an earlier text of itself, while it goes on.
//!
//! In: the new text. Out: the same engine, whose functions are those of the new text. Invariants: a global of both texts keeps
//! its value; on errors in the new text nothing changes. Statements that did not run yet run first, so no global is without a value.

use crate::engine::Engine;
use crate::error::{CallError, LoadError, ReloadError};
use crate::files::ProgramFile;
use holloway_lang::session::Input;
use std::path::Path;

impl Engine {
    /// Replaces a program that was loaded under this name. Its functions are those of the new text; a global of both keeps
    /// its value, and must have the same type. Of the new text's statements only those run that define new globals. On
    /// errors in it nothing changes.
    pub fn reload(&mut self, name: &str, text: impl AsRef<[u8]>) -> Result<(), ReloadError> {
        self.before_reload(name)?;
        let input = Input { name, key: None, bytes: text.as_ref() };
        let (session, loader) = self.session_for_memory();
        let added = session.reload(input, loader)?;
        self.take(added);
        Ok(())
    }

    /// Replaces a program of [`Engine::load_file`] by what the file has now.
    pub fn reload_file(&mut self, path: impl AsRef<Path>) -> Result<(), ReloadError> {
        let path = path.as_ref();
        self.before_reload(&path.to_string_lossy())?;
        let unread = |error| ReloadError::Load(LoadError::Io(path.to_owned(), error));
        let ProgramFile { name, key, bytes } = ProgramFile::read(path).map_err(unread)?;
        let input = Input { name: &name, key: Some(&key), bytes: &bytes };
        let added = self.session.reload(input, &mut *self.files)?;
        self.take(added);
        Ok(())
    }

    fn before_reload(&mut self, name: &str) -> Result<(), ReloadError> {
        if !self.loaded.contains(name) {
            return Err(ReloadError::Unknown(name.to_owned()));
        }
        self.refuse_module(name).map_err(ReloadError::Load)?;
        self.begin().map_err(|error| ReloadError::Run(CallError::Run(error)))
    }
}

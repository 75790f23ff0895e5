//! `:edit`: a definition, or the last input, in the person's own editor.
//!
//! In: a text. Out: the text as it was saved. Invariants: an editor that fails, and a text that stays as it was, run
//! nothing; the file is gone afterwards.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::workspace::{Ended, Workspace};
use crate::config::Source;
use crate::input;
use holloway_study::report::text::one_line;

impl Workspace {
    /// `:edit [NAME]`
    pub(super) fn edit(&mut self, name: Option<&str>) -> Ended {
        let text = match (name, &self.last) {
            (Some(name), _) => self.text_of(name),
            (None, Some(last)) => Ok(format!("{}\n", last.trim_end())),
            (None, None) => Err("there is no input yet; ':edit NAME' edits a definition".to_owned()),
        };
        let edited = text.and_then(|before| {
            let lent = self.interrupts.lend();
            let after = edited(&before, &editor())?;
            drop(lent);
            match after.trim_end() == before.trim_end() {
                true => Err("nothing was changed, so nothing was run".to_owned()),
                false => Ok(after),
            }
        });
        match edited {
            Err(reason) => self.refuse(&reason),
            Ok(after) if after.trim().is_empty() => self.refuse("the text is empty, so nothing was run"),
            Ok(after) => {
                self.edited = Some(after.trim_end().to_owned());
                self.evaluate_typed(&after)
            }
        }
    }
}

/// The person's editor: a command with perhaps some options.
fn editor() -> OsString {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".into())
}

/// The text as an editor leaves it.
fn edited(text: &str, editor: &OsString) -> Result<String, String> {
    let refused = |error: std::io::Error| format!("cannot edit: {error}");
    let mut file = tempfile::Builder::new().prefix("holloway-").suffix(".hw").tempfile().map_err(refused)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(refused)?;
    run(editor, file.path())?;
    // Some editors write another file and give it the name.
    let saved = input::read(&Source::File(file.path().to_owned())).map_err(|error| error.to_string())?;
    String::from_utf8(saved.bytes).map_err(|_| "what was saved is no UTF-8; nothing was run".to_owned())
}

fn run(editor: &OsString, path: &Path) -> Result<(), String> {
    let shown = one_line(&editor.to_string_lossy());
    let mut script = editor.clone();
    script.push(" \"$1\"");
    let status = Command::new("sh").arg("-c").arg(script).arg("sh").arg(path).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) if status.code() == Some(127) => {
            Err(format!("there is no editor '{shown}'; set VISUAL or EDITOR to one"))
        }
        Ok(_) => Err(format!("the editor '{shown}' failed, so nothing was run")),
        Err(error) => Err(format!("cannot start the editor '{shown}': {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_a_command_with_options() {
        let by = |editor: &str| edited("let x = 1\n", &editor.into());
        assert_eq!(by("sed -i s/1/22/").as_deref(), Ok("let x = 22\n"));
        assert_eq!(by("true").as_deref(), Ok("let x = 1\n"));
        assert_eq!(by("false").unwrap_err(), "the editor 'false' failed, so nothing was run");
        let missing = by("no-such-editor").unwrap_err();
        assert_eq!(missing, "there is no editor 'no-such-editor'; set VISUAL or EDITOR to one");
    }
}

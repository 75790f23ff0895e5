//! `:source`: the text of a definition.
//!
//! In: a name. Out: its definition as it was written, with its comment; for a built-in that is written in the language,
//! the functions of the prelude that it stands for. Invariant: a definition is shown with its whole lines, unless
//! something else stands on them.

use holloway_lang::session::Session;
use holloway_lang::words;

use super::definition_text::definition;
use super::workspace::{Ended, Workspace};
use holloway_study::report::text::one_line;

impl Workspace {
    /// `:source NAME`
    pub(super) fn source(&self, name: &str) -> Ended {
        match self.text_of(name) {
            Ok(text) => self.say(&text),
            Err(reason) => match prelude(name) {
                text if text.is_empty() => self.refuse(&reason),
                text => self.say(&text),
            },
        }
    }

    /// The text of a definition of the program, a newline at its end.
    pub(super) fn text_of(&self, name: &str) -> Result<String, String> {
        if let Some(found) = self.definition(name) {
            return Ok(format!("{}\n", definition(self.engine.sources(), found.span)));
        }
        let shown = one_line(name);
        if words::find(name).is_some() {
            return Err(match prelude(name).is_empty() {
                true => format!("'{shown}' is built in, and not written in Holloway; ':help {shown}' explains it"),
                false => format!("'{shown}' is built in and cannot be changed; ':source {shown}' shows its text"),
            });
        }
        Err(self.unknown(name, words::names()))
    }
}

/// The functions of the prelude that a built-in stands for.
fn prelude(name: &str) -> String {
    let texts = Session::prelude_text(name).into_iter();
    texts.map(|(file, text)| format!("// {file}\n{text}\n")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_ins_of_the_prelude_have_a_text() {
        assert!(prelude("map").starts_with("// prelude/sequence.hw\n"));
        assert_eq!(prelude("sqrt"), "");
    }
}

//! `:source`: the text of a definition.
//!
//! In: a name. Out: its definition as it was written, with its comment; for a built-in that is written in the language,
//! the functions of the prelude that it stands for. Invariant: a definition is shown with its whole lines, unless
//! something else stands on them.

use holloway_lang::session::Session;

use super::builtins::{BUILTINS, KEYWORDS};
use super::definition_text::{definition_around, with_comment};
use super::workspace::{Ended, Workspace};
use holloway_study::report::text::{nearest, one_line};

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
        let sources = self.engine.sources();
        if let Some(found) = self.engine.definition(name) {
            let span = definition_around(sources, found.span);
            return Ok(format!("{}\n", with_comment(sources, span)));
        }
        let name = one_line(name);
        if BUILTINS.iter().chain(&KEYWORDS).any(|(known, ..)| *known == name) {
            return Err(format!("'{name}' is built in, and not written in Holloway; ':help {name}' explains it"));
        }
        let hint = nearest(&name, self.engine.names()).map(|near| format!("; did you mean '{near}'?"));
        Err(format!("nothing is called '{name}'{}", hint.unwrap_or_default()))
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

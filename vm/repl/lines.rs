//! Where inputs come from: the line editor on a terminal that can do it, else plain lines.
//!
//! In: what is typed. Out: whole inputs, without prompts and margins. Invariant: an input that is handed over wants no
//! more lines, or the person ended it.

use std::io::{self, IsTerminal, Write};

use holloway_lang::parse::is_incomplete;

use super::command;
use super::complete::Scope;
use super::editor::LineEditor;
use super::keyboard::{Keyboard, Line};
use crate::config::ReplConfig;

/// Before an input.
pub(super) const PROMPT: &str = "> ";
/// Before each of its further lines; as wide.
pub(super) const CONTINUATION: &str = ". ";

/// What came of asking for an input.
pub(super) enum Read {
    /// An input.
    Input(String),
    /// The person thought better of it: Ctrl-C.
    Cleared,
    /// The person leaves: Ctrl-D.
    End,
}

/// See the module.
pub(super) enum Lines {
    /// The line editor.
    Edited(Box<LineEditor>),
    /// As the terminal gives them.
    Plain(Keyboard),
}

impl Lines {
    /// Chooses by what the terminal can do.
    pub(super) fn open(config: &ReplConfig, keyboard: Keyboard) -> Self {
        let able = io::stdout().is_terminal() && !is_dumb();
        let editor = able.then(|| LineEditor::open(config.messages.style.color, config.history.as_deref()).ok());
        match editor.flatten() {
            Some(editor) => Self::Edited(Box::new(editor)),
            None => Self::Plain(keyboard),
        }
    }

    /// The next input. `scope` is what names can be completed from.
    pub(super) fn read(&mut self, scope: Scope) -> Read {
        match self {
            Self::Edited(editor) => editor.read(scope),
            Self::Plain(keyboard) => read_plain(keyboard),
        }
    }
}

/// Returns true if an input that is typed so far goes on.
pub(super) fn wants_more(text: &str) -> bool {
    match command::code_in(text) {
        Some(code) => is_incomplete(code),
        None => !command::is_command(text) && is_incomplete(text),
    }
}

/// Returns true if the terminal can do no more than print; so say the terminals that the line editor gives up on, too.
fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| ["dumb", "cons25", "emacs"].contains(&term.as_str()))
}

fn read_plain(keyboard: &Keyboard) -> Read {
    let mut text = String::new();
    loop {
        say(if text.is_empty() { PROMPT } else { CONTINUATION });
        match keyboard.read_at_prompt() {
            Line::Text(line) => text.push_str(&String::from_utf8_lossy(&line)),
            Line::Interrupted => {
                say("\n");
                return Read::Cleared;
            }
            Line::End => {
                say("\n");
                return if text.is_empty() { Read::End } else { Read::Input(text) };
            }
        }
        if !wants_more(&text) {
            return Read::Input(text);
        }
    }
}

/// Writes to the terminal what does not belong into a file: prompts and what goes with them.
pub(super) fn say(text: &str) {
    let stdout = io::stdout();
    // Nobody is left to tell when both are closed.
    let _ = match stdout.is_terminal() {
        true => stdout.lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()),
        false => io::stderr().write_all(text.as_bytes()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_goes_on_until_it_is_whole() {
        for open in ["fn f() {", "1 +", "f(1,", ":time loop {", ":type [1,", "try { }", "/* a", "/// a", "x + 1 /* a"] {
            assert!(wants_more(open), "{open}");
        }
        for whole in
            ["", "1", "fn f() { }", ")", ":load a{b.hw", ":nonsense {", ":type x", ":ir (", "f(\"a", "{ `", "// a"]
        {
            assert!(!wants_more(whole), "{whole}");
        }
    }
}

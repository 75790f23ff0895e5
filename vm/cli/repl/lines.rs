//! Source of inputs: the line editor on a terminal that supports it, else plain lines, of a terminal or a stream.
//!
//! In: typed text, or the lines of a stream. Out: whole inputs, without prompts and margins. Invariant: a submitted
//! input is complete, or the person or the stream ended.

use std::io::{self, IsTerminal, Write};

use super::command::wants_more;
use super::editor::{LineEditor, Read};
use super::keyboard::{Keyboard, Line};
use super::margin::{self, CONTINUATION, PROMPT};
use super::typing::Names;
use crate::config::{Inputs, ReplConfig};

/// The source of inputs; see the module.
pub(super) enum Lines {
    /// The line editor.
    Edited(Box<LineEditor>),
    /// Plain lines from the terminal.
    Plain(Keyboard),
    /// Lines that nobody types, so without prompts.
    Stream(Keyboard),
}

impl Lines {
    /// Chooses by the terminal's abilities. `names` are those for completion.
    pub(super) fn open(config: &ReplConfig, keyboard: Keyboard, names: Names) -> Self {
        if config.inputs != Inputs::Terminal {
            return Self::Stream(keyboard);
        }
        let able = io::stdout().is_terminal() && !is_dumb();
        let editor = able.then(|| LineEditor::open(config.messages.style.color, config.history.as_deref(), names).ok());
        match editor.flatten() {
            Some(editor) => Self::Edited(Box::new(editor)),
            None => Self::Plain(keyboard),
        }
    }

    /// Reads the next input.
    pub(super) fn read(&mut self) -> Read {
        match self {
            Self::Edited(editor) => editor.read(),
            Self::Plain(keyboard) => read_plain(keyboard, say),
            Self::Stream(keyboard) => read_plain(keyboard, |_| {}),
        }
    }

    /// Adds an input that was not typed to the history.
    pub(super) fn remember(&mut self, text: &str) {
        if let Self::Edited(editor) = self {
            editor.remember(&margin::added(text));
        }
    }
}

/// Returns true if the terminal can only print; the terminals that the line editor gives up on count, too.
fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| ["dumb", "cons25", "emacs"].contains(&term.as_str()))
}

fn read_plain(keyboard: &Keyboard, say: fn(&str)) -> Read {
    let mut text = String::new();
    loop {
        keyboard.forget_interrupt();
        say(if text.is_empty() { PROMPT } else { CONTINUATION });
        match keyboard.read() {
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

/// Writes prompts and the like to the terminal, never to a file.
pub(super) fn say(text: &str) {
    let stdout = io::stdout();
    // If both are closed, there is nobody to tell.
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

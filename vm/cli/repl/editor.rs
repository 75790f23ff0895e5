//! The line editor: rustyline with our keys, colours and completion, and a history that outlives the session.
//!
//! In: keys. Out: inputs without their margins. Invariant: if the history cannot be read or written, nothing else
//! suffers.

use super::settings::MOST_INPUTS;
use std::path::{Path, PathBuf};

use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::highlight::{Part, painted};
use super::keys;
use super::margin::{self, PROMPT};
use super::typing::{Names, Typing};
use crate::{Exit, refuse};
use holloway_study::report::style::Color;

/// The result of reading an input.
pub(super) enum Read {
    /// An input.
    Input(String),
    /// The person discarded the input: Ctrl-C.
    Cleared,
    /// The person leaves: Ctrl-D.
    End,
}

/// The line editor; see the module.
pub(super) struct LineEditor {
    editor: Editor<Typing, FileHistory>,
    prompt: (&'static str, String),
    history: Option<PathBuf>,
}

impl LineEditor {
    /// An editor on this terminal.
    pub(super) fn open(color: Color, history: Option<&Path>, names: Names) -> rustyline::Result<Self> {
        let config = Config::builder()
            .max_history_size(MOST_INPUTS)?
            .history_ignore_dups(true)?
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .bell_style(BellStyle::None)
            // Colours are ours: the highlighter also draws the marks of further lines.
            .color_mode(ColorMode::Forced)
            .build();
        let mut editor = Editor::with_config(config)?;
        let restart = keys::Restart::default();
        keys::bind(&mut editor, &restart);
        editor.set_helper(Some(Typing::new(color, restart, names)));
        if let Some(path) = history {
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = editor.load_history(path);
        }
        let prompt = (PROMPT, painted(PROMPT, Part::Prompt, color));
        Ok(Self { editor, prompt, history: history.map(Path::to_owned) })
    }

    /// The next input.
    pub(super) fn read(&mut self) -> Read {
        if let Some(typing) = self.editor.helper_mut() {
            typing.begin();
        }
        match self.editor.readline(&self.prompt) {
            Ok(text) => {
                self.remember(&text);
                Read::Input(margin::removed(&text))
            }
            Err(ReadlineError::Eof) => Read::End,
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Read::Cleared,
            Err(error) => {
                refuse(&format_args!("cannot read from the terminal: {error}"), Exit::Failure);
                Read::End
            }
        }
    }

    /// Saves an input in the history, at once, so that it outlives any effect of the input. It is saved with its
    /// margins, to look the same when it is called back.
    pub(super) fn remember(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let added = self.editor.add_history_entry(text).unwrap_or(false);
        if let Some(path) = self.history.as_ref().filter(|_| added) {
            let _ = self.editor.append_history(path);
        }
    }
}

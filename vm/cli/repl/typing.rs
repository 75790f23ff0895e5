//! The helper of the line editor: completion, hints, colours, and the test if Enter ends an input.
//!
//! In: the text in the editor. Out: answers to rustyline's requests, by `complete`, `highlight` and `lines`.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};

use super::command::wants_more;
use super::complete::{Completion, Scope, complete};
use super::highlight::{Brackets, Part, highlighted, painted};
use super::keys::Restart;
use holloway_study::report::style::Color;

/// The source of the names for completion. They are asked for when they are needed, as to gather them takes as long as
/// the program is large.
pub(super) type Names = Rc<dyn Fn() -> Scope>;

/// The helper; see the module.
pub(super) struct Typing {
    color: Color,
    names: Names,
    restart: Restart,
    files: FilenameCompleter,
    history: HistoryHinter,
    /// Brackets are marked while the input is typed, not in its final form on the screen.
    brackets: Cell<Brackets>,
}

impl Typing {
    pub(super) fn new(color: Color, restart: Restart, names: Names) -> Self {
        let brackets = Cell::new(Brackets::Marked);
        Self { color, names, restart, files: FilenameCompleter::new(), history: HistoryHinter::new(), brackets }
    }

    /// Starts a new input.
    pub(super) fn begin(&mut self) {
        self.brackets.set(Brackets::Marked);
    }

    /// The programs and folders whose path starts with the text before the cursor.
    fn paths(&self, line: &str, at: usize) -> Result<(usize, Vec<Pair>)> {
        let (start, mut pairs) = self.files.complete_path(line, at)?;
        pairs.retain(|pair| pair.replacement.ends_with(['/', '"']) || pair.replacement.ends_with(".hw"));
        Ok((start, pairs))
    }
}

impl Helper for Typing {}

impl Hinter for Typing {
    type Hint = String;

    /// The rest of the last earlier input that starts as this one does, if both are one line. Without colours it could
    /// not be told from what is typed.
    fn hint(&self, line: &str, at: usize, context: &Context<'_>) -> Option<String> {
        let is_plain = self.color == Color::Plain;
        if is_plain || line.trim().is_empty() || at < line.len() || line.contains('\n') {
            return None;
        }
        self.history.hint(line, at, context).filter(|rest| !rest.contains('\n'))
    }
}

impl Validator for Typing {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        Ok(match wants_more(context.input()) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let pair = |word: String| Pair { display: word.clone(), replacement: word };
        if let Some(start) = self.restart.take() {
            let line_start = line[..at].rfind('\n').map_or(0, |newline| newline + 1);
            return Ok((line_start, vec![pair(start)]));
        }
        match complete(line, at, &(self.names)()) {
            Completion::Words { start, words } => Ok((start, words.into_iter().map(pair).collect())),
            Completion::Path => self.paths(line, at),
        }
    }
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        Cow::Owned(highlighted(line, at, self.brackets.get(), self.color))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(painted(hint, Part::Aside, self.color))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        let brackets = if kind == CmdKind::ForcedRefresh { Brackets::Unmarked } else { Brackets::Marked };
        self.brackets.set(brackets);
        true
    }
}

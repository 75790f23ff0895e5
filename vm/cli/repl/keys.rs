//! Keys with a special meaning in an input of several lines: Enter, Tab, Backspace, closing brackets.
//!
//! In: a key and the text in the editor. Out: the editor's action, if it differs from the editor's default.
//!
//! The editor has no command that replaces the start of a line and continues after it. Completion can; so such a key
//! leaves the new start in a [`Restart`] and asks for completion, which finds it there (`typing`).

use std::sync::{Arc, Mutex, PoisonError};

use rustyline::history::History;
use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, Helper, KeyCode, KeyEvent, Modifiers,
    RepeatCount,
};

use super::command::wants_more;
use super::margin;

/// The text that replaces the start of the cursor's line, up to the cursor.
#[derive(Clone, Default)]
pub(super) struct Restart(Arc<Mutex<Option<String>>>);

impl Restart {
    fn ask(&self, start: String) -> Cmd {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(start);
        Cmd::Complete
    }

    /// Takes the text that was asked for.
    pub(super) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A key with a special meaning.
#[derive(Clone, Copy)]
enum Key {
    /// Submits the input, or starts a line if the input is incomplete.
    Enter,
    /// Starts a line, even if the input is complete.
    NewLine,
    /// Indents a line at its start.
    Tab,
    /// Removes a level of indentation.
    Backspace,
    /// A closing bracket, which belongs under the line of its partner.
    Close(char),
}

/// The action of a key.
#[derive(PartialEq, Eq, Debug)]
enum Action {
    /// The editor's default.
    Usual,
    Insert(String),
    Restart(String),
}

struct Handler {
    key: Key,
    restart: Restart,
}

/// Binds the keys.
pub(super) fn bind<H: Helper, I: History>(editor: &mut Editor<H, I>, restart: &Restart) {
    let plain = |code| KeyEvent(code, Modifiers::NONE);
    let mut keys = vec![
        (plain(KeyCode::Enter), Key::Enter),
        (KeyEvent::ctrl('J'), Key::Enter),
        (KeyEvent(KeyCode::Enter, Modifiers::ALT), Key::NewLine),
        (plain(KeyCode::Tab), Key::Tab),
        (plain(KeyCode::Backspace), Key::Backspace),
    ];
    keys.extend(['}', ')', ']'].map(|bracket| (plain(KeyCode::Char(bracket)), Key::Close(bracket))));
    for (event, key) in keys {
        let handler = Handler { key, restart: restart.clone() };
        editor.bind_sequence(event, EventHandler::Conditional(Box::new(handler)));
    }
}

impl ConditionalEventHandler for Handler {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        match self.key.action(context.line(), context.pos()) {
            Action::Usual => None,
            Action::Insert(text) => Some(Cmd::Insert(1, text)),
            Action::Restart(start) => Some(self.restart.ask(start)),
        }
    }
}

impl Key {
    /// Returns its action on `text` with the cursor at `at`.
    fn action(self, text: &str, at: usize) -> Action {
        let before = &text[..at];
        let blanks = margin::blank_start(before);
        let restart = match self {
            Self::Enter if !wants_more(text) => None,
            Self::Enter | Self::NewLine => return Action::Insert(format!("\n{}", margin::after(before))),
            Self::Tab => return blanks.map_or(Action::Usual, |_| Action::Insert(margin::STEP.to_owned())),
            // When only the margin is left it is removed at once, as it shows a mark and no blanks.
            Self::Backspace => margin::outdented(before).or(blanks.filter(|b| !b.is_empty()).map(|_| String::new())),
            Self::Close(bracket) => margin::before_closing(before).map(|start| format!("{start}{bracket}")),
        };
        restart.map_or(Action::Usual, Action::Restart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(key: Key, text: &str) -> Action {
        key.action(text, text.len())
    }

    #[test]
    fn enter_starts_a_line_only_where_one_is_wanted() {
        assert_eq!(action(Key::Enter, "f(1)"), Action::Usual);
        assert_eq!(action(Key::Enter, "f("), Action::Insert("\n      ".to_owned()));
        assert_eq!(action(Key::NewLine, "f(1)"), Action::Insert("\n  ".to_owned()));
    }

    #[test]
    fn blank_starts_are_replaced() {
        assert_eq!(action(Key::Close('}'), "{\n      "), Action::Restart("  }".to_owned()));
        assert_eq!(action(Key::Backspace, "{\n      "), Action::Restart("  ".to_owned()));
        assert_eq!(action(Key::Backspace, "{\n  "), Action::Restart(String::new()));
    }

    #[test]
    fn keys_are_themselves_elsewhere() {
        for key in [Key::Tab, Key::Backspace, Key::Close(')')] {
            assert_eq!(action(key, "    "), Action::Usual);
            assert_eq!(action(key, "f(\n      x"), Action::Usual);
        }
        assert_eq!(action(Key::Backspace, "f(\n"), Action::Usual);
    }
}

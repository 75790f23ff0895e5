//! Keys that mean something else in an input of several lines: Enter, Tab, Backspace, closing brackets.
//!
//! In: a key and the text in the editor. Out: what the editor shall do, where that is not what it does by itself.

use rustyline::history::History;
use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, Helper, KeyCode, KeyEvent, Modifiers,
    Movement, RepeatCount,
};

use super::lines::wants_more;
use super::margin;

/// What a key does.
#[derive(Clone, Copy)]
enum Key {
    /// Hands the input over, or starts a line if it wants more.
    Enter,
    /// Starts a line, whatever the input wants.
    NewLine,
    /// Indents a line at its start.
    Tab,
    /// Takes a level of indentation back.
    Backspace,
    /// A closing bracket, which belongs under the line of its partner.
    Close(char),
}

/// Gives the keys their meaning.
pub(super) fn bind<H: Helper, I: History>(editor: &mut Editor<H, I>) {
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
        editor.bind_sequence(event, EventHandler::Conditional(Box::new(key)));
    }
}

impl ConditionalEventHandler for Key {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        self.command(context.line(), context.pos())
    }
}

impl Key {
    /// What it does to `text` with the cursor at `at`; `None` is what it does by itself.
    fn command(self, text: &str, at: usize) -> Option<Cmd> {
        let before = &text[..at];
        // Replacing up to the start of the line, for the editor gives counts of characters a meaning of their own.
        let restart = |start: String| Cmd::Replace(Movement::BeginningOfLine, Some(start));
        match self {
            Self::Enter if !wants_more(text) => None,
            Self::Enter | Self::NewLine => Some(Cmd::Insert(1, format!("\n{}", margin::after(before)))),
            Self::Tab => margin::blank_start(before).map(|_| Cmd::Insert(1, margin::STEP.to_owned())),
            Self::Backspace => match margin::outdented(before) {
                Some(start) => Some(restart(start)),
                // Only the margin is left: it goes at once, as it shows a mark and no blanks.
                None => {
                    margin::blank_start(before).filter(|b| !b.is_empty()).map(|_| Cmd::Kill(Movement::BeginningOfLine))
                }
            },
            Self::Close(bracket) => margin::before_closing(before).map(|start| restart(format!("{start}{bracket}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(key: Key, text: &str) -> Option<Cmd> {
        key.command(text, text.len())
    }

    #[test]
    fn enter_starts_a_line_only_where_one_is_wanted() {
        assert_eq!(inserted(Key::Enter, "f(1)"), None);
        assert_eq!(inserted(Key::Enter, "f("), Some(Cmd::Insert(1, "\n      ".to_owned())));
        assert_eq!(inserted(Key::NewLine, "f(1)"), Some(Cmd::Insert(1, "\n  ".to_owned())));
    }

    #[test]
    fn keys_are_themselves_elsewhere() {
        for key in [Key::Tab, Key::Backspace, Key::Close(')')] {
            assert_eq!(inserted(key, "    "), None);
            assert_eq!(inserted(key, "f(\n      x"), None);
        }
        assert_eq!(inserted(Key::Backspace, "f(\n"), None);
    }
}

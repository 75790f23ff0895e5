//! The form of what people and programs read: format, colours, width.
//!
//! In: what a user asked for. Out: values that reports are given. Invariant: they change nothing that is told.

/// The form of messages to the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageConfig {
    /// Their format.
    pub format: MessageFormat,
    /// Their colours and width.
    pub style: Style,
}

/// Colours and width of text for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Selects whether escape sequences are used.
    pub color: Color,
    /// Number of columns.
    pub width: usize,
}

/// Selects whether escape sequences are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Text alone.
    Plain,
    /// ANSI colours.
    Ansi,
}

/// Output for a person or for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// Text.
    Text,
    /// JSON.
    Json,
}

/// The shape of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// `FILE:LINE:COL: error: message`, one line each
    Short,
    /// with the source, for people
    Human,
    /// one JSON object a line
    Json,
}

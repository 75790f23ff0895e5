//! Messages to the user: typed errors and warnings with the spans they are about.
//!
//! In: made by every stage from source loading to checking. Out: rendered by the `holloway` package, which owns
//! colour and layout. Invariant: the text of a message comes only from its [`DiagnosticKind`], which carries the data;
//! a stage adds its kinds as one enum with `Display` and one variant of [`DiagnosticKind`] (see [`diagnostic_kinds`]).

pub use crate::settings::diagnostic::MAX_DIAGNOSTICS;
use crate::settings::diagnostic::MOST_QUOTED;
use std::fmt;

use crate::ast::BinaryOp;
pub use crate::check::error::CheckError;
pub use crate::check::warn::Warning;
use holloway_ir::Span;

/// One message to the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The error or warning with its data; its `Display` is the message.
    pub kind: DiagnosticKind,
    /// The span it is about.
    pub span: Span,
    /// Related spans, each with its relation to the message.
    pub labels: Vec<(Span, String)>,
    /// A suggested correction.
    pub help: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// The change of the text that mends it, where there is one that can be made without asking.
    pub fix: Option<Fix>,
}

/// A change of a text that mends what a message is about. It never changes what the program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The change in words.
    pub title: String,
    /// Its parts, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A part of a [`Fix`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The text that goes.
    pub span: Span,
    /// The text that comes in its place.
    pub text: String,
}

/// Severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The program does not run.
    Error,
    /// The program runs.
    Warning,
}

impl Diagnostic {
    /// An error of `kind` at `span`.
    pub fn error(kind: impl Into<DiagnosticKind>, span: Span) -> Self {
        let (labels, help, notes, fix) = (Vec::new(), None, Vec::new(), None);
        Self { severity: Severity::Error, kind: kind.into(), span, labels, help, notes, fix }
    }

    /// A warning of `kind` at `span`.
    pub fn warning(kind: impl Into<DiagnosticKind>, span: Span) -> Self {
        Self { severity: Severity::Warning, ..Self::error(kind, span) }
    }

    /// Adds a related span.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a suggested correction.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds a remark.
    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds the change that mends it.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// Returns true if the program cannot run because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The message: what was found and what was expected.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

/// The first [`MAX_DIAGNOSTICS`] of `diagnostics`; where some are left out the last one kept says so.
pub fn limit(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diagnostics.len() > MAX_DIAGNOSTICS {
        diagnostics.truncate(MAX_DIAGNOSTICS);
        if let Some(last) = diagnostics.last_mut() {
            last.notes.push("there are more errors, which are left out".to_owned());
        }
    }
    diagnostics
}

/// Adds to `diagnostics` what `make` gives, unless there are more than can be shown already: text may hold millions.
pub(crate) fn push_limited(diagnostics: &mut Vec<Diagnostic>, make: impl FnOnce() -> Diagnostic) {
    if diagnostics.len() <= MAX_DIAGNOSTICS {
        diagnostics.push(make());
    }
}

/// Declares [`DiagnosticKind`] as the sum of the stages' own kinds, with `Display` and `From` for each.
macro_rules! diagnostic_kinds {
    ($($(#[$doc:meta])* $variant:ident($kind:ty),)*) => {
        /// The error or warning, by the stage that found it.
        #[derive(Clone, PartialEq, Debug)]
        pub enum DiagnosticKind {
            $($(#[$doc])* $variant($kind),)*
        }

        impl fmt::Display for DiagnosticKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant(kind) => kind.fmt(f),)*
                }
            }
        }

        $(impl From<$kind> for DiagnosticKind {
            fn from(kind: $kind) -> Self {
                Self::$variant(kind)
            }
        })*
    };
}

diagnostic_kinds! {
    /// The file could not be loaded.
    Source(SourceError),
    /// The text does not divide into tokens.
    Lex(LexError),
    /// The tokens do not form a program.
    Syntax(SyntaxError),
    /// The program has no meaning.
    Check(CheckError),
    /// The program runs, but part of it is not what it seems.
    Warning(Warning),
}

/// Reasons for which a file cannot be loaded.
#[derive(Clone, PartialEq, Debug)]
pub enum SourceError {
    /// It is not UTF-8.
    NotUtf8 {
        /// Offset of the first wrong byte.
        offset: u32,
        /// The wrong byte.
        byte: u8,
    },
    /// It has more bytes than a text may have.
    TooLarge {
        /// The number that it may have.
        limit: u64,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 { offset, byte } => {
                write!(f, "the file is not UTF-8: byte 0x{byte:02X} at offset {offset}")
            }
            Self::TooLarge { limit } => write!(f, "the file is too large: it has more than {limit} bytes"),
        }
    }
}

/// Reasons for which a piece of text is no token.
#[derive(Clone, PartialEq, Debug)]
pub enum LexError {
    /// Characters that no token starts with.
    StrayCharacters(String),
    /// A string without its closing quote on its line.
    UnterminatedString,
    /// A character literal without its closing quote.
    UnterminatedChar,
    /// A `/*` without its `*/`.
    UnterminatedComment,
    /// `''`
    EmptyChar,
    /// A character literal of more than one byte.
    LongChar {
        /// Its number of bytes.
        bytes: usize,
    },
    /// A backslash and what follows it.
    BadEscape(String),
    /// A `\u{...}` that is no character.
    BadCodePoint(String),
    /// Digits and letters that form no number.
    BadNumber(String),
    /// An integer that does not fit.
    IntTooLarge,
    /// A float that is not finite.
    FloatTooLarge,
    /// A `{` of a formatted string without its `}` on its line.
    UnclosedHole,
    /// A `}` alone in the text of a formatted string.
    StrayBrace,
    /// A `{` in the format of a hole.
    BraceInFormat,
    /// Formatted strings inside of more others than the compiler follows.
    FormatTooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// A comment in a hole of a formatted string.
    CommentInFormat,
}

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StrayCharacters(text) => match text.chars().count() {
                1 => write!(f, "unexpected character {}", quoted(text)),
                _ => write!(f, "unexpected characters {}", quoted(text)),
            },
            Self::UnterminatedString => f.write_str("the string is not closed on its line"),
            Self::UnterminatedChar => f.write_str("the character literal is not closed"),
            Self::UnterminatedComment => f.write_str("the comment is not closed"),
            Self::EmptyChar => f.write_str("a character literal holds one byte, this one is empty"),
            Self::LongChar { bytes } => write!(f, "a character literal holds one byte, this one has {bytes}"),
            Self::BadEscape(text) => write!(f, "unknown escape {}", quoted(text)),
            Self::BadCodePoint(text) => write!(f, "{} is no character", quoted(text)),
            Self::BadNumber(text) => write!(f, "{} is no number", quoted(text)),
            Self::IntTooLarge => f.write_str("the integer does not fit in 64 bits"),
            Self::FloatTooLarge => f.write_str("the number is too large for a float"),
            Self::UnclosedHole => f.write_str("`{` in the formatted string is not closed on its line"),
            Self::StrayBrace => f.write_str("`}` in the formatted string closes nothing"),
            Self::BraceInFormat => f.write_str("a format holds no braces"),
            Self::FormatTooDeep { limit } => write!(f, "nested too deeply: more than {limit} formatted strings"),
            Self::CommentInFormat => f.write_str("no comment stands in a formatted string"),
        }
    }
}

/// Reasons for which the tokens form no program.
#[derive(Clone, PartialEq, Debug)]
pub enum SyntaxError {
    /// One token stands where others could.
    Unexpected {
        /// The token, as a phrase.
        found: String,
        /// The tokens that could stand there, as phrases; empty if the list would not help.
        expected: Vec<String>,
    },
    /// A bracket without its partner.
    UnclosedBracket(char),
    /// A closing bracket where another one is due.
    MismatchedBracket {
        /// The bracket that stands there.
        found: char,
        /// The one that is due.
        expected: char,
    },
    /// A closing bracket that closes nothing.
    StrayBracket(char),
    /// More levels than the compiler follows.
    TooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// `a < b < c`
    ChainedComparison,
    /// `f() = 1`
    NotAssignable,
    /// `f(1, x: 2)`
    MixedArguments,
    /// `f()(x: 2)`
    NamedArgumentsToValue,
    /// `f("a": 2)`
    KeyedArguments,
    /// `(a,)`, and names or patterns like it.
    ShortTuple,
    /// `(a, b) += t`
    CompoundTuple(BinaryOp),
    /// `t.0x1`
    BadPart(String),
    /// `1 .0`
    PartOfNumber,
    /// The pattern `V()`.
    EmptyPayload,
    /// `if a = b`
    AssignmentAsCondition,
    /// `_` read as a value.
    WildcardAsValue,
    /// A definition that stands only at top level.
    NestedItem(&'static str),
    /// An import path that is not UTF-8.
    BadImportPath,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { found, expected } => match expected.as_slice() {
                [] => write!(f, "unexpected {found}"),
                [one] => write!(f, "expected {one}, found {found}"),
                [most @ .., last] => write!(f, "expected {} or {last}, found {found}", most.join(", ")),
            },
            Self::UnclosedBracket(open) => write!(f, "`{open}` is never closed"),
            Self::MismatchedBracket { found, expected } => write!(f, "expected `{expected}`, found `{found}`"),
            Self::StrayBracket(close) => write!(f, "`{close}` closes nothing"),
            Self::TooDeep { limit } => write!(f, "nested too deeply: more than {limit} levels"),
            Self::ChainedComparison => f.write_str("comparisons cannot be chained"),
            Self::NotAssignable => f.write_str("only a variable, an element or a field can be assigned to"),
            Self::MixedArguments => f.write_str("named and unnamed arguments are mixed"),
            Self::NamedArgumentsToValue => f.write_str("only the construction of a struct names its arguments"),
            Self::KeyedArguments => f.write_str("only `dict` takes keys that are no names"),
            Self::ShortTuple => f.write_str("a tuple has two parts at least"),
            Self::CompoundTuple(op) => write!(f, "`{}=` does not work on a tuple", op.symbol()),
            Self::BadPart(text) => write!(f, "{} is no index of a part of a tuple", quoted(text)),
            Self::PartOfNumber => f.write_str("a number has no parts"),
            Self::EmptyPayload => f.write_str("the payload in this pattern is empty"),
            Self::AssignmentAsCondition => f.write_str("expected a condition, found an assignment"),
            Self::WildcardAsValue => f.write_str("`_` binds nothing and has no value"),
            Self::NestedItem(what) => write!(f, "{what} can stand at top level only"),
            Self::BadImportPath => f.write_str("the path of an import must be UTF-8"),
        }
    }
}

/// `text` in backquotes, control characters made visible, cut where long.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_QUOTED).map(visible).collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}

/// Unlike `char::escape_debug` leaves quotes and backslashes as the user wrote them.
fn visible(c: char) -> String {
    if c.is_control() { c.escape_debug().to_string() } else { c.to_string() }
}

//! Errors as texts that people read: the message, the source line with a mark, the call stack with names.
//!
//! In: an error of an engine. Out: plain text, lines that end in a newline, without colours. Invariant: a stack of any height
//! takes few lines; the number of frames left out is shown.

use crate::engine::Engine;
use crate::error::{CallError, DeclareError, EvalError, LoadError, ReloadError, RunError};
use holloway_lang::diagnostic::{Diagnostic, Severity};
use holloway_lang::source::{SourceMap, Span};
use holloway_runtime::failure::Failure;
use std::fmt::Write as _;

/// Frames that are shown at each end of a stack.
const FRAMES_AT_EACH_END: usize = 10;
/// Characters of a source line that are shown.
const WIDEST_LINE: usize = 160;

/// One activation on the call stack of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// The name of the function.
    pub function: String,
    /// The name of its file.
    pub file: String,
    /// The line of the call that it waits for, or of the failure.
    pub line: u32,
    /// The column there.
    pub column: u32,
}

/// An error that [`Engine::report`] takes.
#[derive(Clone, Copy)]
pub enum Reported<'a> {
    /// Errors and warnings of a text.
    Diagnostics(&'a [Diagnostic]),
    /// A failure of a running program.
    Failure(&'a Failure),
    /// Anything else, which has no place.
    Other(&'a dyn std::error::Error),
}

impl<'a> From<&'a Failure> for Reported<'a> {
    fn from(failure: &'a Failure) -> Self {
        Reported::Failure(failure)
    }
}

impl<'a> From<&'a LoadError> for Reported<'a> {
    fn from(error: &'a LoadError) -> Self {
        match error {
            LoadError::Diagnostics(found) => Reported::Diagnostics(found),
            LoadError::Io(..) | LoadError::Module(..) => Reported::Other(error),
        }
    }
}

impl<'a> From<&'a DeclareError> for Reported<'a> {
    fn from(error: &'a DeclareError) -> Self {
        match error {
            DeclareError::Diagnostics(found) => Reported::Diagnostics(found),
            DeclareError::Name(_)
            | DeclareError::Declaration(_)
            | DeclareError::NameTaken(_)
            | DeclareError::Nameless(_)
            | DeclareError::OfModule(_) => Reported::Other(error),
        }
    }
}

impl<'a> From<&'a RunError> for Reported<'a> {
    fn from(error: &'a RunError) -> Self {
        match error {
            RunError::Failure(failure) => Reported::Failure(failure),
            RunError::Exit(_) | RunError::Setup(_) => Reported::Other(error),
        }
    }
}

impl<'a> From<&'a CallError> for Reported<'a> {
    fn from(error: &'a CallError) -> Self {
        match error {
            CallError::Run(error) => error.into(),
            other => Reported::Other(other),
        }
    }
}

impl<'a> From<&'a EvalError> for Reported<'a> {
    fn from(error: &'a EvalError) -> Self {
        match error {
            EvalError::Load(error) => error.into(),
            EvalError::Call(error) => error.into(),
        }
    }
}

impl<'a> From<&'a ReloadError> for Reported<'a> {
    fn from(error: &'a ReloadError) -> Self {
        match error {
            ReloadError::Load(error) => error.into(),
            ReloadError::Run(error) => error.into(),
            ReloadError::Unknown(_) | ReloadError::Global { .. } => Reported::Other(error),
        }
    }
}

impl Engine {
    /// An error as text for people: for diagnostics and failures with the line of the source, for failures with the call
    /// stack, too.
    pub fn report<'a>(&self, error: impl Into<Reported<'a>>) -> String {
        let mut text = String::new();
        match error.into() {
            Reported::Diagnostics(found) => found.iter().for_each(|one| diagnostic(&mut text, one, self.sources())),
            Reported::Failure(failure) => {
                line(&mut text, &format!("error: {failure}"));
                excerpt(&mut text, failure.span, self.sources());
                self.stack(&mut text, failure);
            }
            Reported::Other(error) => line(&mut text, &format!("error: {error}")),
        }
        text
    }

    /// The call stack of a failure, innermost first.
    pub fn call_stack(&self, failure: &Failure) -> Vec<StackFrame> {
        let frames = failure.stack.iter().map(|frame| {
            let (line, column) = self.sources().line_col(frame.at);
            StackFrame {
                function: self.module().function(frame.function).name.clone(),
                file: self.sources().file(frame.at.file).name.clone(),
                line,
                column,
            }
        });
        frames.collect()
    }

    fn stack(&self, text: &mut String, failure: &Failure) {
        let frames = self.call_stack(failure);
        let omitted = frames.len().saturating_sub(2 * FRAMES_AT_EACH_END);
        line(text, "call stack:");
        for (at, frame) in frames.iter().enumerate() {
            match at.checked_sub(FRAMES_AT_EACH_END) {
                Some(0) if omitted > 0 => line(text, &format!("  ... {omitted} more frames ...")),
                Some(inner) if inner < omitted => {}
                Some(_) | None => line(text, &format!("  {} at {}:{}", frame.function, frame.file, frame.line)),
            }
        }
    }
}

fn diagnostic(text: &mut String, found: &Diagnostic, sources: &SourceMap) {
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    line(text, &format!("{severity}: {}", found.message()));
    excerpt(text, found.span, sources);
    for (span, label) in &found.labels {
        line(text, &format!("  {}: {label}", sources.place(*span)));
    }
    found.notes.iter().for_each(|note| line(text, &format!("  note: {note}")));
    found.help.iter().for_each(|help| line(text, &format!("  help: {help}")));
}

/// The place, and the line of the source with a mark below.
fn excerpt(text: &mut String, span: Span, sources: &SourceMap) {
    line(text, &format!("  at {}", sources.place(span)));
    let (number, column) = sources.line_col(span);
    let source: String = sources.line_text(span).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let width = source.chars().count();
    let at = column.saturating_sub(1) as usize;
    if width == 0 || width > WIDEST_LINE {
        return;
    }
    let marked = sources.snippet(span).lines().next().unwrap_or_default().chars().count();
    let marks = "^".repeat(marked.clamp(1, (width - at.min(width)).max(1)));
    line(text, &format!("{number:4} | {source}"));
    line(text, &format!("     | {}{marks}", " ".repeat(at)));
}

fn line(text: &mut String, of: &str) {
    writeln!(text, "{of}").expect("a string takes what is written");
}

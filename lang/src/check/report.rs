//! Collects diagnostics, so that one run reports several and none twice.
//!
//! In: errors as they are found, in any order. Out: at most `MAX_DIAGNOSTICS` of them, in source order. Invariant: a
//! [`Reported`] exists only after an error was recorded, so whoever holds one may give up silently.

use super::environment::Author;
use crate::diagnostic::{Diagnostic, limit};
use crate::settings::check::KEPT;
use crate::source::Span;

/// Proof that an error was reported. It stands in place of the erroneous thing, and silences the errors that would
/// follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reported(());

/// A result of the checker: a value, or the proof that an error was reported.
pub(crate) type Checked<T> = Result<T, Reported>;

/// The diagnostics of one run.
#[derive(Default)]
pub(crate) struct Reports {
    list: Vec<Diagnostic>,
    /// Added to every diagnostic while a definition of an earlier input is checked again.
    context: Option<String>,
    /// The use for which the definition that is being checked was made, and its author.
    used: Option<(Span, Author)>,
}

/// A point in the list to return to, for trying one reading of the source and then another.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl Reports {
    /// Records an error.
    pub(crate) fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.list.len() < KEPT {
            let diagnostic = match &self.context {
                Some(context) => diagnostic.with_note(context.clone()),
                None => diagnostic,
            };
            let diagnostic = match self.used {
                Some((span, Author::Program)) => diagnostic.with_label(span, "it is used with these types here"),
                // The reader has not written the prelude.
                Some((span, Author::Prelude)) => Diagnostic { span, labels: Vec::new(), ..diagnostic },
                None => diagnostic,
            };
            self.list.push(diagnostic);
        }
        Reported(())
    }

    /// Sets the use that all further errors name.
    pub(crate) fn set_use(&mut self, used: Option<(Span, Author)>) {
        self.used = used;
    }

    /// Sets the remark that all further errors carry.
    pub(crate) fn set_context(&mut self, context: Option<String>) {
        self.context = context;
    }

    /// The places of everything recorded.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.list.iter().map(|diagnostic| diagnostic.span).collect()
    }

    /// The present end of the list.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.list.len())
    }

    /// Returns true if an error was recorded since `mark`.
    pub(crate) fn any_since(&self, mark: Mark) -> bool {
        self.list.len() > mark.0
    }

    /// Discards all diagnostics recorded since `mark`; the results that came with them must be discarded too.
    pub(crate) fn reset(&mut self, mark: Mark) {
        self.list.truncate(mark.0);
    }

    /// Everything recorded, in source order.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
        limit(self.list)
    }
}

//! Warnings with a fix.

use crate::diagnostic::{Diagnostic, DiagnosticKind, Fix};
use crate::source::Span;

/// A warning of that kind with a fix, which is its help too.
pub(super) fn with_fix(kind: impl Into<DiagnosticKind>, span: Span, fix: Option<Fix>) -> Diagnostic {
    let mut warning = Diagnostic::warning(kind, span);
    warning.help = fix.as_ref().map(|fix| fix.title.clone());
    warning.with_fix(fix)
}

//! Diagnostics of the compiler as text.
//!
//! In: a [`Diagnostic`], the source map of its spans, and the message format. Out: text that ends in a newline: with
//! the source (`human`), one line (`short`), or one JSON object on a line (`json`).
//!
//! The JSON object has `severity`, `code`, `message`, the place (`file`, `line`, `column`, `end_line`, `end_column`, 1-based
//! and in characters; `start`, `end`, 0-based and in bytes), `labels` (each a place with `text`), `help`,
//! `notes`, and `fix`: `null`, or a `title` and `edits` (each a place with the `text` that comes there).

use annotate_snippets::{AnnotationKind, Level};
use holloway_lang::diagnostic::{Diagnostic, Edit, Severity};
use holloway_lang::source::{SourceMap, Span};
use serde_json::{Value, json};

use super::excerpt::{self, Mark};
use super::text::{cut, lines, one_line};
use crate::report::style::{MessageConfig, MessageFormat, Style};

/// One diagnostic as text.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, config: MessageConfig) -> String {
    match config.format {
        MessageFormat::Human => human(diagnostic, sources, config.style),
        MessageFormat::Short => short(diagnostic, sources),
        MessageFormat::Json => format!("{}\n", as_json(diagnostic, sources)),
    }
}

/// All diagnostics in order; in the `human` format with an empty line between them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, config: MessageConfig) -> String {
    let separator = match config.format {
        MessageFormat::Human => "\n",
        MessageFormat::Short | MessageFormat::Json => "",
    };
    let rendered: Vec<String> = diagnostics.iter().map(|diagnostic| render(diagnostic, sources, config)).collect();
    rendered.join(separator)
}

/// The line that says where to read about the errors and warnings, in the `human` format.
pub fn render_codes(diagnostics: &[Diagnostic], config: MessageConfig) -> String {
    let mut codes: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.kind.code().to_string()).collect();
    codes.sort_unstable();
    codes.dedup();
    match (config.format, codes.as_slice()) {
        (MessageFormat::Short | MessageFormat::Json, _) | (_, []) => String::new(),
        (MessageFormat::Human, [one]) => format!("\n`holloway explain-code {one}` tells more\n"),
        (MessageFormat::Human, all) => format!("\n`holloway explain-code {}` tells more of each\n", all.join(" ")),
    }
}

fn human(diagnostic: &Diagnostic, sources: &SourceMap, style: Style) -> String {
    let primary = Mark { span: diagnostic.span, label: None, kind: AnnotationKind::Primary };
    let others = diagnostic.labels.iter().map(|(span, text)| Mark {
        span: *span,
        label: Some(one_line(&cut(text))),
        kind: AnnotationKind::Context,
    });
    let marks = std::iter::once(primary).chain(others).collect();
    let help = diagnostic.help.iter().map(|text| Level::HELP.message(lines(&cut(text))).into());
    let notes = diagnostic.notes.iter().map(|text| Level::NOTE.message(lines(&cut(text))).into());
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(lines(&cut(&diagnostic.message())));
    let title = match diagnostic.severity {
        Severity::Error => title,
        Severity::Warning => title.id(diagnostic.kind.code().to_string()),
    };
    excerpt::render(title, marks, help.chain(notes), sources, style)
}

fn short(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = one_line(&sources.place(diagnostic.span));
    let (severity, code) = (severity_name(diagnostic.severity), diagnostic.kind.code());
    format!("{place}: {severity}: {} [{code}]\n", one_line(&cut(&diagnostic.message())))
}

fn as_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let mut object = place(diagnostic.span, sources);
    let labels: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|(span, text)| {
            let mut label = place(*span, sources);
            label["text"] = json!(text);
            label
        })
        .collect();
    object["severity"] = json!(severity_name(diagnostic.severity));
    object["message"] = json!(diagnostic.message());
    object["labels"] = json!(labels);
    object["help"] = json!(diagnostic.help);
    object["notes"] = json!(diagnostic.notes);
    object["code"] = json!(diagnostic.kind.code().to_string());
    object["fix"] = diagnostic.fix.as_ref().map_or(Value::Null, |fix| {
        let edit = |edit: &Edit| {
            let mut object = place(edit.span, sources);
            object["text"] = json!(edit.text);
            object
        };
        json!({ "title": fix.title, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>() })
    });
    object
}

/// `span` as a JSON object.
pub(super) fn place(span: Span, sources: &SourceMap) -> Value {
    let (line, column) = sources.line_col(span);
    let (end_line, end_column) = sources.line_col(span.at_end());
    json!({
        "file": sources.file(span.file).name,
        "line": line, "column": column, "end_line": end_line, "end_column": end_column,
        "start": span.start, "end": span.end,
    })
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

#[cfg(test)]
#[path = "diagnostics_tests.rs"]
mod tests;

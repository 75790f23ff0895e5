//! What the tests of the front half share: a plain-text renderer and the programs to try things on.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::fmt::Write;

use holloway_lang::diagnostic::Diagnostic;
use holloway_lang::parse::parse;
use holloway_lang::source::{SourceMap, Span};

/// The diagnostics for `text`, each as `LINE:COL: message`, with the line, carets, labels, help and notes.
pub fn diagnose(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.hw", text);
    let (_, diagnostics) = parse(&map, file);
    diagnostics.iter().map(|diagnostic| render(&map, diagnostic)).collect()
}

/// One diagnostic as text.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    let (line, col) = map.line_col(diagnostic.span);
    writeln!(out, "{line}:{col}: {}", diagnostic.message()).unwrap();
    point(map, diagnostic.span, "", &mut out);
    for (span, text) in &diagnostic.labels {
        point(map, *span, text, &mut out);
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    for note in &diagnostic.notes {
        writeln!(out, "  note: {note}").unwrap();
    }
    out
}

fn point(map: &SourceMap, span: Span, text: &str, out: &mut String) {
    let (line, col) = map.line_col(span);
    let shown = map.line_text(span);
    let width = map.snippet(span).lines().next().map_or(1, |line| line.chars().count().max(1));
    writeln!(out, "{line:>4} | {shown}").unwrap();
    writeln!(out, "     | {}{} {text}", " ".repeat(col as usize - 1), "^".repeat(width)).unwrap();
    while out.ends_with(" \n") {
        out.truncate(out.len() - 2);
        out.push('\n');
    }
}

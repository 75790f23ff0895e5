//! A dynamic slice: the source with its lines marked, and why each is in.
//!
//! In: a slice. Out: text, or an object for each line. Invariant: lines stand in the order of the source.

use crate::report::settings::LINES_BETWEEN;
use crate::report::text::{one_line, plural};
use crate::report::trace::asked;
use crate::trace::{SliceLine, SourceSlice};
use holloway_lang::source::{SourceFile, SourceMap};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// As JSON.
pub fn json(slice: &SourceSlice, sources: &SourceMap) -> String {
    let line = |line: &SliceLine| {
        let file = &sources.file(line.at.file).name;
        json!({ "file": file, "line": line.at.line, "why": line.why })
    };
    let lines: Vec<Value> = slice.lines.iter().map(line).collect();
    format!("{}\n", json!({ "lines": lines, "executions": slice.executions, "queries": slice.queries }))
}

/// As text.
pub fn text(slice: &SourceSlice, sources: &SourceMap, (variable, at): (&str, &asked::SourceLine)) -> String {
    let (variable, times) = (one_line(variable), plural(slice.executions as usize, "execution"));
    let lines = plural(slice.lines.len(), "line");
    let mut out = format!("{variable} before {at}, which has {times}: {lines}\n");
    if slice.is_unset {
        out.push_str("nothing had set it\n");
    }
    for lines in slice.lines.chunk_by(|a, b| a.at.file == b.at.file) {
        let file = sources.file(lines[0].at.file);
        writeln!(out, "\n{}", one_line(&file.name)).expect("strings take all text");
        let mut before: Option<u32> = None;
        for line in lines {
            between(file, before, line.at.line, &mut out);
            let source = one_line(file.line_text(line.at.line));
            writeln!(out, "{:>6} > {source}", line.at.line).expect("strings take all text");
            for why in &line.why {
                writeln!(out, "           {}", one_line(why)).expect("strings take all text");
            }
            before = Some(line.at.line);
        }
    }
    out
}

/// The lines that are not in the slice.
fn between(file: &SourceFile, before: Option<u32>, next: u32, out: &mut String) {
    let Some(before) = before else { return };
    match next - before - 1 > LINES_BETWEEN {
        true => writeln!(out, "       :").expect("strings take all text"),
        false => (before + 1..next).for_each(|line| {
            let source = one_line(file.line_text(line));
            writeln!(out, "{line:>6} | {source}").expect("strings take all text");
        }),
    }
}

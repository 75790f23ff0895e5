//! The tokens as text: `dump --stage tokens`.
//!
//! In: a file. Out: one line for each token that the parser sees, statement ends at newlines included, and for each
//! comment, in source order: `LINE:COL kind text`.

use std::fmt::Write;

use crate::parse;
use crate::source::{FileId, SourceMap, Span};
use crate::token::lex;

/// Prints the tokens of `file`.
pub fn print(map: &SourceMap, file: FileId) -> String {
    let text = &map.file(file).text;
    let tokens = parse::tokens(map, file).0.into_iter().map(|token| (token.start, token.end, token.kind.label()));
    let comments = lex(file, text).comments.into_iter().map(|comment| (comment.start, comment.end, "comment"));
    let mut rows: Vec<_> = tokens.chain(comments).collect();
    rows.sort_by_key(|&(start, end, _)| (start, end));
    let mut out = String::new();
    for (start, end, label) in rows {
        let (line, col) = map.line_col(Span::new(file, start, end));
        let written = &text[start as usize..end as usize];
        // Writing to a string cannot fail.
        let _ = match label {
            "newline" => writeln!(out, "{line}:{col} newline"),
            _ => writeln!(out, "{line}:{col} {label} {}", written.escape_debug()),
        };
    }
    out
}

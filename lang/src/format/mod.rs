//! The one formatting: `holloway fmt`.
//!
//! In: a file without errors. Out: its text laid out anew. Invariants: every token but separators, and every comment,
//! comes out once and in order, so that the syntax tree is the same; formatting the result changes nothing.
//!
//! The tree is walked in source order by a [`cursor::Cursor`] that hands each token, with the comments around it, to a
//! [`doc::Doc`]; the document breaks the groups that do not fit on a line. From the source only these are taken over:
//! single blank lines between statements, the one-line form of a block, `if`, `match`, `struct` or `enum` (it stays on
//! one line if it fits), formatted strings as they are written, and the side of a line break on which a comment stands.

mod call;
mod cursor;
mod doc;
mod item;
mod list;
mod pattern;
mod tree;
mod types;

use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::parse::parse;
use crate::settings::format::WIDTH;
use crate::source::{FileId, SourceMap};
use crate::token::{Lexed, TokenKind, lex};

/// Returns the formatted text of `file`, or the errors for which it cannot be formatted.
pub fn format(map: &SourceMap, file: FileId) -> Result<String, Vec<Diagnostic>> {
    let (program, errors) = parse(map, file);
    if errors.iter().any(Diagnostic::is_error) {
        return Err(errors);
    }
    let text = &map.file(file).text;
    let lexed = lex(file, text);
    let formatted = print(text, &lexed, &program);
    verify(file, text, &lexed, &formatted);
    Ok(formatted)
}

/// Lays out `program`, which `lexed` was parsed to.
fn print(text: &str, lexed: &Lexed, program: &Program) -> String {
    let mut cursor = cursor::Cursor::new(text, lexed);
    item::program(&mut cursor, program);
    let first_line = text.starts_with("#!").then(|| text.lines().next().unwrap_or(""));
    let body = cursor.into_doc().render(WIDTH);
    match first_line {
        Some(line) if body.is_empty() => format!("{}\n", line.trim_end()),
        Some(line) => {
            let rest = &text[line.len()..];
            let gap = &rest[..rest.len() - rest.trim_start().len()];
            let blank = if gap.matches('\n').count() > 1 { "\n" } else { "" };
            format!("{}\n{blank}{body}", line.trim_end())
        }
        None => body,
    }
}

/// Asserts that the output has the tokens and comments of the input: a formatter that loses text is worse than none.
fn verify(file: FileId, before: &str, lexed: &Lexed, after: &str) {
    let again = lex(file, after);
    let kept = |text: &str, lexed: &Lexed| -> Vec<String> {
        let words = lexed.tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Comma | TokenKind::Semi));
        words.map(|token| text[token.start as usize..token.end as usize].to_owned()).collect()
    };
    assert!(kept(before, lexed) == kept(after, &again), "the formatter changed the tokens of the program");
    let remarks = |text: &str, lexed: &Lexed| -> Vec<String> {
        let words = lexed.comments.iter().map(|comment| &text[comment.start as usize..comment.end as usize]);
        words.map(|comment| comment.trim_end().to_owned()).collect()
    };
    assert!(remarks(before, lexed) == remarks(after, &again), "the formatter changed the comments of the program");
}

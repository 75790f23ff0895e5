//! From the parser's tables to a sentence.
//!
//! In: the place of the token that does not fit, and the terminals that would. Out: a diagnostic a person can read.

use super::expected::Expected;
use super::hint::hint;
use super::place::ErrorPlace;
use crate::diagnostic::{Diagnostic, SyntaxError, quoted};
use crate::settings::parse::{FARTHEST_BRACKET, MOST_PHRASES};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The diagnostic for the token at a place, where `listed` could stand.
pub(super) fn unexpected(place: &ErrorPlace<'_>, listed: &[String]) -> Diagnostic {
    let ErrorPlace { file, text, tokens, index } = *place;
    let expected = Expected::new(listed);
    let mut phrases = expected.phrases();
    if phrases.len() > MOST_PHRASES {
        phrases.truncate(1);
    }
    let span = match tokens.get(index) {
        Some(token) => Span::new(file, token.start, token.end),
        None => tokens.last().map_or(Span::new(file, 0, 0), |last| Span::new(file, last.end, last.end)),
    };
    let mut error = Diagnostic::error(SyntaxError::Unexpected { found: found(place), expected: phrases }, span);
    if let Some(open) = open_bracket(&tokens[..index]).filter(|_| expected.has(")") || expected.has("]")) {
        let between = &text[open.start as usize..span.start as usize];
        if between.contains('\n') {
            error = error.with_label(Span::new(file, open.start, open.end), "opened here");
        }
    }
    match hint(place, &expected) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// The innermost bracket that is open after some tokens.
fn open_bracket(before: &[Token]) -> Option<Token> {
    let mut closed = 0usize;
    before.iter().rev().take(FARTHEST_BRACKET).copied().find(|token| {
        closed += usize::from(token.kind.is_close());
        let is_it = token.kind.is_open() && closed == 0;
        closed -= usize::from(token.kind.is_open() && closed > 0);
        is_it
    })
}

/// The token at a place as a phrase.
fn found(place: &ErrorPlace<'_>) -> String {
    let Some(token) = place.tokens.get(place.index) else { return "the end of the file".to_owned() };
    let text = place.text_of(token);
    match token.kind {
        TokenKind::Newline if place.tokens.len() == place.index + 1 => "the end of the file".to_owned(),
        TokenKind::Newline => "the end of the line".to_owned(),
        TokenKind::Name => format!("name {}", quoted(text)),
        TokenKind::Int | TokenKind::Float => format!("number {}", quoted(text)),
        TokenKind::Str => format!("string {}", quoted(text)),
        TokenKind::FormatStart => "a formatted string".to_owned(),
        TokenKind::FormatText => format!("text {}", quoted(text)),
        TokenKind::FormatSpec => format!("format {}", quoted(text)),
        TokenKind::FormatEnd => "the end of the formatted string".to_owned(),
        TokenKind::Char => format!("character {}", quoted(text)),
        kind if kind.is_keyword() => format!("keyword {}", quoted(text)),
        _ => quoted(text),
    }
}

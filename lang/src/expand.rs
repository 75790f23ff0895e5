//! The parts of formatted strings as tokens.
//!
//! In: the tokens of a file, each formatted string one of them. Out: the same with the parts of each in its place: a
//! [`TokenKind::FormatStart`]; for each text a [`TokenKind::FormatText`]; for each hole the tokens of its value between
//! [`TokenKind::FormatOpen`] and [`TokenKind::FormatClose`], and before the latter a [`TokenKind::FormatSpec`] where a
//! `:` stands; last a [`TokenKind::FormatEnd`]. Invariant: the parser, the balance of brackets and the bound on nesting
//! see a hole as a pair of brackets, so that nothing in them has to know of strings inside of strings.

use crate::diagnostic::{Diagnostic, LexError, push_limited};
use crate::interpolation::{Part, scan};
use crate::source::{FileId, Span};
use crate::token::{Lexed, Token, TokenKind, lex_part};

/// Divides the formatted strings among `tokens`. Errors of the values in them are added to `errors`.
pub(crate) fn expand(file: FileId, text: &str, tokens: Vec<Token>, errors: &mut Vec<Diagnostic>) -> Vec<Token> {
    if tokens.iter().all(|token| token.kind != TokenKind::FormatStr) {
        return tokens;
    }
    let mut pass = Pass { file, text, out: Vec::with_capacity(tokens.len() * 2), errors };
    pass.push_all(&tokens);
    pass.out
}

struct Pass<'a> {
    file: FileId,
    text: &'a str,
    out: Vec<Token>,
    errors: &'a mut Vec<Diagnostic>,
}

impl Pass<'_> {
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.out.push(Token { kind, start: start as u32, end: end as u32 });
    }

    /// Recursion is as deep as formatted strings are nested, which their scan has bounded.
    fn push_all(&mut self, tokens: &[Token]) {
        for &token in tokens {
            match token.kind {
                TokenKind::FormatStr => self.divide(token.start as usize, token.end as usize),
                _ => self.out.push(token),
            }
        }
    }

    /// Divides the formatted string in a range of the text.
    fn divide(&mut self, start: usize, end: usize) {
        let found = scan(&self.text[start..end]);
        self.push(TokenKind::FormatStart, start, start + 2);
        for part in found.parts {
            match part {
                Part::Text { start: from, end: to } => self.push(TokenKind::FormatText, start + from, start + to),
                Part::Hole { open, colon, close } => {
                    self.push(TokenKind::FormatOpen, start + open, start + open + 1);
                    self.value(start + open + 1, start + colon.unwrap_or(close));
                    if let Some(colon) = colon {
                        self.push(TokenKind::FormatSpec, start + colon, start + close);
                    }
                    self.push(TokenKind::FormatClose, start + close, start + close + 1);
                }
            }
        }
        // One that is not closed has been reported; it ends with an empty token.
        self.push(TokenKind::FormatEnd, if found.is_whole { end - 1 } else { end }, end);
    }

    /// Adds the tokens of a value in a range of the text.
    fn value(&mut self, start: usize, end: usize) {
        let Lexed { tokens, comments, errors } = lex_part(self.file, self.text, start, end);
        for error in errors {
            push_limited(self.errors, || error);
        }
        for comment in comments {
            let span = Span::new(self.file, comment.start, comment.end);
            push_limited(self.errors, || Diagnostic::error(LexError::CommentInFormat, span));
        }
        self.push_all(&tokens);
    }
}

//! The place of a syntax error.
//!
//! In: a file's tokens, and the index of the one that does not fit. Out: the tokens around it.

use crate::settings::parse::FARTHEST_START;
use crate::source::FileId;
use crate::token::{Token, TokenKind as K};

/// The tokens around an error.
pub(super) struct ErrorPlace<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// All tokens of the file, with statement ends.
    pub(super) tokens: &'a [Token],
    /// Index of the token that does not fit; the number of tokens for the end of the file.
    pub(super) index: usize,
}

impl<'a> ErrorPlace<'a> {
    /// The kind of the token `n` places before the error; a newline before the first.
    pub(super) fn before(&self, n: usize) -> K {
        self.index.checked_sub(n).and_then(|i| self.tokens.get(i)).map_or(K::Newline, |token| token.kind)
    }

    /// The kind of the token `n` places behind the error; a newline behind the last.
    pub(super) fn after(&self, n: usize) -> K {
        self.tokens.get(self.index + n).map_or(K::Newline, |token| token.kind)
    }

    /// The text of the token `n` places before the error.
    pub(super) fn text_before(&self, n: usize) -> &'a str {
        self.index.checked_sub(n).and_then(|i| self.tokens.get(i)).map_or("", |token| self.text_of(token))
    }

    /// The text of a token.
    pub(super) fn text_of(&self, token: &Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The kind of the token that does not fit; a newline at the end of the file.
    pub(super) fn found(&self) -> K {
        self.before(0)
    }

    /// The first token of the statement.
    pub(super) fn statement_start(&self) -> K {
        let starts = |n: &usize| matches!(self.before(*n), K::Newline | K::Semi | K::OpenBrace | K::CloseBrace);
        let boundary = (1..FARTHEST_START).find(starts).unwrap_or(FARTHEST_START);
        if boundary == 1 { self.found() } else { self.before(boundary - 1) }
    }

    /// Returns true if no `=`, comma or brace stands between the start of the line and the error.
    pub(super) fn is_whole_line(&self) -> bool {
        let starts = |n: &usize| matches!(self.before(*n), K::Newline | K::Semi | K::OpenBrace | K::Comma | K::Eq);
        (1..FARTHEST_START).find(starts).is_some_and(|n| self.before(n) == K::Newline)
    }

    /// Returns true if `kind` stands before the error, in its statement.
    pub(super) fn follows(&self, kind: K) -> bool {
        let kinds = (1..FARTHEST_START).map(|n| self.before(n));
        kinds.take_while(|kind| !matches!(kind, K::Newline | K::Semi)).any(|before| before == kind)
    }
}

//! The place of a cursor in a program that is being written: what is around it and before it.
//!
//! In: the text before the cursor, and its tokens. Out: the words of a completion, and what decides them. Invariant: no
//! text is refused, however broken.

mod arguments;
mod open_bracket;
mod receiver;

pub use arguments::named_arguments;
pub use open_bracket::open_at_end;
pub use receiver::receiver;

use crate::diagnostic::{DiagnosticKind, LexError};
use crate::token::{Comment, CommentKind, Lexed, Token, TokenKind};

/// The context of the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surroundings {
    /// Code.
    Code,
    /// The string of an import.
    ImportPath,
    /// A string or a comment.
    Prose,
}

/// Finds out what the end of `before` is in.
pub fn surroundings(before: &str, lexed: &Lexed) -> Surroundings {
    let is_open = |kind: LexError| lexed.errors.iter().any(|error| error.kind == DiagnosticKind::Lex(kind.clone()));
    let in_line = |comment: &Comment| comment.kind != CommentKind::Block && comment.end as usize == before.len();
    if is_open(LexError::UnterminatedString) {
        let import = lexed.tokens.iter().rev().nth(1).is_some_and(|token| token.kind == TokenKind::Import);
        return if import { Surroundings::ImportPath } else { Surroundings::Prose };
    }
    if is_open(LexError::UnterminatedComment) || lexed.comments.last().is_some_and(in_line) {
        return Surroundings::Prose;
    }
    Surroundings::Code
}

/// The word that ends a text, as far as it is written, and the tokens before it.
pub fn word_before<'t>(before: &'t str, tokens: &'t [Token]) -> (&'t str, &'t [Token]) {
    match tokens.split_last() {
        Some((last, rest)) if last.end as usize == before.len() && is_word(before, *last) => {
            (&before[last.start as usize..], rest)
        }
        _ => ("", tokens),
    }
}

fn is_word(text: &str, token: Token) -> bool {
    text[token.start as usize..].starts_with(|c: char| c.is_alphabetic() || c == '_')
}

//! Arguments with names, where a struct is made.
//!
//! In: the tokens before the cursor. Out: fields. Invariant: a field that is given already is not among them.

use super::open_bracket::{open_at_end, own_tokens};
use crate::session::Session;
use crate::token::{Token, TokenKind};

/// The fields that may be written next, if the cursor stands at an argument of a struct's call.
pub fn named_arguments(before: &str, tokens: &[Token], session: &Session) -> Vec<String> {
    if !tokens.last().is_some_and(|last| matches!(last.kind, TokenKind::OpenParen | TokenKind::Comma)) {
        return Vec::new();
    }
    let text = |token: &Token| &before[token.start as usize..token.end as usize];
    let Some(open) = open_at_end(tokens).filter(|open| tokens[*open].kind == TokenKind::OpenParen) else {
        return Vec::new();
    };
    let path: Vec<&str> = match &tokens[..open] {
        [.., module, dot, name] if dot.kind == TokenKind::Dot => vec![text(module), text(name)],
        [.., name] => vec![text(name)],
        [] => return Vec::new(),
    };
    let own: Vec<&Token> = own_tokens(tokens, open).collect();
    let is_written =
        |field: &String| own.windows(2).any(|pair| text(pair[0]) == field && pair[1].kind == TokenKind::Colon);
    session.fields(&path).into_iter().filter(|field| !is_written(field)).map(|field| format!("{field}: ")).collect()
}

//! The bracket that the cursor is in.
//!
//! In: the tokens before the cursor. Out: the place of a token. Invariant: brackets are counted, whatever their kind: the
//! input is still being typed.

use crate::token::Token;

/// The innermost bracket that is open at the end of tokens.
pub fn open_at_end(tokens: &[Token]) -> Option<usize> {
    let mut closed = 0usize;
    tokens.iter().rposition(|token| {
        match token.kind {
            kind if kind.is_close() => closed += 1,
            kind if kind.is_open() && closed == 0 => return true,
            kind if kind.is_open() => closed -= 1,
            _ => {}
        }
        false
    })
}

/// The tokens behind the bracket at `open` that are in no further bracket.
pub(super) fn own_tokens(tokens: &[Token], open: usize) -> impl Iterator<Item = &Token> {
    let mut depth = 0usize;
    tokens[open + 1..].iter().filter(move |token| {
        if token.kind.is_close() {
            depth = depth.saturating_sub(1);
        }
        let is_own = depth == 0;
        if token.kind.is_open() {
            depth += 1;
        }
        is_own
    })
}

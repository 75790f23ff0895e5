//! Patterns.
//!
//! In: a pattern, with the cursor at its first token. Out: its tokens in the document; the cursor is behind its last one.

use super::cursor::Cursor;
use crate::ast::{Pattern, PatternKind, PatternValue, PatternValueKind};
use crate::token::TokenKind as K;

/// Lays out a pattern.
pub(super) fn pattern(c: &mut Cursor<'_>, pattern: &Pattern) {
    match &pattern.kind {
        PatternKind::Wildcard => c.token(K::Name),
        PatternKind::Value(value) => pattern_value(c, value),
        PatternKind::Range { low, high, .. } => {
            pattern_value(c, low);
            c.any_token();
            pattern_value(c, high);
        }
    }
}

fn pattern_value(c: &mut Cursor<'_>, value: &PatternValue) {
    match &value.kind {
        PatternValueKind::Int(_) => {
            if c.peek().is_some_and(|token| token.kind == K::Minus) {
                c.token(K::Minus);
            }
            c.any_token();
        }
        PatternValueKind::Bool(_) | PatternValueKind::Str(_) | PatternValueKind::Const(_) => c.any_token(),
    }
}

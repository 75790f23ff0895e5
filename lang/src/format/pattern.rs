//! Patterns.
//!
//! In: a pattern or binder, with the cursor at its first token. Out: its tokens in the document; the cursor is behind
//! its last one.

use super::cursor::Cursor;
use super::doc::Line;
use super::list::list;
use crate::ast::{Binder, BinderKind, Pattern, PatternKind, PatternValue, PatternValueKind};
use crate::token::TokenKind as K;

/// Lays out a pattern.
pub(super) fn pattern(c: &mut Cursor<'_>, pattern: &Pattern) {
    match &pattern.kind {
        PatternKind::Wildcard => c.token(K::Name),
        PatternKind::None => c.token(K::None),
        PatternKind::Value(value) => pattern_value(c, value),
        PatternKind::Variant { parts, .. } => {
            c.token(K::Name);
            list(c, K::OpenParen, K::CloseParen, parts, self::pattern);
        }
        PatternKind::Tuple(parts) => list(c, K::OpenParen, K::CloseParen, parts, self::pattern),
        PatternKind::Or(patterns) => alternatives(c, patterns),
        PatternKind::Range { low, high, .. } => {
            pattern_value(c, low);
            c.any_token();
            pattern_value(c, high);
        }
    }
}

/// Lays out patterns with `|` between them.
pub(super) fn alternatives(c: &mut Cursor<'_>, patterns: &[Pattern]) {
    c.doc.open();
    for (i, each) in patterns.iter().enumerate() {
        if i == 0 {
            pattern(c, each);
            c.doc.indent();
        } else {
            c.spaced(K::Or);
            c.line(Line::Space);
            pattern(c, each);
        }
    }
    c.doc.dedent();
    c.doc.close();
}

/// Lays out the names that a `let` or `for` binds.
pub(super) fn binder(c: &mut Cursor<'_>, value: &Binder) {
    match &value.kind {
        BinderKind::Name(_) => c.token(K::Name),
        BinderKind::Tuple(parts) => list(c, K::OpenParen, K::CloseParen, parts, binder),
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
        PatternValueKind::Bool(_) | PatternValueKind::Str(_) | PatternValueKind::Name(_) => c.any_token(),
    }
}

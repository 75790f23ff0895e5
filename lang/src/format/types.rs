//! Types.
//!
//! In: a type, with the cursor at its first token. Out: its tokens in the document; the cursor is behind its last one.

use super::cursor::Cursor;
use super::list::list;
use crate::ast::{Name, TypeExpr, TypeKind};
use crate::token::TokenKind as K;

/// Lays out a type.
pub(super) fn ty(c: &mut Cursor<'_>, value: &TypeExpr) {
    match &value.kind {
        TypeKind::Name(_) => c.token(K::Name),
        TypeKind::Applied { module, args, .. } => {
            if module.is_some() {
                c.token(K::Name);
                c.token(K::Dot);
            }
            c.token(K::Name);
            if !args.is_empty() {
                list(c, K::OpenBracket, K::CloseBracket, args, ty);
            }
        }
        TypeKind::Tuple(parts) => list(c, K::OpenParen, K::CloseParen, parts, ty),
        TypeKind::Array(element) => {
            c.token(K::OpenBracket);
            ty(c, element);
            c.token(K::CloseBracket);
        }
        TypeKind::Optional(inner) => {
            ty(c, inner);
            c.token(K::Question);
        }
        TypeKind::Fn { params, result } => {
            c.token(K::Fn);
            list(c, K::OpenParen, K::CloseParen, params, ty);
            if let Some(result) = result {
                c.spaced(K::Arrow);
                c.space();
                ty(c, result);
            }
        }
        TypeKind::Paren(inner) => {
            c.token(K::OpenParen);
            ty(c, inner);
            c.token(K::CloseParen);
        }
    }
}

/// `[T, U]` behind the name of an item, if it has parameters.
pub(super) fn type_params(c: &mut Cursor<'_>, params: &[Name]) {
    if !params.is_empty() {
        list(c, K::OpenBracket, K::CloseBracket, params, |c, _| c.token(K::Name));
    }
}

//! Calls, constructions, dicts and closures.
//!
//! In: a node, with the cursor at its first token, or at the opening parenthesis of arguments. Out: its tokens in the
//! document; the cursor is behind its last one.

use super::cursor::Cursor;
use super::list::list;
use super::tree::{annotation, block, expr};
use super::types::ty;
use crate::ast::{Closure, ClosureBody, Expr, ExprKind, FieldInit, Name};
use crate::token::TokenKind as K;

/// The arguments of a call. A last one that has brackets of its own stands between the parentheses without indentation.
pub(super) fn arguments(c: &mut Cursor<'_>, args: &[Expr]) {
    let Some((last, before)) = args.split_last().filter(|(last, before)| is_hugged(c, last, before)) else {
        return list(c, K::OpenParen, K::CloseParen, args, expr);
    };
    c.token(K::OpenParen);
    for each in before {
        expr(c, each);
        c.skip_comma();
        c.doc.text(", ");
    }
    expr(c, last);
    c.skip_comma();
    c.finish_list();
    c.end_line_if_needed();
    c.token(K::CloseParen);
}

/// Returns true if `last` can break inside of its own brackets while `before` stands on the line of the call.
fn is_hugged(c: &Cursor<'_>, last: &Expr, before: &[Expr]) -> bool {
    let has_brackets = match &last.kind {
        ExprKind::If(_) | ExprKind::Match(_) | ExprKind::Block(_) => before.is_empty(),
        ExprKind::Array(elements) => before.is_empty() && !elements.is_empty(),
        ExprKind::Closure(closure) => matches!(closure.body, ClosureBody::Block(_)),
        _ => false,
    };
    let is_line = before.is_empty() || !c.has_comment_before(last.span.start);
    has_brackets && is_line && before.iter().all(is_short)
}

/// Returns true if an expression stands on a line, however it is laid out.
fn is_short(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Byte(_) => true,
        ExprKind::Str(_) | ExprKind::Format(_) | ExprKind::None | ExprKind::Name(_) => true,
        ExprKind::Field { base, .. } | ExprKind::Part { base, .. } => is_short(base),
        ExprKind::Unary { operand, .. } => is_short(operand),
        ExprKind::Call { callee, args } => is_short(callee) && args.is_empty(),
        _ => false,
    }
}

/// `module.Name(field: value)`
pub(super) fn construct(c: &mut Cursor<'_>, module: Option<&Name>, fields: &[FieldInit]) {
    if module.is_some() {
        c.token(K::Name);
        c.token(K::Dot);
    }
    c.token(K::Name);
    list(c, K::OpenParen, K::CloseParen, fields, |c, field| {
        c.token(K::Name);
        c.token(K::Colon);
        c.space();
        expr(c, &field.value);
    });
}

/// `dict(key: value)`
pub(super) fn dict(c: &mut Cursor<'_>, pairs: &[(Expr, Expr)]) {
    c.token(K::Name);
    list(c, K::OpenParen, K::CloseParen, pairs, |c, (key, value)| {
        expr(c, key);
        c.token(K::Colon);
        c.space();
        expr(c, value);
    });
}

/// `fn(x: int) -> int { body }` or `fn(x, y) => value`
pub(super) fn closure(c: &mut Cursor<'_>, item: &Closure) {
    c.token(K::Fn);
    list(c, K::OpenParen, K::CloseParen, &item.params, |c, param| {
        c.token(K::Name);
        annotation(c, param.ty.as_ref());
    });
    if let Some(result) = &item.result {
        c.spaced(K::Arrow);
        c.space();
        ty(c, result);
    }
    match &item.body {
        ClosureBody::Value(value) => {
            c.spaced(K::FatArrow);
            c.space();
            expr(c, value);
        }
        ClosureBody::Block(body) => {
            c.space();
            block(c, body);
        }
    }
}

//! Expressions, patterns and types.

use super::cursor::Cursor;
use super::doc::Line;
use super::list::{Comma, braces, brackets, list};
use super::stmt::{block, body, cond, stmt};
use crate::ast::{
    Arm, ArmStyle, BinaryOp, Expr, ExprKind, If, Match, Pattern, PatternKind, PatternValue, PatternValueKind, TypeExpr,
    TypeKind,
};
use crate::token::TokenKind as K;

/// Lays out an expression.
pub(super) fn expr(c: &mut Cursor<'_>, value: &Expr) {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Byte(_) => c.any_token(),
        ExprKind::Str(_) | ExprKind::None | ExprKind::Name(_) => c.any_token(),
        ExprKind::Unary { operand, .. } => {
            c.any_token();
            expr(c, operand);
        }
        ExprKind::Binary { .. } => chain(c, value),
        ExprKind::Call { callee, args } => {
            expr(c, callee);
            arguments(c, args);
        }
        ExprKind::Construct { fields, .. } => {
            c.token(K::Name);
            list(c, K::OpenParen, K::CloseParen, fields, |c, field| {
                c.token(K::Name);
                c.token(K::Colon);
                c.space();
                expr(c, &field.value);
            });
        }
        ExprKind::Index { base, index } => {
            expr(c, base);
            c.token(K::OpenBracket);
            expr(c, index);
            c.token(K::CloseBracket);
        }
        ExprKind::Slice { base, start, end, .. } => slice(c, base, start.as_deref(), end.as_deref()),
        ExprKind::Field { base, .. } => {
            expr(c, base);
            c.token(K::Dot);
            c.token(K::Name);
        }
        ExprKind::Unwrap(operand) => {
            expr(c, operand);
            c.token(K::Bang);
        }
        ExprKind::Array(elements) if elements.iter().all(is_plain) => table(c, elements),
        ExprKind::Array(elements) => list(c, K::OpenBracket, K::CloseBracket, elements, expr),
        ExprKind::Repeat { value, count } => repeat(c, value, count),
        ExprKind::If(item) => choice(c, item, c.on_one_line(value.span.start, value.span.end)),
        ExprKind::Match(item) => matching(c, item, c.on_one_line(value.span.start, value.span.end)),
        ExprKind::Block(inner) => block(c, inner),
        ExprKind::Paren(inner) => {
            c.token(K::OpenParen);
            expr(c, inner);
            c.token(K::CloseParen);
        }
    }
}

/// Operators of one precedence and their operands, which break together. Walks down the left operands in a loop, as
/// chains can be long.
fn chain(c: &mut Cursor<'_>, value: &Expr) {
    let mut links = Vec::new();
    let mut first = value;
    while let ExprKind::Binary { op, lhs, rhs, .. } = &first.kind {
        if links.last().is_some_and(|&(next, _): &(BinaryOp, _)| precedence(next) != precedence(*op)) {
            break;
        }
        links.push((*op, rhs));
        first = lhs;
    }
    c.doc.open();
    expr(c, first);
    c.doc.indent();
    for (op, operand) in links.into_iter().rev() {
        // A line may start with these two, and only with these.
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            c.line(Line::Space);
            c.any_token();
            c.space();
        } else {
            c.space();
            c.any_token();
            c.line(Line::Space);
        }
        expr(c, operand);
    }
    c.doc.dedent();
    c.doc.close();
}

fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 0,
        BinaryOp::And => 1,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 2,
        BinaryOp::BitOr => 3,
        BinaryOp::BitXor => 4,
        BinaryOp::BitAnd => 5,
        BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr => 6,
        BinaryOp::Add | BinaryOp::Sub => 7,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 8,
    }
}

/// The arguments of a call. One that has brackets of its own stands between the parentheses without indentation.
fn arguments(c: &mut Cursor<'_>, args: &[Expr]) {
    let [only] = args else { return list(c, K::OpenParen, K::CloseParen, args, expr) };
    let has_brackets = match &only.kind {
        ExprKind::If(_) | ExprKind::Match(_) | ExprKind::Block(_) => true,
        ExprKind::Array(elements) => !elements.is_empty(),
        _ => false,
    };
    if !has_brackets {
        return list(c, K::OpenParen, K::CloseParen, args, expr);
    }
    c.token(K::OpenParen);
    expr(c, only);
    c.skip_comma();
    c.finish_list();
    c.end_line_if_needed();
    c.token(K::CloseParen);
}

fn slice(c: &mut Cursor<'_>, base: &Expr, start: Option<&Expr>, end: Option<&Expr>) {
    expr(c, base);
    c.token(K::OpenBracket);
    if let Some(start) = start {
        expr(c, start);
    }
    c.any_token();
    if let Some(end) = end {
        expr(c, end);
    }
    c.token(K::CloseBracket);
}

fn repeat(c: &mut Cursor<'_>, value: &Expr, count: &Expr) {
    c.doc.open();
    c.token(K::OpenBracket);
    c.doc.indent();
    c.line(Line::Soft);
    expr(c, value);
    c.token(K::Semi);
    c.line(Line::Space);
    expr(c, count);
    c.finish_list();
    c.doc.dedent();
    c.line(Line::Soft);
    c.token(K::CloseBracket);
    c.doc.close();
}

fn choice(c: &mut Cursor<'_>, item: &If, one_line: bool) {
    c.doc.open();
    for (i, branch) in item.branches.iter().enumerate() {
        if i > 0 {
            c.spaced(K::Else);
            c.space();
        }
        c.token(K::If);
        c.space();
        cond(c, &branch.cond);
        c.space();
        body(c, &branch.body, one_line);
    }
    if let Some(otherwise) = &item.otherwise {
        c.spaced(K::Else);
        c.space();
        body(c, otherwise, one_line);
    }
    c.doc.close();
}

fn matching(c: &mut Cursor<'_>, item: &Match, one_line: bool) {
    c.token(K::Match);
    c.space();
    expr(c, &item.subject);
    c.space();
    let comma = |arm: &Arm| match arm.style {
        ArmStyle::Bare => Comma::Always,
        ArmStyle::Braced => Comma::Never,
    };
    braces(c, one_line, &item.arms, comma, arm);
}

fn arm(c: &mut Cursor<'_>, arm: &Arm) {
    c.doc.open();
    let (first, others) = arm.patterns.split_first().expect("an arm has a pattern");
    pattern(c, first);
    c.doc.indent();
    for alternative in others {
        c.spaced(K::Or);
        c.line(Line::Space);
        pattern(c, alternative);
    }
    c.doc.dedent();
    c.doc.close();
    c.spaced(K::FatArrow);
    c.space();
    match arm.style {
        ArmStyle::Braced => block(c, &arm.body),
        ArmStyle::Bare => arm.body.stmts.iter().for_each(|each| stmt(c, each)),
    }
}

fn pattern(c: &mut Cursor<'_>, pattern: &Pattern) {
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

/// Lays out a type.
pub(super) fn ty(c: &mut Cursor<'_>, value: &TypeExpr) {
    match &value.kind {
        TypeKind::Name(_) => c.token(K::Name),
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

/// An array of plain elements keeps the rows that it was written in, and fills its lines otherwise.
fn table(c: &mut Cursor<'_>, elements: &[Expr]) {
    brackets(c, K::OpenBracket, K::CloseBracket, elements.is_empty(), |c| {
        for (i, each) in elements.iter().enumerate() {
            expr(c, each);
            c.skip_comma();
            match elements.get(i + 1) {
                Some(next) => {
                    c.doc.text(",");
                    let is_row = c.on_one_line(each.span.end, next.span.start);
                    if is_row { c.line(Line::Fill) } else { c.separate() }
                }
                None => c.doc.if_broken(","),
            }
        }
    });
}

/// Returns true if an element of an array is so small that a line takes many.
fn is_plain(element: &Expr) -> bool {
    match &element.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Byte(_) => true,
        ExprKind::Str(_) | ExprKind::None | ExprKind::Name(_) => true,
        ExprKind::Unary { operand, .. } => {
            matches!(operand.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Name(_))
        }
        _ => false,
    }
}

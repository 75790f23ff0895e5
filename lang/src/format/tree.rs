//! Statements, blocks and expressions, which contain each other.
//!
//! In: a node, with the cursor at its first token. Out: its tokens in the document; the cursor is behind its last one.

use super::call::{arguments, closure, construct, dict};
use super::cursor::Cursor;
use super::doc::Line;
use super::list::{Comma, braces, brackets, list};
use super::pattern::{alternatives, binder, pattern};
use super::types::ty;
use crate::ast::{
    Arm, ArmStyle, Assign, BinaryOp, Block, Cond, Const, Expr, ExprKind, For, ForSource, If, Let, Match, Mutability,
    Name, Stmt, StmtKind, Try, TypeExpr, While,
};
use crate::token::TokenKind as K;

/// Lays out a statement, without the end of its line.
pub(super) fn stmt(c: &mut Cursor<'_>, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Let(item) => binding(c, item),
        StmtKind::Const(item) => constant(c, item),
        StmtKind::Assign(item) => assignment(c, item),
        StmtKind::Expr(value) => expr(c, value),
        StmtKind::While(item) => while_loop(c, item),
        StmtKind::Loop(item) => {
            label(c, item.label.as_ref());
            c.token(K::Loop);
            c.space();
            block(c, &item.body);
        }
        StmtKind::For(item) => for_loop(c, item),
        StmtKind::Break(target) => jump(c, K::Break, target.as_ref()),
        StmtKind::Continue(target) => jump(c, K::Continue, target.as_ref()),
        StmtKind::Return(value) => {
            c.token(K::Return);
            if let Some(value) = value {
                c.space();
                expr(c, value);
            }
        }
        StmtKind::Fail(value) => {
            c.token(K::Fail);
            c.space();
            expr(c, value);
        }
        StmtKind::Try(item) => attempt(c, item, c.on_one_line(stmt.span.start, stmt.span.end)),
    }
}

fn binding(c: &mut Cursor<'_>, item: &Let) {
    c.token(match item.mutability {
        Mutability::Fixed => K::Let,
        Mutability::Variable => K::Var,
    });
    c.space();
    binder(c, &item.binder);
    annotation(c, item.ty.as_ref());
    c.spaced(K::Eq);
    c.space();
    expr(c, &item.value);
}

fn assignment(c: &mut Cursor<'_>, item: &Assign) {
    expr(c, &item.target);
    c.space();
    c.any_token();
    c.space();
    expr(c, &item.value);
}

fn label(c: &mut Cursor<'_>, label: Option<&Name>) {
    if label.is_some() {
        c.token(K::Name);
        c.token(K::Colon);
        c.space();
    }
}

fn while_loop(c: &mut Cursor<'_>, item: &While) {
    label(c, item.label.as_ref());
    c.token(K::While);
    c.space();
    cond(c, &item.cond);
    c.space();
    block(c, &item.body);
}

fn for_loop(c: &mut Cursor<'_>, item: &For) {
    label(c, item.label.as_ref());
    c.token(K::For);
    c.space();
    binder(c, &item.binder);
    c.spaced(K::In);
    c.space();
    match &item.source {
        ForSource::Range { start, end, step, .. } => {
            expr(c, start);
            c.any_token();
            expr(c, end);
            if let Some(step) = step {
                c.spaced(K::Name);
                c.space();
                expr(c, step);
            }
        }
        ForSource::Each(value) => expr(c, value),
    }
    c.space();
    block(c, &item.body);
}

fn jump(c: &mut Cursor<'_>, word: K, target: Option<&Name>) {
    c.token(word);
    if target.is_some() {
        c.spaced(K::Name);
    }
}

fn attempt(c: &mut Cursor<'_>, item: &Try, one_line: bool) {
    c.doc.open();
    c.token(K::Try);
    c.space();
    body(c, &item.body, one_line);
    c.spaced(K::Catch);
    c.spaced(K::Name);
    c.space();
    body(c, &item.handler, one_line);
    c.doc.close();
}

/// The condition of an `if` or `while`.
fn cond(c: &mut Cursor<'_>, cond: &Cond) {
    match cond {
        Cond::Expr(value) => expr(c, value),
        Cond::Let { value, .. } => {
            c.token(K::Let);
            c.spaced(K::Name);
            c.spaced(K::Eq);
            c.space();
            expr(c, value);
        }
        Cond::Match { pattern: fits, value } => {
            c.token(K::Let);
            c.space();
            pattern(c, fits);
            c.spaced(K::Eq);
            c.space();
            expr(c, value);
        }
    }
}

/// A block that breaks by itself.
pub(super) fn block(c: &mut Cursor<'_>, block: &Block) {
    c.doc.open();
    body(c, block, c.on_one_line(block.span.start, block.span.end));
    c.doc.close();
}

/// A block that breaks with the group around it.
fn body(c: &mut Cursor<'_>, block: &Block, one_line: bool) {
    c.token(K::OpenBrace);
    if block.stmts.is_empty() && !c.has_comment() {
        c.space();
    } else {
        c.doc.indent();
        c.line(if one_line { Line::Space } else { Line::Hard });
        for (i, each) in block.stmts.iter().enumerate() {
            match (i, one_line) {
                (0, _) => {}
                (_, true) => c.line(Line::Semi),
                (_, false) => c.separate(),
            }
            stmt(c, each);
        }
        c.finish_list();
        c.doc.dedent();
        c.before_closing_brace(one_line);
    }
    c.token(K::CloseBrace);
}

pub(super) fn constant(c: &mut Cursor<'_>, item: &Const) {
    c.token(K::Const);
    c.spaced(K::Name);
    annotation(c, item.ty.as_ref());
    c.spaced(K::Eq);
    c.space();
    expr(c, &item.value);
}

pub(super) fn annotation(c: &mut Cursor<'_>, annotation: Option<&TypeExpr>) {
    if let Some(annotation) = annotation {
        c.token(K::Colon);
        c.space();
        ty(c, annotation);
    }
}

/// Lays out an expression.
pub(super) fn expr(c: &mut Cursor<'_>, value: &Expr) {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Byte(_) => c.any_token(),
        ExprKind::Str(_) | ExprKind::Format(_) | ExprKind::None | ExprKind::Name(_) => c.any_token(),
        ExprKind::Unary { operand, .. } => {
            c.any_token();
            expr(c, operand);
        }
        ExprKind::Binary { .. } => chain(c, value),
        ExprKind::Call { callee, args } => {
            expr(c, callee);
            arguments(c, args);
        }
        ExprKind::Construct { module, fields, .. } => construct(c, module.as_ref(), fields),
        ExprKind::Pairs { pairs, .. } => dict(c, pairs),
        ExprKind::Tuple(parts) => list(c, K::OpenParen, K::CloseParen, parts, expr),
        ExprKind::Closure(item) => closure(c, item),
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
        ExprKind::Part { base, .. } => {
            expr(c, base);
            c.token(K::Dot);
            c.token(K::Int);
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
    alternatives(c, &arm.patterns);
    if let Some(guard) = &arm.guard {
        c.spaced(K::If);
        c.space();
        expr(c, guard);
    }
    c.spaced(K::FatArrow);
    c.space();
    match arm.style {
        ArmStyle::Braced => block(c, &arm.body),
        ArmStyle::Bare => arm.body.stmts.iter().for_each(|each| stmt(c, each)),
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
        ExprKind::Str(_) | ExprKind::Format(_) | ExprKind::None | ExprKind::Name(_) => true,
        ExprKind::Unary { operand, .. } => {
            matches!(operand.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Name(_))
        }
        _ => false,
    }
}

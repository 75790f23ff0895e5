//! Statements and blocks.

use super::cursor::Cursor;
use super::doc::Line;
use super::expr::{expr, ty};
use crate::ast::{
    Assign, Block, Cond, Const, For, ForSource, Let, Mutability, Name, Stmt, StmtKind, Try, TypeExpr, While,
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
    c.spaced(K::Name);
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
    c.spaced(K::Name);
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
pub(super) fn cond(c: &mut Cursor<'_>, cond: &Cond) {
    match cond {
        Cond::Expr(value) => expr(c, value),
        Cond::Let { value, .. } => {
            c.token(K::Let);
            c.spaced(K::Name);
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
pub(super) fn body(c: &mut Cursor<'_>, block: &Block, one_line: bool) {
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

fn annotation(c: &mut Cursor<'_>, annotation: Option<&TypeExpr>) {
    if let Some(annotation) = annotation {
        c.token(K::Colon);
        c.space();
        ty(c, annotation);
    }
}

//! Broken trees made fit for checking: statements that were not understood are left out.
//!
//! In: the tree of a file with errors, and the places of the errors. Out: the tree without the innermost statements in
//! which an error lies. Invariant: all else stays as it is; a tree without errors is not changed.

use crate::ast::{Block, Expr, ExprKind, Item, Program, Stmt, StmtKind, TopLevel};
use crate::source::Span;

/// Leaves out every statement in which an error lies.
pub(crate) fn prune(program: &mut Program, errors: &[Span]) {
    if errors.is_empty() {
        return;
    }
    program.body.retain_mut(|part| match part {
        TopLevel::Item(Item::Fn(item)) => {
            block(&mut item.body, errors);
            true
        }
        // A value with an error in it means nothing.
        TopLevel::Item(Item::Const(item)) => !is_hit(item.span, errors),
        TopLevel::Item(Item::Struct(_) | Item::Enum(_) | Item::Import(_)) => true,
        TopLevel::Stmt(part) => stmt(part, errors),
    });
}

fn is_hit(span: Span, errors: &[Span]) -> bool {
    errors.iter().any(|error| span.start <= error.start && error.start <= span.end)
}

fn block(block: &mut Block, errors: &[Span]) {
    block.stmts.retain_mut(|part| stmt(part, errors));
}

/// Returns false if a statement is to be left out, having left out what is broken inside its blocks.
fn stmt(stmt: &mut Stmt, errors: &[Span]) -> bool {
    if !is_hit(stmt.span, errors) {
        return true;
    }
    let mut outside = errors.to_vec();
    for inner in blocks(stmt) {
        block(inner, errors);
        outside.retain(|error| !is_hit(inner.span, &[*error]));
    }
    !is_hit(stmt.span, &outside)
}

/// The blocks of a statement that are statements for themselves.
fn blocks(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::While(item) => vec![&mut item.body],
        StmtKind::Loop(item) => vec![&mut item.body],
        StmtKind::For(item) => vec![&mut item.body],
        StmtKind::Try(item) => vec![&mut item.body, &mut item.handler],
        StmtKind::Expr(expr) => blocks_of(expr),
        StmtKind::Let(_)
        | StmtKind::Const(_)
        | StmtKind::Assign(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::Fail(_) => Vec::new(),
    }
}

fn blocks_of(expr: &mut Expr) -> Vec<&mut Block> {
    match &mut expr.kind {
        ExprKind::If(node) => {
            node.branches.iter_mut().map(|branch| &mut branch.body).chain(&mut node.otherwise).collect()
        }
        ExprKind::Match(node) => node.arms.iter_mut().map(|arm| &mut arm.body).collect(),
        ExprKind::Block(block) => vec![block],
        _ => Vec::new(),
    }
}

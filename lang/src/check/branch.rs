//! `if`, conditions and blocks, as statements and with values.
//!
//! In: the branches of the syntax tree. Out: typed branches; where they have values, all of one type. Invariant: a name
//! that a condition binds is visible in its own block only.

use super::body::{Body, Outcome, VarKind, Want};
use super::error::CheckError;
use super::expr::{Join, open_last};
use super::report::Checked;
use super::stmt::is_open;
use crate::ast::{self, Mutability};
use crate::diagnostic::Diagnostic;
use crate::ir::TypeRef;
use crate::source::Span;
use crate::tast::{Block, Branch, Completion, Cond, Expr, ExprKind, If, Stmt, StmtKind};

impl Body<'_, '_> {
    /// A condition; the name it binds is declared in the innermost scope.
    pub(super) fn cond(&mut self, cond: &ast::Cond) -> Checked<Cond> {
        match cond {
            ast::Cond::Expr(expr) => {
                let value = self.condition(expr)?;
                self.watch_condition(expr, &value);
                Ok(Cond::Expr(value))
            }
            ast::Cond::Let { name, value } => {
                let checked = self.infer(value, Want::Any);
                let content = checked.and_then(|checked| match self.cx.env.content(checked.ty) {
                    Some(ty) => Ok((checked, ty)),
                    None => {
                        let error = CheckError::Expected { what: "an optional", found: self.type_name(checked.ty) };
                        let help = "it is never `none`: write a plain `let` before";
                        Err(self.report(Diagnostic::error(error, value.span).with_help(help)))
                    }
                });
                let ty = content.as_ref().map(|(_, ty)| *ty).map_err(|&reported| reported);
                let var = match name.is_wildcard() {
                    true => None,
                    false => self.declare(name, ty, Mutability::Fixed, VarKind::Content).ok(),
                };
                let (value, content) = content?;
                let boxed = self.cx.env.box_of(content);
                Ok(Cond::Let { var, value, boxed })
            }
            ast::Cond::Match { pattern, value } => self.let_pattern(pattern, value),
        }
    }

    /// An `if` in statement position.
    pub(super) fn if_stmt(&mut self, node: &ast::If) -> (Checked<StmtKind>, Completion) {
        let mut branches = Vec::with_capacity(node.branches.len());
        let mut completion = if node.otherwise.is_some() { Completion::Leaves } else { Completion::Falls };
        let mut failed = None;
        for branch in &node.branches {
            self.scopes.enter();
            let cond = self.cond(&branch.cond);
            let body = self.block(&branch.body);
            self.scopes.leave();
            if body.completion == Completion::Falls {
                completion = Completion::Falls;
            }
            match cond {
                Ok(cond) => branches.push(Branch { cond, body }),
                Err(reported) => failed = Some(reported),
            }
        }
        let otherwise = node.otherwise.as_ref().map(|block| self.block(block));
        if otherwise.as_ref().is_some_and(|block| block.completion == Completion::Falls) {
            completion = Completion::Falls;
        }
        (failed.map_or(Ok(StmtKind::If(If { branches, otherwise })), Err), completion)
    }

    /// An `if` with a value.
    pub(super) fn if_value(&mut self, node: &ast::If, span: Span, want: Want) -> Checked<Outcome> {
        let Some(otherwise) = &node.otherwise else {
            let mark = self.cx.reports.mark();
            let _ = self.if_stmt(node);
            self.cx.reports.reset(mark);
            let error = Diagnostic::error(CheckError::IfWithoutElse, Span { end: span.start + 2, ..span });
            return Err(self.report(error.with_help("add `else { ... }` with the value it has otherwise")));
        };
        let blocks: Vec<_> = node.branches.iter().map(|branch| &branch.body).chain([otherwise]).collect();
        let mut conds: Vec<Option<Checked<Cond>>> = node.branches.iter().map(|_| None).collect();
        let (blocks, ty) = self.alternatives(&blocks, want, |body, at| {
            if let Some(branch) = node.branches.get(at) {
                conds[at] = Some(body.cond(&branch.cond));
            }
        });
        let conds: Checked<Vec<_>> = conds.into_iter().flatten().collect();
        let (conds, mut blocks) = (conds?, blocks?);
        let otherwise = blocks.pop();
        let branches = conds.into_iter().zip(blocks).map(|(cond, body)| Branch { cond, body }).collect();
        let node = If { branches, otherwise };
        Ok(match ty {
            Some(ty) => Outcome::Value(Expr { kind: ExprKind::If(Box::new(node)), ty, span }),
            None => leaving(StmtKind::If(node), "every way through this `if` leaves it"),
        })
    }

    /// Blocks of which one will run and give the value, and the type of that value; none if all of them leave. Each is
    /// checked after `before`, in a scope that both share.
    pub(super) fn alternatives(
        &mut self,
        blocks: &[&ast::Block],
        want: Want,
        mut before: impl FnMut(&mut Self, usize),
    ) -> (Checked<Vec<Block>>, Option<TypeRef>) {
        let mut join = Join::new(want, "the first branch is here");
        let mut checked: Vec<Option<Checked<Block>>> = blocks.iter().map(|_| None).collect();
        for at in open_last(blocks, |block| tail(block).is_some_and(is_open)) {
            self.scopes.enter();
            before(self, at);
            let block = self.value_block(blocks[at], join.want());
            self.scopes.leave();
            checked[at] = Some(block.and_then(|block| {
                if let (Some(value), Some(expr)) = (&block.value, tail(blocks[at])) {
                    join.add(self, value, expr)?;
                }
                Ok(block)
            }));
        }
        let ty = join.ty();
        let lifted = |block: Block| match ty {
            Some(ty) => Block { value: block.value.map(|value| Box::new(self.cx.env.lift(*value, ty))), ..block },
            None => block,
        };
        (checked.into_iter().flatten().map(|block| block.map(lifted)).collect(), ty)
    }

    /// A block with a value.
    pub(super) fn block_value(&mut self, block: &ast::Block, want: Want) -> Checked<Outcome> {
        let span = block.span;
        if block.stmts.is_empty() {
            let error = Diagnostic::error(CheckError::NoValue("this block is empty".to_owned()), span);
            return Err(self.report(error.with_help("an empty dict is written `dict()`, an empty set `set()`")));
        }
        let block = self.value_block(block, want)?;
        Ok(match block.value.as_ref().map(|value| value.ty) {
            Some(ty) => Outcome::Value(Expr { kind: ExprKind::Block(Box::new(block)), ty, span }),
            None => leaving(StmtKind::Block(block), "this block leaves before its end"),
        })
    }

    /// A block that has a value, or leaves.
    fn value_block(&mut self, block: &ast::Block, want: Want) -> Checked<Block> {
        self.scopes.enter();
        let (init, last) = match tail(block) {
            Some(tail) => (&block.stmts[..block.stmts.len() - 1], Some(tail)),
            None => (&block.stmts[..], None),
        };
        let (mut stmts, mut completion) = self.stmts(init);
        if let (Completion::Leaves, Some(tail)) = (completion, last) {
            self.cx.unreachable(tail.span);
        }
        let value = match last {
            Some(expr) => self.tail(expr, want),
            None if completion == Completion::Leaves => Ok(Tail::Left),
            None => {
                let why = if init.is_empty() { "this block is empty" } else { "this block ends without one" };
                Err(self.error(CheckError::NoValue(why.to_owned()), block.span))
            }
        };
        self.scopes.leave();
        let value = match value? {
            Tail::Value(value) => Some(Box::new(value)),
            Tail::Leaves(kind, span) => {
                stmts.push(Stmt { kind, span });
                completion = Completion::Leaves;
                None
            }
            Tail::Left => None,
        };
        Ok(Block { stmts, value, completion, span: block.span })
    }

    /// The last expression of a block with a value.
    fn tail(&mut self, expr: &ast::Expr, want: Want) -> Checked<Tail> {
        if let (Want::Exactly(ty), true) = (want, super::operator::is_none(expr)) {
            return self.check(expr, ty, None).map(Tail::Value);
        }
        match (self.outcome(expr, want)?, want) {
            (Outcome::Value(value), Want::Exactly(ty)) => self.coerce(value, ty, expr, None).map(Tail::Value),
            (Outcome::Value(value), Want::Any | Want::Like(_)) => Ok(Tail::Value(value)),
            (Outcome::Nothing(kind, Completion::Leaves, _), _) => Ok(Tail::Leaves(*kind, expr.span)),
            (Outcome::Nothing(_, Completion::Falls, why), _) => Err(self.error(CheckError::NoValue(why), expr.span)),
        }
    }
}

/// The end of a block with a value.
enum Tail {
    Value(Expr),
    /// Its last expression leaves.
    Leaves(StmtKind, Span),
    /// Its statements leave.
    Left,
}

/// The expression that is the value of a block.
fn tail(block: &ast::Block) -> Option<&ast::Expr> {
    match &block.stmts.last()?.kind {
        ast::StmtKind::Expr(expr) => Some(expr),
        _ => None,
    }
}

/// An expression that could have a value, but never comes to it.
pub(super) fn leaving(kind: StmtKind, why: &str) -> Outcome {
    Outcome::Nothing(Box::new(kind), Completion::Leaves, why.to_owned())
}

//! Statements but for assignments, loops and printing, which have files of their own.

use super::Lowering;
use crate::ir::{FailKind, Inst, Operand, Terminator};
use crate::source::Span;
use crate::tast::{Binding, Expr, LoopRef, Stmt, StmtKind};

impl Lowering<'_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Let { binding, value } => self.let_stmt(span, *binding, value),
            StmtKind::Assign { place, value } => self.assign(span, place, value),
            StmtKind::Update { place, op, value } => self.update(span, place, *op, value),
            StmtKind::Call(call) => self.call(span, call, None),
            StmtKind::Drop(expr) => self.drop_value(expr),
            StmtKind::Print(args) => self.print(span, args),
            StmtKind::Write(args) => self.write(span, args),
            StmtKind::Show(value) => self.show(span, value),
            StmtKind::Assert { cond, message } => self.assert_stmt(span, cond, message.as_ref()),
            StmtKind::Exit(status) => {
                let status = self.expr(status);
                self.end(span, Terminator::Exit(status));
            }
            StmtKind::If(inner) => self.if_into(inner, None),
            StmtKind::Select(inner) => self.select_into(span, inner, None),
            StmtKind::Match(inner) => self.match_into(span, inner, None),
            StmtKind::Block(block) => self.block(block),
            StmtKind::While(inner) => self.while_stmt(span, inner),
            StmtKind::Loop(inner) => self.loop_stmt(span, inner),
            StmtKind::For(inner) => self.for_stmt(span, inner),
            StmtKind::Break(id) => {
                let target = self.exits(*id).on_break;
                self.end(span, Terminator::Jump(target));
            }
            StmtKind::Continue(id) => {
                let target = self.exits(*id).on_continue;
                self.end(span, Terminator::Jump(target));
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|expr| self.expr(expr));
                self.end(span, Terminator::Return(value));
            }
            StmtKind::Fail(message) => {
                let message = self.expr(message);
                self.end(span, Terminator::Fail { kind: FailKind::User, message });
            }
            StmtKind::Try(inner) => self.try_stmt(inner),
        }
    }

    /// Evaluates an expression for its effect.
    pub(super) fn drop_value(&mut self, expr: &Expr) {
        self.expr(expr);
    }

    fn let_stmt(&mut self, span: Span, binding: Binding, value: &Expr) {
        match binding {
            Binding::Var(var) => {
                // The local is declared after its value, in which the name may still mean another variable.
                match self.function.vars[var].cell {
                    None => {
                        let local = self.var(var);
                        self.expr_into(value, local);
                    }
                    Some(cell) => {
                        let src = self.expr(value);
                        let dst = self.var(var);
                        self.push(span, Inst::NewRecord { dst, record: cell, fields: vec![src] });
                    }
                }
            }
            Binding::Global(global) => {
                let src = self.expr(value);
                self.push(span, Inst::GlobalSet { global, src });
            }
        }
    }

    fn assert_stmt(&mut self, span: Span, cond: &Expr, message: Option<&Expr>) {
        let (fails, holds) = (self.new_block(), self.new_block());
        self.branch_on(cond, holds, fails);
        self.builder.switch_to(fails);
        let message = message.map_or(Operand::NoneRef, |expr| self.expr(expr));
        self.end(span, Terminator::Fail { kind: FailKind::Assert, message });
        self.builder.switch_to(holds);
    }

    fn exits(&self, id: LoopRef) -> super::Exits {
        self.loops[id].expect("a jump leaves a loop it is in")
    }

    pub(super) fn end(&mut self, span: Span, term: Terminator) {
        self.builder.set_span(span);
        self.terminate(term);
    }
}

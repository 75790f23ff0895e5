//! Conditions, lowered to control flow: `&&`, `||` and `!` become branches and no values.

use super::Lowering;
use crate::ir::field::boxed::CONTENT;
use crate::ir::{Block, Inst, Local, Operand, Scalar, Terminator, UnaryOp};
use crate::tast::{Cond, Expr, ExprKind};

impl Lowering<'_> {
    /// Ends the present block: continues at `then` if the condition holds, else at `otherwise`.
    pub(super) fn cond(&mut self, cond: &Cond, then: Block, otherwise: Block) {
        match cond {
            Cond::Expr(expr) => self.branch_on(expr, then, otherwise),
            Cond::Decide(decision) => self.decide(decision, &[then], otherwise),
            Cond::Let { var, value, boxed } => {
                let operand = self.expr(value);
                let some = self.temp(Scalar::Bool);
                let (none, op) = self.none_of(value.ty);
                self.push(value.span, Inst::Binary { op, dst: some, lhs: operand, rhs: none });
                let Some(var) = var else {
                    let cond = Operand::Local(some);
                    return self.terminate(Terminator::Branch { cond, then, otherwise });
                };
                let bind = self.new_block();
                self.terminate(Terminator::Branch { cond: Operand::Local(some), then: bind, otherwise });
                self.builder.switch_to(bind);
                let local = self.var(*var);
                match (boxed, self.function.vars[*var].cell) {
                    (Some(record), None) => {
                        let inst = Inst::FieldGet { dst: local, object: operand, record: *record, field: CONTENT };
                        self.push(value.span, inst);
                    }
                    (None, None) => self.copy(value.span, local, operand),
                    (_, Some(_)) => unreachable!("what a condition binds is fixed"),
                }
                self.jump(then);
            }
        }
    }

    /// Ends the present block with the truth of an expression.
    pub(super) fn branch_on(&mut self, expr: &Expr, then: Block, otherwise: Block) {
        match &expr.kind {
            ExprKind::And(lhs, rhs) => {
                let more = self.new_block();
                self.branch_on(lhs, more, otherwise);
                self.builder.switch_to(more);
                self.branch_on(rhs, then, otherwise);
            }
            ExprKind::Or(lhs, rhs) => {
                let more = self.new_block();
                self.branch_on(lhs, then, more);
                self.builder.switch_to(more);
                self.branch_on(rhs, then, otherwise);
            }
            ExprKind::Unary { op: UnaryOp::BoolNot, operand } => self.branch_on(operand, otherwise, then),
            ExprKind::Bool(value) => self.jump(if *value { then } else { otherwise }),
            _ => {
                let cond = self.expr(expr);
                self.builder.set_span(expr.span);
                self.terminate(Terminator::Branch { cond, then, otherwise });
            }
        }
    }

    /// The value of `&&` or `||`.
    pub(super) fn short_circuit(&mut self, expr: &Expr, dst: Local) {
        let (yes, no, done) = (self.new_block(), self.new_block(), self.new_block());
        self.branch_on(expr, yes, no);
        for (block, value) in [(yes, true), (no, false)] {
            self.builder.switch_to(block);
            self.copy(expr.span, dst, Operand::Bool(value));
            self.jump(done);
        }
        self.builder.switch_to(done);
    }
}

//! Trees of tests: a block for each node, and one for each arm that all leaves share.

use super::Lowering;
use crate::ir::{BinaryOp, Block, Inst, Local, Operand, Scalar, Terminator};
use crate::source::Span;
use crate::tast::{Binding, Decision, Select, Stmt, StmtKind};

impl Lowering<'_> {
    /// A `match` with a tree of tests, with its value into `dst` where one is asked for.
    pub(super) fn select_into(&mut self, span: Span, inner: &Select, dst: Option<Local>) {
        let done = self.new_block();
        let bodies: Vec<Block> = inner.arms.iter().map(|_| self.new_block()).collect();
        self.decide(span, &inner.decision, &bodies, done);
        for (arm, body) in inner.arms.iter().zip(bodies) {
            self.builder.switch_to(body);
            self.block_into(arm, dst);
            self.jump(done);
        }
        self.builder.switch_to(done);
    }

    /// Ends the present block: goes to the block of the arm that the tree comes to, or to `nothing`.
    pub(super) fn decide(&mut self, span: Span, decision: &Decision, arms: &[Block], nothing: Block) {
        match decision {
            Decision::Arm(arm) => self.jump(arms[*arm]),
            Decision::Nothing => self.jump(nothing),
            Decision::Let { var, value, next } => {
                let kind = StmtKind::Let { binding: Binding::Var(*var), value: value.clone() };
                self.stmt(&Stmt { kind, span: value.span });
                self.decide(span, next, arms, nothing);
            }
            Decision::If { cond, then, otherwise } => {
                let (yes, no) = (self.new_block(), self.new_block());
                self.branch_on(cond, yes, no);
                self.builder.switch_to(yes);
                self.decide(span, then, arms, nothing);
                self.builder.switch_to(no);
                self.decide(span, otherwise, arms, nothing);
            }
            Decision::Switch { value, cases, default } => {
                let subject = self.expr(value);
                self.builder.set_span(value.span);
                let blocks: Vec<(i64, Block)> = cases.iter().map(|(at, _)| (*at, self.new_block())).collect();
                let other = self.new_block();
                match blocks.as_slice() {
                    [] => self.jump(other),
                    &[(at, block)] => {
                        let equal = self.temp(Scalar::Bool);
                        let rhs = Operand::Int(at);
                        self.push(value.span, Inst::Binary { op: BinaryOp::IntEq, dst: equal, lhs: subject, rhs });
                        let cond = Operand::Local(equal);
                        self.terminate(Terminator::Branch { cond, then: block, otherwise: other });
                    }
                    _ => self.terminate(Terminator::Switch { value: subject, cases: blocks.clone(), default: other }),
                }
                for ((_, case), (_, block)) in cases.iter().zip(blocks) {
                    self.builder.switch_to(block);
                    self.decide(span, case, arms, nothing);
                }
                self.builder.switch_to(other);
                self.decide(span, default, arms, nothing);
            }
        }
    }
}

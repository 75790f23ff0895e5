//! `match`: a switch over the values of an integer, comparisons for wide ranges and strings, a branch
//! for a bool. The tests of all arms are disjoint, so their order is free.

use super::Lowering;
use crate::ir::{BinaryOp, Block, Builtin, Inst, Local, Operand, Scalar, Terminator};
use crate::settings::lower::WIDEST_CASES;
use crate::source::Span;
use crate::tast::{Match, Test};

impl Lowering<'_> {
    /// A `match`, with its value into `dst` where one is asked for.
    pub(super) fn match_into(&mut self, span: Span, inner: &Match, dst: Option<Local>) {
        let subject = self.expr(&inner.subject);
        let done = self.new_block();
        let bodies: Vec<Block> = inner.arms.iter().map(|_| self.new_block()).collect();
        let default = inner.default.map_or(done, |arm| bodies[arm]);
        let tests: Vec<(Test, Block)> = inner
            .arms
            .iter()
            .zip(&bodies)
            .filter(|(_, body)| **body != default)
            .flat_map(|(arm, body)| arm.tests.iter().map(|test| (*test, *body)))
            .collect();
        self.builder.set_span(span);
        self.select(inner.subject.span, subject, &tests, default);
        for (arm, body) in inner.arms.iter().zip(bodies) {
            self.builder.switch_to(body);
            self.block_into(&arm.body, dst);
            self.jump(done);
        }
        self.builder.switch_to(done);
    }

    fn select(&mut self, span: Span, subject: Operand, tests: &[(Test, Block)], default: Block) {
        let mut cases = Vec::new();
        for (test, body) in tests {
            match *test {
                Test::Int { low, high } if high.wrapping_sub(low) as u64 >= WIDEST_CASES => {
                    self.test_range(span, subject, low, high, *body);
                }
                Test::Int { low, high } => cases.extend((low..=high).map(|value| (value, *body))),
                Test::Bool(true) => self.test(subject, *body),
                Test::Bool(false) => {
                    let next = self.new_block();
                    self.terminate(Terminator::Branch { cond: subject, then: next, otherwise: *body });
                    self.builder.switch_to(next);
                }
                Test::Str(id) => {
                    let equal = self.temp(Scalar::Bool);
                    let args = vec![subject, Operand::Str(id)];
                    self.push(span, Inst::Builtin { dst: Some(equal), builtin: Builtin::StrEq, args });
                    self.test(Operand::Local(equal), *body);
                }
            }
        }
        self.builder.set_span(span);
        match cases.as_slice() {
            [] => self.jump(default),
            [(value, body)] => {
                let equal = self.compare(span, BinaryOp::IntEq, subject, *value);
                self.terminate(Terminator::Branch { cond: equal, then: *body, otherwise: default });
            }
            _ => self.terminate(Terminator::Switch { value: subject, cases, default }),
        }
    }

    fn test_range(&mut self, span: Span, subject: Operand, low: i64, high: i64, body: Block) {
        let (upper, next) = (self.new_block(), self.new_block());
        let above = self.compare(span, BinaryOp::IntGe, subject, low);
        self.terminate(Terminator::Branch { cond: above, then: upper, otherwise: next });
        self.builder.switch_to(upper);
        let below = self.compare(span, BinaryOp::IntLe, subject, high);
        self.terminate(Terminator::Branch { cond: below, then: body, otherwise: next });
        self.builder.switch_to(next);
    }

    /// Goes to `body` if `cond`, else falls through.
    fn test(&mut self, cond: Operand, body: Block) {
        let next = self.new_block();
        self.terminate(Terminator::Branch { cond, then: body, otherwise: next });
        self.builder.switch_to(next);
    }

    fn compare(&mut self, span: Span, op: BinaryOp, lhs: Operand, value: i64) -> Operand {
        let dst = self.temp(Scalar::Bool);
        self.push(span, Inst::Binary { op, dst, lhs, rhs: Operand::Int(value) });
        Operand::Local(dst)
    }
}

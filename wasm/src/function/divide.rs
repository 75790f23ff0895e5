//! Divisions and remainders of integers.
//!
//! In: their operators. Out: divisions that fail on 0, with a test where a result may not fit. Invariant: the test is left out where the divisor is a
//! constant other than -1.

use super::Lowering;
use super::arith::WORD;
use holloway_ir::{BinaryOp, FailKind, Inst, Operand, Scalar, Terminator};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn divide_words(&mut self, op: &Operator<'_>) {
        match op {
            // Without sign these are integers that are not negative.
            Operator::I32DivU => self.binary(BinaryOp::IntDiv),
            Operator::I32RemU => self.binary(BinaryOp::IntRem),
            Operator::I32DivS => {
                let rhs = self.pop_signed();
                let lhs = self.pop_signed();
                let dst = self.slot(self.stack.depth(), Scalar::Int);
                self.builder.push(Inst::Binary { op: BinaryOp::IntDiv, dst, lhs, rhs });
                if !Self::is_other_constant(rhs, -1) {
                    // Only the quotient of the least integer and -1 does not fit.
                    self.fail_if_equal(Operand::Local(dst), 1 << 31);
                }
                self.push_binary(BinaryOp::IntAnd, Operand::Local(dst), Operand::Int(WORD));
            }
            Operator::I32RemS => {
                let rhs = self.pop_signed();
                let lhs = self.pop_signed();
                self.push_binary(BinaryOp::IntRem, lhs, rhs);
                self.mask_word();
            }
            other => unreachable!("{other:?} divides no words"),
        }
    }

    pub(super) fn divide_signed(&mut self) {
        let rhs = self.pop_int();
        let lhs = self.pop_int();
        if !Self::is_other_constant(rhs, -1) {
            let is_least = self.temporary(Scalar::Bool);
            let is_minus_one = self.temporary(Scalar::Bool);
            let equal = |dst, lhs, rhs| Inst::Binary { op: BinaryOp::IntEq, dst, lhs, rhs: Operand::Int(rhs) };
            self.builder.push(equal(is_least, lhs, i64::MIN));
            self.builder.push(equal(is_minus_one, rhs, -1));
            let (lhs, rhs) = (Operand::Local(is_least), Operand::Local(is_minus_one));
            self.builder.push(Inst::Binary { op: BinaryOp::BoolAnd, dst: is_least, lhs, rhs });
            self.fail_if(Operand::Local(is_least), FailKind::IntegerOverflow);
        }
        self.push_binary(BinaryOp::IntDiv, lhs, rhs);
    }

    fn fail_if_equal(&mut self, lhs: Operand, rhs: i64) {
        let dst = self.temporary(Scalar::Bool);
        self.builder.push(Inst::Binary { op: BinaryOp::IntEq, dst, lhs, rhs: Operand::Int(rhs) });
        self.fail_if(Operand::Local(dst), FailKind::IntegerOverflow);
    }

    /// Fails if a condition holds, and continues in a new block.
    pub(super) fn fail_if(&mut self, cond: Operand, kind: FailKind) {
        let (fails, goes_on) = (self.block(), self.block());
        self.builder.terminate(Terminator::Branch { cond, then: fails, otherwise: goes_on });
        self.begin(fails);
        self.fail(kind);
        self.begin(goes_on);
    }

    /// Ends the block with a failure.
    pub(super) fn fail(&mut self, kind: FailKind) {
        self.builder.terminate(Terminator::Fail { kind, message: Operand::NoneRef });
    }
}

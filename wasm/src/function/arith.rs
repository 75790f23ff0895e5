//! Operators of all types of numbers.
//!
//! In: an operation of the IR. Out: it, with its operands popped and its result pushed. Invariant: an operand that is changed before it is used
//! is changed in the slot that it had.

use super::Lowering;
use holloway_ir::{BinaryOp, Inst, Operand, Scalar, UnaryOp};

/// The bits of an `i32`.
pub(super) const WORD: i64 = 0xffff_ffff;

/// The operands of a comparison, as they are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    AsWritten,
    Swapped,
}

impl Lowering<'_> {
    /// An operation whose operands are entries.
    pub(super) fn binary(&mut self, op: BinaryOp) {
        let rhs = self.pop(op.operand());
        let lhs = self.pop(op.operand());
        self.push_binary(op, lhs, rhs);
    }

    /// An operation whose operand is an entry.
    pub(super) fn unary(&mut self, op: UnaryOp) {
        let src = self.pop(op.operand());
        self.push_unary(op, src);
    }

    /// Changes an operand that was popped just now, in the slot that it had.
    pub(super) fn changed(&mut self, op: UnaryOp, src: Operand) -> Operand {
        let dst = self.slot(self.stack.depth(), op.result());
        self.builder.push(Inst::Unary { op, dst, src });
        Operand::Local(dst)
    }

    /// The same, by an operation with a constant.
    pub(super) fn changed_by(&mut self, op: BinaryOp, src: Operand, by: i64) -> Operand {
        let dst = self.slot(self.stack.depth(), op.result());
        self.builder.push(Inst::Binary { op, dst, lhs: src, rhs: Operand::Int(by) });
        Operand::Local(dst)
    }

    /// Takes the low 32 bits of the entry at the top, which an instruction has just made.
    pub(super) fn mask_word(&mut self) {
        match self.pop_int() {
            Operand::Int(value) => self.push(Operand::Int(value & WORD)),
            value => self.push_binary(BinaryOp::IntAnd, value, Operand::Int(WORD)),
        }
    }

    /// Negates the truth value at the top: by the comparison that made it, if it is the last instruction and has an opposite.
    pub(super) fn negate(&mut self) {
        let value = self.pop(Scalar::Bool);
        if let Operand::Bool(value) = value {
            return self.push(Operand::Bool(!value));
        }
        if let Some(Inst::Binary { op, dst, .. }) = self.builder.last_mut()
            && Operand::Local(*dst) == value
            && let Some(opposite) = opposite(*op)
        {
            *op = opposite;
            return self.push(value);
        }
        self.push_unary(UnaryOp::BoolNot, value);
    }
}

/// The comparison that is true where one is false.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::IntEq => BinaryOp::IntNe,
        BinaryOp::IntNe => BinaryOp::IntEq,
        BinaryOp::IntLt => BinaryOp::IntGe,
        BinaryOp::IntGe => BinaryOp::IntLt,
        BinaryOp::IntLe => BinaryOp::IntGt,
        BinaryOp::IntGt => BinaryOp::IntLe,
        BinaryOp::FloatEq => BinaryOp::FloatNe,
        BinaryOp::FloatNe => BinaryOp::FloatEq,
        BinaryOp::BoolEq => BinaryOp::BoolNe,
        BinaryOp::BoolNe => BinaryOp::BoolEq,
        _ => return None,
    })
}

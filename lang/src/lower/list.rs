//! Elements of lists: the index is compared with the length, then the array has it.

use super::Lowering;
use crate::ir::field::list;
use crate::ir::{BinaryOp, Builtin, Inst, Operand, RecordRef, Scalar, Terminator};
use crate::source::Span;

impl Lowering<'_> {
    /// The array of a list that has an element at `index`; fails if there is none.
    pub(super) fn list_data(&mut self, span: Span, record: RecordRef, list: Operand, index: Operand) -> Operand {
        let len = self.temp(Scalar::Int);
        self.push(span, Inst::FieldGet { dst: len, object: list, record, field: list::LEN });
        let len = Operand::Local(len);
        let (above, inside, outside) = (self.new_block(), self.new_block(), self.new_block());
        let (low, high) = (self.temp(Scalar::Bool), self.temp(Scalar::Bool));
        self.push(span, Inst::Binary { op: BinaryOp::IntGe, dst: low, lhs: index, rhs: Operand::Int(0) });
        self.terminate(Terminator::Branch { cond: Operand::Local(low), then: above, otherwise: outside });
        self.builder.switch_to(above);
        self.push(span, Inst::Binary { op: BinaryOp::IntLt, dst: high, lhs: index, rhs: len });
        self.terminate(Terminator::Branch { cond: Operand::Local(high), then: inside, otherwise: outside });
        self.builder.switch_to(outside);
        self.push(span, Inst::Builtin { dst: None, builtin: Builtin::IndexFailure, args: vec![index, len] });
        self.terminate(Terminator::Exit(Operand::Int(0)));
        self.builder.switch_to(inside);
        let array = self.temp(Scalar::Ref);
        self.push(span, Inst::FieldGet { dst: array, object: list, record, field: list::DATA });
        Operand::Local(array)
    }
}

//! Tables and references.
//!
//! In: operators. Out: builtins, and words: 0 is none.

use super::Lowering;
use crate::environment::Environment;
use holloway_ir::{BinaryOp, Builtin, Operand};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn table(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::TableGet { table } => self.builtin(Builtin::TableGet, &[*table]),
            Operator::TableSet { table } => self.builtin(Builtin::TableSet, &[*table]),
            Operator::TableSize { table } => self.builtin(Builtin::TableSize, &[*table]),
            Operator::TableGrow { table } => self.builtin(Builtin::TableGrow, &[*table]),
            Operator::TableFill { table } => self.builtin(Builtin::TableFill, &[*table]),
            Operator::TableCopy { dst_table, src_table } => self.builtin(Builtin::TableCopy, &[*dst_table, *src_table]),
            Operator::TableInit { elem_index, table } => self.builtin(Builtin::TableInit, &[*table, *elem_index]),
            Operator::ElemDrop { elem_index } => self.builtin(Builtin::ElemDrop, &[*elem_index]),
            Operator::RefNull { .. } => self.push(Operand::Int(0)),
            Operator::RefIsNull => {
                let reference = self.pop_int();
                self.push_binary(BinaryOp::IntEq, reference, Operand::Int(0));
            }
            Operator::RefFunc { function_index } => {
                self.push(Operand::Int(Environment::reference(*function_index)));
            }
            _ => return false,
        }
        true
    }
}

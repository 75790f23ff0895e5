//! Locals, globals and constants.
//!
//! In: their operators. Out: mostly nothing but an entry of the stack. Invariant: a local that may be read before it is assigned is assigned zero at the
//! beginning of the function.

use super::Lowering;
use holloway_ir::{BinaryOp, Inst, Local, Operand, Scalar, UnaryOp};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn variable(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::LocalGet { local_index } => {
                let local = self.local(*local_index);
                self.initialized.read(local);
                self.push(Operand::Local(local));
            }
            Operator::LocalSet { local_index } => {
                self.set_local(*local_index);
            }
            Operator::LocalTee { local_index } => {
                let local = self.set_local(*local_index);
                self.push(Operand::Local(local));
            }
            Operator::GlobalGet { global_index } => {
                let (global, variable) = self.env.globals[*global_index as usize];
                let dst = self.push_slot(variable.ty.scalar());
                self.builder.push(Inst::GlobalGet { dst, global });
            }
            Operator::GlobalSet { global_index } => {
                let (global, variable) = self.env.globals[*global_index as usize];
                let src = self.pop(variable.ty.scalar());
                self.builder.push(Inst::GlobalSet { global, src });
            }
            Operator::I32Const { value } => self.push(Operand::Int(i64::from(*value as u32))),
            Operator::I64Const { value } => self.push(Operand::Int(*value)),
            Operator::F32Const { value } => self.push(Operand::Int(i64::from(value.bits()))),
            Operator::F64Const { value } => self.push(Operand::Float(value.bits())),
            Operator::Drop => {
                self.pop_any();
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(),
            _ => return false,
        }
        true
    }

    fn set_local(&mut self, index: u32) -> Local {
        let local = self.local(index);
        let src = self.pop(self.builder.operand_scalar(Operand::Local(local)));
        if src != Operand::Local(local) {
            self.assign(local, src);
        }
        self.initialized.assign(local);
        local
    }

    fn select(&mut self) {
        let cond = self.pop(Scalar::Bool);
        let scalar = match self.is_bool(0) && self.is_bool(1) {
            true => Scalar::Bool,
            false => match self.builder.operand_scalar(self.stack.entry(self.stack.depth() - 1)) {
                Scalar::Float => Scalar::Float,
                Scalar::Int | Scalar::Bool | Scalar::Func | Scalar::Ref => Scalar::Int,
            },
        };
        let otherwise = self.pop(scalar);
        let then = self.pop(scalar);
        let dst = self.push_slot(scalar);
        self.builder.push(Inst::Select { dst, cond, then, otherwise });
    }

    /// `dst = op src`, pushed.
    pub(super) fn push_unary(&mut self, op: UnaryOp, src: Operand) {
        let dst = self.push_slot(op.result());
        self.builder.push(Inst::Unary { op, dst, src });
    }

    /// `dst = op lhs, rhs`, pushed.
    pub(super) fn push_binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let dst = self.push_slot(op.result());
        self.builder.push(Inst::Binary { op, dst, lhs, rhs });
    }
}

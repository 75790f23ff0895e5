//! Calls.
//!
//! In: operators. Out: calls of the IR. Invariant: results but the first are read from hidden globals behind the call, before anything can change these.

use super::Lowering;
use crate::environment::Environment;
use crate::types::FuncType;
use holloway_ir::{Builtin, Inst, Local, Operand, Scalar};
use wasmparser::Operator;

impl Lowering<'_> {
    pub(super) fn call(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::Call { function_index } => {
                let env = self.env;
                let ty = env.type_of(*function_index);
                self.spend_call(ty);
                let args = self.pop_all(ty.params.iter().map(|ty| ty.scalar()));
                let dst = self.push_result(ty);
                self.builder.push(Inst::Call { dst, func: Environment::function(*function_index), args });
                self.push_further_results(ty);
            }
            Operator::CallIndirect { type_index, table_index } => {
                let env = self.env;
                let ty = &env.types[*type_index as usize];
                self.spend_call(ty);
                let callee = self.callee(*type_index, *table_index);
                let args = self.pop_all(ty.params.iter().map(|ty| ty.scalar()));
                let dst = self.push_result(ty);
                let sig = env.sigs[*type_index as usize];
                self.builder.push(Inst::CallIndirect { dst, callee: Operand::Local(callee), sig, args });
                self.push_further_results(ty);
            }
            _ => return false,
        }
        true
    }

    fn spend_call(&mut self, ty: &FuncType) {
        self.budget.spend(ty.params.len());
        self.budget.spend(ty.results.len());
    }

    /// The function of the entry whose index is on the stack, which has such a type.
    fn callee(&mut self, type_index: u32, table_index: u32) -> Local {
        let index = self.pop_int();
        let dst = self.temporary(Scalar::Func);
        let number = self.env.numbers[type_index as usize];
        let args = vec![Operand::Int(i64::from(table_index)), index, Operand::Int(i64::from(number))];
        self.builder.push(Inst::Builtin { dst: Some(dst), builtin: Builtin::TableCallee, args });
        dst
    }

    fn push_result(&mut self, ty: &FuncType) -> Option<Local> {
        ty.results.first().map(|ty| self.push_slot(ty.scalar()))
    }

    fn push_further_results(&mut self, ty: &FuncType) {
        for (global, ty) in self.env.further_results(ty).into_iter().zip(&ty.results[ty.results.len().min(1)..]) {
            let dst = self.push_slot(ty.scalar());
            self.builder.push(Inst::GlobalGet { dst, global });
        }
    }
}

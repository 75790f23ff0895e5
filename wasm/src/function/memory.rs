//! Loads, stores, and operations on the whole memory.
//!
//! In: operators. Out: accesses of the IR, and builtins. Invariant: a load of an `i32` gives 0 in the upper half.

use super::Lowering;
use holloway_ir::{Access, Builtin, Inst, Operand};
use wasmparser::{MemArg, Operator};

impl Lowering<'_> {
    pub(super) fn memory(&mut self, op: &Operator<'_>) -> bool {
        match op {
            Operator::I32Load { memarg } | Operator::F32Load { memarg } | Operator::I64Load32U { memarg } => {
                self.load(Access::U32, memarg);
            }
            Operator::I64Load { memarg } => self.load(Access::Int, memarg),
            Operator::F64Load { memarg } => self.load(Access::Float, memarg),
            Operator::I32Load8U { memarg } | Operator::I64Load8U { memarg } => self.load(Access::U8, memarg),
            Operator::I32Load16U { memarg } | Operator::I64Load16U { memarg } => self.load(Access::U16, memarg),
            Operator::I64Load8S { memarg } => self.load(Access::S8, memarg),
            Operator::I64Load16S { memarg } => self.load(Access::S16, memarg),
            Operator::I64Load32S { memarg } => self.load(Access::S32, memarg),
            Operator::I32Load8S { memarg } => {
                self.load(Access::S8, memarg);
                self.mask_word();
            }
            Operator::I32Load16S { memarg } => {
                self.load(Access::S16, memarg);
                self.mask_word();
            }
            Operator::I32Store8 { memarg } | Operator::I64Store8 { memarg } => self.store(Access::U8, memarg),
            Operator::I32Store16 { memarg } | Operator::I64Store16 { memarg } => self.store(Access::U16, memarg),
            Operator::I32Store { memarg } | Operator::F32Store { memarg } | Operator::I64Store32 { memarg } => {
                self.store(Access::U32, memarg);
            }
            Operator::I64Store { memarg } => self.store(Access::Int, memarg),
            Operator::F64Store { memarg } => self.store(Access::Float, memarg),
            Operator::MemorySize { .. } => self.builtin(Builtin::MemorySize, &[]),
            Operator::MemoryGrow { .. } => self.builtin(Builtin::MemoryGrow, &[]),
            Operator::MemoryFill { .. } => self.builtin(Builtin::MemoryFill, &[]),
            Operator::MemoryCopy { .. } => self.builtin(Builtin::MemoryCopy, &[]),
            Operator::MemoryInit { data_index, .. } => self.builtin(Builtin::MemoryInit, &[*data_index]),
            Operator::DataDrop { data_index } => self.builtin(Builtin::DataDrop, &[*data_index]),
            _ => return false,
        }
        true
    }

    /// Runs a builtin whose first operands are numbers of tables or segments, and whose others are on the stack.
    pub(super) fn builtin(&mut self, builtin: Builtin, numbers: &[u32]) {
        let params = builtin.params().expect("it is about no type of the language");
        let mut args: Vec<Operand> = numbers.iter().map(|number| Operand::Int(i64::from(*number))).collect();
        args.extend(self.pop_all(params[numbers.len()..].iter().copied()));
        let dst = builtin.result().map(|scalar| self.push_slot(scalar));
        self.builder.push(Inst::Builtin { dst, builtin, args });
    }

    fn load(&mut self, access: Access, memarg: &MemArg) {
        let address = self.pop_int();
        let dst = self.push_slot(access.scalar());
        self.builder.push(Inst::Load { dst, access, address, offset: offset(memarg) });
    }

    fn store(&mut self, access: Access, memarg: &MemArg) {
        let src = self.pop(access.scalar());
        let address = self.pop_int();
        self.builder.push(Inst::Store { access, address, offset: offset(memarg), src });
    }
}

fn offset(memarg: &MemArg) -> u32 {
    u32::try_from(memarg.offset).expect("a memory of 32 bits")
}

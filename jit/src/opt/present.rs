//! References whose object is there as soon as they are: it may be read ahead of where the program does.
//!
//! In: a function, and a reference that it follows somewhere. Out: true if the reference is never `none`.
//! Invariant: a program follows what may be `none` behind a test alone, and a test that passes removed was implied by
//! another one of the same reference, or of one that it came from or was passed on to. So what is followed is there if
//! nothing tests or compares it, chooses or passes it on within the function, and if it does not come from such a
//! choice itself.

use super::ssa::{Block, Def, Func, Mem, Op, Value};
use cranelift_entity::EntitySet;
use holloway_lang::ir::{BinaryOp, Elem};

/// The references of a function that it tests.
pub(super) struct Present {
    tested: EntitySet<Value>,
}

impl Present {
    /// Looks at some blocks: all that are reachable.
    pub(super) fn of(func: &Func, blocks: &[Block]) -> Present {
        let mut tested = EntitySet::with_capacity(func.values.len());
        for block in blocks {
            let data = &func.blocks[*block];
            for inst in &data.insts {
                let data = &func.insts[*inst];
                let tests =
                    matches!(data.op, Op::CheckSome | Op::Select | Op::Binary(BinaryOp::RefEq | BinaryOp::RefNe));
                data.args.iter().filter(|_| tests).for_each(|arg| _ = tested.insert(*arg));
            }
            data.term.targets().flat_map(|to| &to.args).for_each(|arg| _ = tested.insert(*arg));
        }
        Present { tested }
    }

    /// Returns whether the object of a reference that is followed somewhere is there from the reference's definition
    /// on.
    pub(super) fn contains(&self, func: &Func, reference: Value) -> bool {
        let comes_typed = match func.values[reference].def {
            Def::Param(block, _) => block == func.entry,
            Def::Inst(inst) => match func.insts[inst].op {
                Op::NewRecord(_) | Op::NewArray(_) | Op::ArrayOf(_) | Op::Allocated => return true,
                Op::Load(Mem::Field(..) | Mem::Global(_) | Mem::State(_) | Mem::Elem(Elem::Ref)) => true,
                Op::Call(_) | Op::CallIndirect(_) => true,
                _ => false,
            },
            Def::Const(_) => false,
        };
        comes_typed && !self.tested.contains(reference)
    }
}

//! Registers that a loop leaves free, roughly.
//!
//! In: a loop. Out: [`Registers`], from which values that are to be kept all through the loop take some. What is defined outside and
//! needed inside has one, but for constants and what only cold blocks need, and so has what the loop carries.
//! Invariant: a value that finds none would be kept in the frame, and read from there as it could be read from its own place.

use super::cfg::Loop;
use super::loops;
use super::ssa::{Func, Value};
use crate::settings::registers::{FLOATS, OTHERS};
use cranelift_entity::EntitySet;
use holloway_lang::ir::Scalar;

/// Free registers of both kinds.
pub(super) struct Registers {
    floats: usize,
    others: usize,
}

impl Registers {
    /// Those that a loop leaves free.
    pub(super) fn free_in(func: &Func, l: &Loop) -> Registers {
        let mut free = Registers { floats: FLOATS, others: OTHERS };
        let inside = loops::defined(func, l);
        let mut kept: EntitySet<Value> = EntitySet::new();
        for data in l.blocks.iter().map(|block| &func.blocks[*block]).filter(|data| !data.cold) {
            let operands = data.insts.iter().flat_map(|inst| &func.insts[*inst].args).copied();
            let passed = data.term.targets().flat_map(|target| &target.args).copied();
            for value in operands.chain(passed).chain(data.term.operand()) {
                let is_kept = !inside.contains(value) && func.as_const(value).is_none();
                if is_kept && kept.insert(value) {
                    free.take(func.values[value].scalar);
                }
            }
        }
        func.blocks[l.header].params.iter().for_each(|param| _ = free.take(func.values[*param].scalar));
        free
    }

    /// True iff a value of that type gets one.
    pub(super) fn take(&mut self, scalar: Scalar) -> bool {
        let of_kind = match scalar {
            Scalar::Float => &mut self.floats,
            Scalar::Int | Scalar::Bool | Scalar::Ref | Scalar::Func => &mut self.others,
        };
        let has_some = *of_kind > 0;
        *of_kind -= usize::from(has_some);
        has_some
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opt::cfg::Graph;
    use crate::opt::parse;

    /// A loop that keeps two floats and a bound, and a third float for what is hardly ever executed.
    const LOOP: &str = "ssa {
b0(%0: float, %1: float, %2: int, %3: float) from block0:
    jump b1(0)
b1(%4: int) from block1:
    %5: float = fadd %0, %1
    %6: bool = ilt %4, 5
    branch %6, b2(), b3()
b2() from block2 cold:
    %7: float = fadd %3, %5
    jump b3()
b3() from block3:
    %8: int = iadd %4, 1
    %9: bool = ilt %8, %2
    branch %9, b1(%8), b4()
b4() from block4:
    return
}";

    #[test]
    fn what_a_loop_keeps_and_carries_has_registers() {
        let func = parse::function(LOOP).unwrap_or_else(|error| panic!("{error}"));
        let graph = Graph::of(&func);
        let l = graph.loops.values().next().expect("there is a loop");
        let free = |scalar| {
            let mut registers = Registers::free_in(&func, l);
            std::iter::repeat_with(|| registers.take(scalar)).take_while(|has_one| *has_one).count()
        };
        assert_eq!(free(Scalar::Float), FLOATS - 2, "constants and what only cold blocks need take none");
        assert_eq!(free(Scalar::Ref), OTHERS - 2, "the bound and the counter");
    }
}

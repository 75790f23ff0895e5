//! Lengths that are operands of the check of an index.
//!
//! In: an optimized function. Out: the loads of lengths that one check alone needs, in its block. They are made at the check, where the machine compares
//! with memory, and once more where the check fails: no register holds such a length until then.
//! Invariant: a length never changes, so it does not matter when it is read.

use crate::opt::cfg::{Graph, uses};
use crate::opt::ssa::{Func, Mem, Op, Value};
use cranelift_entity::EntitySet;

/// The lengths of a function that are read so.
#[derive(Default)]
pub(super) struct Lengths(EntitySet<Value>);

impl Lengths {
    /// Finds them.
    pub(super) fn find(ssa: &Func, graph: &Graph) -> Lengths {
        let uses = uses(ssa, &graph.rpo);
        let mut lengths = Lengths::default();
        let mut read: EntitySet<Value> = EntitySet::new();
        for block in &graph.rpo {
            read.clear();
            for inst in &ssa.blocks[*block].insts {
                let data = &ssa.insts[*inst];
                match (data.op, data.result) {
                    (Op::Load(Mem::Len), Some(length)) if uses[length] == 1 => _ = read.insert(length),
                    (Op::CheckIndex, _) if read.contains(data.args[1]) => _ = lengths.0.insert(data.args[1]),
                    _ => {}
                }
            }
        }
        lengths
    }

    /// True iff a value is a length that is read at its check.
    pub(super) fn is_operand(&self, value: Option<Value>) -> bool {
        value.is_some_and(|value| self.0.contains(value))
    }

    /// The object of such a length.
    pub(super) fn object(&self, ssa: &Func, length: Value) -> Option<Value> {
        let inst = ssa.def_inst(length).filter(|_| self.0.contains(length))?;
        Some(ssa.insts[inst].args[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opt::parse;

    #[test]
    fn a_length_that_one_check_needs_is_read_there() {
        let text = "ssa {
b0(%0: ref, %1: ref, %2: int) from block0:
    %3: int = load len %0
    check_index %2, %3
    %4: int = load len %1
    check_index %2, %4
    %5: int = iadd %2, %4
    jump b1()
b1() from block0:
    return
}";
        let func = parse::function(text).unwrap_or_else(|error| panic!("{error}"));
        let lengths = Lengths::find(&func, &Graph::of(&func));
        let results: Vec<Value> = func.insts.values().filter_map(|inst| inst.result).collect();
        assert_eq!(results.iter().map(|one| lengths.is_operand(Some(*one))).collect::<Vec<_>>(), [true, false, false]);
        assert!(lengths.object(&func, results[0]).is_some_and(|object| object.to_string() == "%0"));
        assert_eq!(lengths.object(&func, results[1]), None);
    }
}

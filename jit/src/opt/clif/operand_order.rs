//! The order of the operands of operations that take them in either order.
//!
//! In: an optimized function. Out: the parameters of loops by what they are in the next iteration; operands, in an order that gives the same result.
//! The machine replaces its first operand by the result. Where that is the parameter which the result is passed to, a sum over a loop stays in its
//! register; otherwise it is moved there and back in each iteration.
//! Invariant: operations on floats keep their order, as it says which of two NaNs the result is.

use crate::opt::cfg::Graph;
use crate::opt::ssa::{Func, Value};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use holloway_lang::ir::BinaryOp;

/// The parameters of loops, by what is passed to them for the next iteration.
#[derive(Default)]
pub(super) struct OperandOrder(SecondaryMap<Value, PackedOption<Value>>);

impl OperandOrder {
    /// Finds them.
    pub(super) fn find(ssa: &Func, graph: &Graph) -> OperandOrder {
        let mut order = OperandOrder::default();
        for l in graph.loops.values() {
            let back = l.latches.iter().flat_map(|latch| ssa.blocks[*latch].term.targets());
            for target in back.filter(|target| target.block == l.header) {
                let passed = ssa.blocks[l.header].params.iter().zip(&target.args);
                passed.for_each(|(param, next)| order.0[*next] = (*param).into());
            }
        }
        order
    }

    /// The operands of an operation, the one that its result takes the place of first if it is on integers and takes them in either order.
    pub(super) fn ordered(&self, op: BinaryOp, result: Option<Value>, args: [Value; 2]) -> [Value; 2] {
        use BinaryOp::{IntAdd, IntAnd, IntOr, IntXor};
        let replaced = result.and_then(|result| self.0[result].expand());
        match op {
            IntAdd | IntAnd | IntOr | IntXor if replaced == Some(args[1]) => [args[1], args[0]],
            _ => args,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opt::parse;

    #[test]
    fn what_the_result_takes_the_place_of_comes_first() {
        let text = "ssa {
b0(%0: int) from block0:
    jump b1(0)
b1(%1: int) from block0:
    %2: int = ixor %0, %1
    %3: int = isub %0, %1
    %4: bool = ilt %2, %3
    branch %4, b1(%2), b2()
b2() from block0:
    return
}";
        let func = parse::function(text).unwrap_or_else(|error| panic!("{error}"));
        let order = OperandOrder::find(&func, &Graph::of(&func));
        let result = |nth: u32| func.insts.values().filter_map(|inst| inst.result).nth(nth as usize);
        let args = func.insts.values().next().expect("it has some").args.clone();
        assert_eq!(order.ordered(BinaryOp::IntXor, result(0), [args[0], args[1]]), [args[1], args[0]]);
        assert_eq!(order.ordered(BinaryOp::IntSub, result(1), [args[0], args[1]]), [args[0], args[1]]);
        assert_eq!(order.ordered(BinaryOp::IntXor, None, [args[0], args[1]]), [args[0], args[1]]);
    }
}

//! Float constants as operands.
//!
//! In: a binary operation on SSA values. Out: its operands in CLIF, in an order that gives the same result.
//!
//! The machine reads the operand that an operation leaves alone from memory, at no cost; the one that it replaces, and the greater one of a
//! comparison, must be in a register. Cranelift makes a scalar constant again at each use, with two instructions, and a vector constant
//! where it stands. Lane 0 of a vector is the scalar's register, so what a loop needs in registers are lanes of vectors made in front of it.

use crate::opt::cfg::Graph;
use crate::opt::ssa::{Block, Def, Func, Op, Value};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::FunctionBuilder;
use hashbrown::HashMap;
use holloway_lang::ir::{BinaryOp, LoopId, Operand};

/// The float constants that innermost loops need in registers, by their bits.
pub(super) struct LoopConstants {
    /// Those to be made at the end of a block.
    wanted: SecondaryMap<Block, Vec<(LoopId, u64)>>,
    made: HashMap<(LoopId, u64), clif::Value>,
}

impl LoopConstants {
    /// Finds them, and for each loop the last block in front of it that no inner loop repeats.
    pub(super) fn find(ssa: &Func, graph: &Graph) -> LoopConstants {
        let mut wanted: SecondaryMap<Block, Vec<(LoopId, u64)>> = SecondaryMap::new();
        for block in &graph.rpo {
            let Some(at) = graph.innermost(*block) else { continue };
            let Some(front) = graph.front(&graph.loops[at]) else { continue };
            for inst in &ssa.blocks[*block].insts {
                let data = &ssa.insts[*inst];
                let Op::Binary(op) = data.op else { continue };
                let bits = in_register(op, ordered(ssa, op, &data.args)).and_then(|value| bits(ssa, value));
                if let Some(bits) = bits.filter(|bits| !wanted[front].contains(&(at, *bits))) {
                    wanted[front].push((at, bits));
                }
            }
        }
        LoopConstants { wanted, made: HashMap::new() }
    }

    /// Makes what the loops behind a block need, before its terminator.
    pub(super) fn make(&mut self, block: Block, builder: &mut FunctionBuilder<'_>) {
        for (at, bits) in std::mem::take(&mut self.wanted[block]) {
            let mut lanes = [0; 16];
            lanes[..8].copy_from_slice(&bits.to_le_bytes());
            let constant = builder.func.dfg.constants.insert(lanes.to_vec().into());
            let vector = builder.ins().vconst(types::F64X2, constant);
            let lane = builder.ins().extractlane(vector, 0);
            self.made.insert((at, bits), lane);
        }
    }

    /// The operands of an operation in their order, each with the constant that the loop around it has for it.
    pub(super) fn operands(
        &self,
        ssa: &Func,
        around: Option<LoopId>,
        op: BinaryOp,
        args: &[Value],
    ) -> [(Value, Option<clif::Value>); 2] {
        let args = ordered(ssa, op, args);
        let in_register = in_register(op, args);
        args.map(|arg| {
            let bits = bits(ssa, arg).filter(|_| in_register == Some(arg));
            (arg, bits.zip(around).and_then(|(bits, at)| self.made.get(&(at, bits))).copied())
        })
    }
}

/// The operands with a constant second, where the operation takes them in either order.
fn ordered(ssa: &Func, op: BinaryOp, args: &[Value]) -> [Value; 2] {
    let (x, y) = (args[0], args[1]);
    let swaps = matches!(op, BinaryOp::FloatAdd | BinaryOp::FloatMul) && bits(ssa, x).is_some();
    if swaps { [y, x] } else { [x, y] }
}

/// The operand of a float operation that the machine wants in a register.
fn in_register(op: BinaryOp, [x, y]: [Value; 2]) -> Option<Value> {
    match op {
        BinaryOp::FloatAdd
        | BinaryOp::FloatSub
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv
        | BinaryOp::FloatGt
        | BinaryOp::FloatGe => Some(x),
        BinaryOp::FloatLt | BinaryOp::FloatLe => Some(y),
        _ => None,
    }
}

/// The bits of a constant that is worth a register: 0 is made by one short instruction. Which of two NaNs a sum is depends on their order.
fn bits(ssa: &Func, value: Value) -> Option<u64> {
    match ssa.values[value].def {
        Def::Const(Operand::Float(bits)) if bits != 0 && !f64::from_bits(bits).is_nan() => Some(bits),
        _ => None,
    }
}

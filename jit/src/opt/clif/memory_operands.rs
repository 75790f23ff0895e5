//! Loads that become operands of the machine's operations, in loops of one block.
//!
//! In: an optimized function. Out: the results that are set apart from what they are computed of, and the arrays that such a loop reads by a
//! copy of its own.
//!
//! Cranelift makes a load an operand where its value is needed once, and what is computed of it too: several needs of a sum count for everything
//! below it, as if it could be computed again at each. A sum over a loop is needed twice, by the next iteration and behind the loop. The results
//! of an instruction that has two are exempt from this, so such a sum becomes half of a pair, and is taken out again; the other half is some
//! value that is in a register anyway. The pair costs nothing in machine code.
//!
//! An operand has no register that its array could be reloaded to once for all of them. So the array has a copy for the loop, which the register
//! allocator finds more worth a register than a value that lives as long as the function.

use crate::emit::clif_type;
use crate::opt::cfg::{Graph, Loop, homes, uses};
use crate::opt::ssa::{Block, Def, Func, Inst, InstData, Mem, Op, Value};
use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::types;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use holloway_lang::ir::BinaryOp;

/// The results and arrays of a function that are treated so.
#[derive(Default)]
pub(super) struct MemoryOperands {
    /// For a result that is set apart, the other half of its pair: a parameter that is needed later in the block.
    beside: SecondaryMap<Value, PackedOption<Value>>,
    /// For the block in front of a loop, the arrays to be copied at its end, each with the loop's block. What is defined behind it has no copy.
    copied: SecondaryMap<Block, Vec<(Block, Value)>>,
    /// The copies of a loop's block.
    copies: SecondaryMap<Block, Vec<(Value, clif::Value)>>,
}

impl MemoryOperands {
    /// Finds them.
    pub(super) fn find(ssa: &Func, graph: &Graph) -> MemoryOperands {
        let mut operands = MemoryOperands::default();
        let loops: Vec<&Loop> = graph.loops.values().filter(|l| l.blocks.len() == 1).collect();
        if loops.is_empty() {
            return operands;
        }
        let (uses, home) = (uses(ssa, &graph.rpo), homes(ssa, &graph.rpo));
        for l in loops {
            let found = set_apart(ssa, l.header, &uses);
            if let Some(front) = graph.front(l).filter(|_| !found.is_empty()) {
                let is_there = |array: &Value| home[*array].is_some_and(|block| graph.dominates(block, front));
                let arrays = arrays(ssa, l.header).into_iter().filter(is_there);
                operands.copied[front].extend(arrays.map(|array| (l.header, array)));
            }
            found.into_iter().for_each(|(result, other)| operands.beside[result] = other.into());
        }
        operands
    }

    /// The other half of the pair by which a result is set apart from what it is computed of, if it is one of those.
    pub(super) fn beside(&self, value: Value) -> Option<Value> {
        self.beside[value].expand()
    }

    /// Takes the arrays to be copied at the end of a block, each with the loop's block.
    pub(super) fn copied(&mut self, front: Block) -> Vec<(Block, Value)> {
        std::mem::take(&mut self.copied[front])
    }

    /// Notes the copy of an array for a loop's block.
    pub(super) fn add_copy(&mut self, block: Block, array: Value, copy: clif::Value) {
        self.copies[block].push((array, copy));
    }

    /// Exchanges the arrays of a block with its copies: before it is translated, and back again.
    pub(super) fn exchange(&mut self, block: Block, values: &mut SecondaryMap<Value, PackedOption<clif::Value>>) {
        for (array, copy) in &mut self.copies[block] {
            let other = values[*array].expect("a copy is made of what is defined");
            values[*array] = (*copy).into();
            *copy = other;
        }
    }
}

/// The results in a block with several uses that operations with loads are computed for, each with another value that is needed later.
fn set_apart(ssa: &Func, block: Block, uses: &SecondaryMap<Value, u32>) -> Vec<(Value, Value)> {
    let data = &ssa.blocks[block];
    // How many instructions up to each one keep loads before them from moving on.
    let mut fixed = 0;
    let mut place: SecondaryMap<Inst, Option<u32>> = SecondaryMap::new();
    let mut roots = EntitySet::new();
    for inst in &data.insts {
        let InstData { op, result, .. } = &ssa.insts[*inst];
        fixed += u32::from(!op.is_speculable());
        place[*inst] = Some(fixed);
        let shared = result.filter(|result| uses[*result] > 1 && clif_type(ssa.values[*result].scalar) == types::I64);
        if shared.is_some() && reads_memory(ssa, *inst, uses, &place) {
            roots.insert(*inst);
        }
    }
    let is_word = |value: &Value| {
        matches!(ssa.values[*value].def, Def::Param(..)) && clif_type(ssa.values[*value].scalar) == types::I64
    };
    let mut found = Vec::new();
    let mut later = data.term.targets().flat_map(|to| &to.args).copied().find(is_word);
    for inst in data.insts.iter().rev() {
        let InstData { args, result, .. } = &ssa.insts[*inst];
        if let (true, Some(result), Some(other)) = (roots.contains(*inst), result, later) {
            found.push((*result, other));
        }
        later = args.iter().copied().find(is_word).or(later);
    }
    found
}

/// Returns whether an operation of a block, or one that is computed for it alone, has a load as an operand.
fn reads_memory(
    ssa: &Func,
    root: Inst,
    uses: &SecondaryMap<Value, u32>,
    place: &SecondaryMap<Inst, Option<u32>>,
) -> bool {
    let mut left = vec![root];
    while let Some(inst) = left.pop() {
        let data = &ssa.insts[inst];
        if !data.op.is_speculable() {
            continue;
        }
        for arg in data.args.iter().filter(|arg| uses[**arg] == 1) {
            let Some(def) = ssa.def_inst(*arg).filter(|def| place[*def].is_some()) else { continue };
            if loads_word(ssa.insts[def].op) && takes_memory(data.op) && place[def] == place[inst] {
                return true;
            }
            left.push(def);
        }
    }
    false
}

/// The arrays that a loop of one block reads or writes.
fn arrays(ssa: &Func, block: Block) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for inst in &ssa.blocks[block].insts {
        let InstData { op, args, .. } = &ssa.insts[*inst];
        if matches!(op, Op::Load(Mem::Elem(_)) | Op::Store(Mem::Elem(_))) && !found.contains(&args[0]) {
            found.push(args[0]);
        }
    }
    found
}

/// Returns whether the machine takes an operand of an operation from memory.
fn takes_memory(op: Op) -> bool {
    use BinaryOp::{IntAdd, IntAnd, IntMul, IntOr, IntSub, IntXor};
    matches!(op, Op::Binary(IntAdd | IntSub | IntMul | IntAnd | IntOr | IntXor))
}

/// Returns whether an operation is a load of a whole register.
fn loads_word(op: Op) -> bool {
    matches!(op, Op::Load(mem) if !matches!(mem, Mem::Elem(elem) if elem.size() == 1))
}

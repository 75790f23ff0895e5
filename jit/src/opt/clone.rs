//! Copies blocks: what rotation, versioning and unrolling share.
//!
//! In: a set of blocks. Out: their copies, with every value defined in them copied too. Edges between blocks of the set
//! lead to the copies, edges that leave the set lead where they did.

use super::ssa::{Block, BlockData, Func, Target, Value};
use hashbrown::HashMap;

/// The copies of blocks and values.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// The copy of each block.
    pub blocks: HashMap<Block, Block>,
    /// The copy of each value defined in them.
    pub values: HashMap<Value, Value>,
}

impl Copies {
    /// Returns the value that stands for another one in the copies.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn target(&self, target: &Target) -> Target {
        Target {
            block: self.blocks.get(&target.block).copied().unwrap_or(target.block),
            args: target.args.iter().map(|arg| self.value(*arg)).collect(),
        }
    }
}

/// The copy of a table is one, too, and what a copy refers to is allocated where the other is.
fn copy_facts(func: &mut Func, of: Value, copy: Value) {
    if let Some(table) = func.tables.get(&of).cloned() {
        func.tables.insert(copy, table);
    }
    if let Some(sites) = func.allocations.get(&of).cloned() {
        func.allocations.insert(copy, sites);
    }
}

/// Copies the blocks.
pub fn clone_blocks(func: &mut Func, blocks: &[Block]) -> Copies {
    let mut copies = Copies::default();
    for block in blocks {
        let BlockData { origin, handler, term_site, cold, seen, .. } = func.blocks[*block];
        let copy = func.new_block(origin, handler, term_site);
        func.blocks[copy].cold = cold;
        func.blocks[copy].seen = seen;
        for at in 0..func.blocks[*block].params.len() {
            let param = func.blocks[*block].params[at];
            let scalar = func.values[param].scalar;
            let value = func.add_param(copy, scalar);
            copies.values.insert(param, value);
            copy_facts(func, param, value);
        }
        copies.blocks.insert(*block, copy);
    }
    // Results first: an operand may be defined in a block that is copied later.
    for block in blocks {
        let copy = copies.blocks[block];
        func.blocks[copy].insts = Vec::with_capacity(func.blocks[*block].insts.len());
        for at in 0..func.blocks[*block].insts.len() {
            let data = func.insts[func.blocks[*block].insts[at]].clone();
            let scalar = data.result.map(|value| func.values[value].scalar);
            let new = func.make_inst(data.op, data.args, scalar, data.site);
            if let (Some(old), Some(value)) = (data.result, func.insts[new].result) {
                copies.values.insert(old, value);
                copy_facts(func, old, value);
            }
            func.blocks[copy].insts.push(new);
        }
    }
    for block in blocks {
        let copy = copies.blocks[block];
        for inst in &func.blocks[copy].insts {
            func.insts[*inst].args.iter_mut().for_each(|arg| *arg = copies.value(*arg));
        }
        let mut term = func.blocks[*block].term.clone();
        term.operand_mut().into_iter().for_each(|value| *value = copies.value(*value));
        term.targets_mut().for_each(|target| *target = copies.target(target));
        func.blocks[copy].term = term;
    }
    if let Some(record) = &mut func.record {
        record.copied(&func.blocks, &copies.blocks, &copies.values);
    }
    copies
}

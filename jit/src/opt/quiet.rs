//! Loops in which nothing is collected: they neither call nor allocate.
//!
//! In: a function and its graph. Out: which values live in such loops, and which instructions may stand in them. In
//! such a loop an address may point outside the object it was made of, as nobody looks for the objects in use.

use super::cfg::Graph;
use super::ssa::{Func, Op, Value};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::LoopId;

/// Returns whether no collection can happen while it is executed. A poll collects nothing.
pub(super) fn is_quiet(op: Op) -> bool {
    !op.has_effect() || op.is_check() || op.is_probe() || op.polls() || matches!(op, Op::Store(_) | Op::Sunk(..))
}

/// For each value the loop that it is defined in, if that is an innermost one in which nothing is collected.
pub(super) fn quiet(ssa: &Func, graph: &Graph) -> SecondaryMap<Value, Option<LoopId>> {
    let mut found = SecondaryMap::new();
    found.resize(ssa.values.len());
    for (at, l) in graph.loops.iter() {
        let insts = || l.blocks.iter().flat_map(|block| &ssa.blocks[*block].insts).map(|inst| &ssa.insts[*inst]);
        if graph.loops.is_innermost(at) && insts().all(|data| is_quiet(data.op)) {
            let params = l.blocks.iter().flat_map(|block| &ssa.blocks[*block].params).copied();
            let results = insts().filter_map(|data| data.result);
            params.chain(results).for_each(|value| found[value] = Some(at));
        }
    }
    found
}

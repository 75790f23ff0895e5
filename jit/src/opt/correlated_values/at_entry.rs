//! Ranges at the entry of a loop: what dominating branches and checks tell of one value.
//!
//! In: a loop, and a value defined ahead of it. Out: its range wherever control enters the loop.
//! Invariant: each fact is of a block that dominates the header, or of an edge that every way from outside takes. No parameter is assumed to have a range,
//! which would take walks of the whole function; passes that run once for each loop ask here.

use super::range::Range;
use super::walk::Walk;
use crate::opt::cfg::{Graph, Loop};
use crate::opt::ssa::{Block, Func, Value};
use hashbrown::HashMap;

/// The range of a value at the entry of a loop.
pub(in crate::opt) fn range_at_entry(func: &mut Func, graph: &Graph, l: &Loop, value: Value) -> Range {
    if let Some(constant) = func.as_int(value) {
        return Range { least: constant, most: constant };
    }
    let assumed = HashMap::new();
    let mut walk = Walk::new(func, graph, &assumed);
    let mut ahead: Vec<Block> = std::iter::successors(Some(l.header), |block| graph.idom(*block)).collect();
    ahead.reverse();
    for block in &ahead {
        // An edge that goes back comes after the one that went in.
        let mut entering = graph.preds[*block].iter().filter(|pred| !graph.dominates(*block, **pred));
        if let (Some(single), None) = (entering.next(), entering.next())
            && !walk.func.is_handler(*block)
        {
            walk.learn_edge(*single, *block);
        }
        if *block != l.header {
            (0..walk.func.blocks[*block].insts.len())
                .for_each(|at| walk.learn_check(walk.func.blocks[*block].insts[at]));
        }
    }
    walk.range(value, 0)
}

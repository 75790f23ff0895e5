//! Ranges at the entry of a loop: what dominating branches and checks tell of one value.
//!
//! In: a loop, and a value defined ahead of it. Out: its range wherever control enters the loop.
//! Invariant: each fact is of a block that dominates the header, or of an edge that every way from outside takes. No parameter is assumed to have a range,
//! which would take walks of the whole function; passes that run once for each loop ask here.

use super::walk::Walk;
use crate::opt::cfg::{Graph, Loop};
use crate::opt::ssa::{Block, Func, Value};
use crate::range::Range;
use hashbrown::HashMap;
use holloway_lang::ir::Scalar;

/// The range of a value at the entry of a loop.
pub(in crate::opt) fn range_at_entry(func: &mut Func, graph: &Graph, l: &Loop, value: Value) -> Range {
    if let Some(constant) = func.as_int(value) {
        return Range { least: constant, most: constant };
    }
    ranges_at_entry(func, graph, l, &HashMap::new(), |walk| walk.range(value, 0))
}

/// Lets a function look at values by the ranges that hold at the entry of a loop, and of parameters wherever they are.
/// They hold in the loop as well, for what is computed there of nothing else.
pub(in crate::opt) fn ranges_at_entry<T>(
    func: &mut Func,
    graph: &Graph,
    l: &Loop,
    params: &HashMap<Value, Range>,
    look: impl FnOnce(&Walk<'_>) -> T,
) -> T {
    let none = HashMap::new();
    let mut walk = Walk::new(func, graph, &none);
    params.iter().for_each(|(param, range)| walk.narrow(*param, *range));
    let mut ahead: Vec<Block> = std::iter::successors(Some(l.header), |block| graph.idom(*block)).collect();
    ahead.reverse();
    for block in &ahead {
        // An edge that goes back comes after the one that went in.
        let mut entering = graph.preds[*block].iter().filter(|pred| !graph.dominates(*block, **pred));
        if let (Some(single), None) = (entering.next(), entering.next())
            && !walk.func.is_handler(*block)
        {
            walk.learn_edge(*single, *block);
            if graph.preds[*block].len() == 1 {
                pass(&mut walk, *single, *block);
            }
        }
        if *block != l.header {
            (0..walk.func.blocks[*block].insts.len())
                .for_each(|at| walk.learn_check(walk.func.blocks[*block].insts[at]));
        }
    }
    look(&walk)
}

/// Parameters of a block that one edge alone enters are its arguments.
fn pass(walk: &mut Walk<'_>, from: Block, to: Block) {
    let targets: Vec<_> = walk.func.blocks[from].term.targets().filter(|target| target.block == to).collect();
    let [target] = targets.as_slice() else { return };
    let params = walk.func.blocks[to].params.iter().copied();
    let passed: Vec<(Value, Value)> = params.zip(target.args.iter().copied()).collect();
    for (param, arg) in passed {
        if walk.func.values[param].scalar == Scalar::Int {
            let range = walk.range(arg, 0);
            walk.narrow(param, range);
        }
    }
}

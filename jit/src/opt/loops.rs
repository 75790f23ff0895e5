//! The passes over loops share this: the blocks and values of a loop, and its preheader.
//!
//! In: a loop. Out: sets of what is in it; the block before it, made if there is none.
//! Invariant: a preheader has the header as its only successor and catches failures as the header does.

use super::cfg::{Graph, Loop};
use super::ssa::{Args, Block, Func, InstData, Target, Term, Value};
use cranelift_entity::EntitySet;

/// The blocks of a loop as a set.
pub(super) fn blocks(l: &Loop) -> EntitySet<Block> {
    let mut set = EntitySet::new();
    l.blocks.iter().for_each(|block| {
        set.insert(*block);
    });
    set
}

/// The instructions of a loop.
pub(super) fn insts<'a>(func: &'a Func, l: &'a Loop) -> impl Iterator<Item = &'a InstData> + Clone {
    l.blocks.iter().flat_map(|block| &func.blocks[*block].insts).map(|inst| &func.insts[*inst])
}

/// The values defined in a loop.
pub(super) fn defined(func: &Func, l: &Loop) -> EntitySet<Value> {
    let mut set = EntitySet::with_capacity(func.values.len());
    for block in &l.blocks {
        let data = &func.blocks[*block];
        let results = data.insts.iter().filter_map(|inst| func.insts[*inst].result);
        data.params.iter().copied().chain(results).for_each(|value| {
            set.insert(value);
        });
    }
    set
}

/// The mean number of rounds of an innermost loop each time that it is entered; `None` if nobody knows. Of loops that
/// became part of it, that of the longest counts.
pub(super) fn rounds(func: &Func, l: &Loop) -> Option<f64> {
    l.blocks.iter().filter_map(|block| func.blocks[*block].seen.rounds).reduce(f64::max)
}

/// The block that control enters a loop through, made if there is none: its only successor is the header, and failures in
/// it are caught as in the header.
pub(super) fn preheader(func: &mut Func, graph: &Graph, l: &Loop, inside: &EntitySet<Block>) -> Block {
    let outside: Vec<Block> = graph.preds[l.header].iter().copied().filter(|pred| !inside.contains(*pred)).collect();
    if let [single] = outside.as_slice()
        && matches!(func.blocks[*single].term, Term::Jump(_))
        && *single != func.entry
        && func.blocks[*single].handler == func.blocks[l.header].handler
    {
        return *single;
    }
    let header = &func.blocks[l.header];
    let (origin, handler, site) = (header.origin, header.handler, header.term_site);
    let scalars: Vec<_> = header.params.iter().map(|param| func.values[*param].scalar).collect();
    let block = func.new_block(origin, handler, site);
    let args: Args = scalars.into_iter().map(|scalar| func.add_param(block, scalar)).collect();
    func.blocks[block].term = Term::Jump(Target { block: l.header, args });
    if let Some(record) = &mut func.record {
        record.preheader(block, l);
    }
    for pred in outside {
        for target in func.blocks[pred].term.targets_mut() {
            if target.block == l.header {
                target.block = block;
            }
        }
    }
    block
}

//! The value that a load gives, as far as earlier accesses of the same iteration tell.
//!
//! In: a load in an innermost loop. Out: the value of the nearest access to the same place that every way to the load passes, and the stores in
//! between that may be to it.
//! Invariant: if none of these stores is to the load's place, it gives that value.

use crate::opt::cfg::{Graph, Loop};
use crate::opt::ssa::{Block, Func, Inst, InstData, Op, Value};
use cranelift_entity::EntitySet;

/// The value and the stores; `None` if nothing is known, or if something else may write.
pub(super) fn known(func: &Func, graph: &Graph, l: &Loop, (block, at): (Block, usize)) -> Option<(Value, Vec<Inst>)> {
    let insts = &func.blocks[block].insts;
    let way = Way { func, load: &func.insts[insts[at]] };
    let mut stores = Vec::new();
    if let Some((value, after)) = way.last_access(&insts[..at]) {
        way.collect(&insts[after..at], &mut stores)?;
        return Some((value, stores));
    }
    let mut dominator = block;
    let (from, value, after) = loop {
        if dominator == l.header {
            return None;
        }
        dominator = graph.idom(dominator)?;
        if let Some((value, after)) = way.last_access(&func.blocks[dominator].insts) {
            break (dominator, value, after);
        }
    };
    way.collect(&insts[..at], &mut stores)?;
    way.collect(&func.blocks[from].insts[after..], &mut stores)?;
    let mut between: EntitySet<Block> = EntitySet::new();
    let mut pending: Vec<Block> = graph.preds[block].to_vec();
    while let Some(at) = pending.pop() {
        if at != from && between.insert(at) {
            way.collect(&func.blocks[at].insts, &mut stores)?;
            pending.extend(&graph.preds[at]);
        }
    }
    Some((value, stores))
}

/// The way to a load.
struct Way<'a> {
    func: &'a Func,
    load: &'a InstData,
}

impl Way<'_> {
    /// The value of the last access to the same place, and the position behind it.
    fn last_access(&self, insts: &[Inst]) -> Option<(Value, usize)> {
        let Op::Load(mem) = self.load.op else { unreachable!("it is a load") };
        insts.iter().enumerate().rev().find_map(|(at, inst)| {
            let data = &self.func.insts[*inst];
            let value = match data.op {
                Op::Load(read) if read == mem => data.result?,
                Op::Store(written) if written == mem => *data.args.last()?,
                _ => return None,
            };
            let place = &data.args[..mem.operands()];
            self.func.all_same(place, &self.load.args).then_some((value, at + 1))
        })
    }

    /// Adds the stores that may be to the same place; `None` if something else may write there.
    fn collect(&self, insts: &[Inst], stores: &mut Vec<Inst>) -> Option<()> {
        let Op::Load(mem) = self.load.op else { unreachable!("it is a load") };
        for inst in insts {
            match self.func.insts[*inst].op {
                Op::Store(written) if written == mem => stores.push(*inst),
                Op::Store(_) => {}
                op if op.writes() => return None,
                _ => {}
            }
        }
        Some(())
    }
}

//! A place in memory: what kind of memory, and the operands that say where.
//!
//! In: accesses. Out: which of them are to one place, and which may be.
//! Invariant: an access is to the place while control stays where its operands do not change.

use super::alias::may_be_same;
use super::cfg::Loop;
use super::loops;
use super::ssa::{Args, Block, Func, Inst, InstData, Mem, Op};
use cranelift_entity::SecondaryMap;

/// The places of such accesses of a loop, each with the first of them and the share of the iterations that make one.
pub(super) fn accessed(
    func: &Func,
    l: &Loop,
    share: &SecondaryMap<Block, f64>,
    is_such: impl Fn(&InstData) -> bool,
) -> Vec<(MemoryPlace, Inst, f64)> {
    let mut found: Vec<(MemoryPlace, Inst, f64)> = Vec::new();
    for block in &l.blocks {
        for inst in func.blocks[*block].insts.iter().filter(|inst| is_such(&func.insts[**inst])) {
            let place = MemoryPlace::of(&func.insts[*inst]).expect("it is an access");
            match found.iter_mut().find(|(known, ..)| *known == place) {
                Some((.., all)) => *all += share[*block],
                None => found.push((place, *inst, share[*block])),
            }
        }
    }
    found
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MemoryPlace {
    pub(super) mem: Mem,
    pub(super) args: Args,
}

impl MemoryPlace {
    /// The place that a load or store is to.
    pub(super) fn of(data: &InstData) -> Option<MemoryPlace> {
        match data.op {
            Op::Load(mem) | Op::Store(mem) => {
                Some(MemoryPlace { mem, args: Args::from_slice(&data.args[..mem.operands()]) })
            }
            _ => None,
        }
    }

    /// Returns whether a load or store is to the place.
    pub(super) fn is_of(&self, func: &Func, data: &InstData) -> bool {
        let is_kind = matches!(data.op, Op::Load(mem) | Op::Store(mem) if mem == self.mem);
        is_kind && func.all_same(&data.args[..self.args.len()], &self.args)
    }

    /// Returns whether a load or store may be to the place.
    pub(super) fn may_be_of(&self, func: &Func, data: &InstData) -> bool {
        let is_kind = matches!(data.op, Op::Load(mem) | Op::Store(mem) if mem == self.mem);
        is_kind && self.args.first().is_none_or(|object| may_be_same(func, *object, data.args[0]))
    }

    /// Returns whether a loop stores to the place, and nothing else in it writes what may be there.
    pub(super) fn is_own(&self, func: &Func, l: &Loop) -> bool {
        let mut written = false;
        for data in loops::insts(func, l) {
            match data.op {
                Op::Store(_) if self.is_of(func, data) => written = true,
                Op::Store(_) if self.may_be_of(func, data) => return false,
                Op::Store(_) => {}
                op if op.writes() => return false,
                _ => {}
            }
        }
        written
    }
}

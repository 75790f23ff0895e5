//! Paths that are pending at the end of a block, for passes that move branches: [`Probe::Pending`] declares their state.
//!
//! In: a block. Out: [`PendingPaths`], its last declaration of each slot; and what else is in the block ([`work`]).
//! Invariant: a declaration does nothing itself, so it is no reason to leave a branch alone; but what fails or polls behind it
//! must find the state of its own place. So whoever moves a branch declares anew what is pending there. Stores that are made behind a loop are
//! declared likewise ([`Op::Sunk`]), in each block of it.

use super::op::{Op, Probe};
use super::ssa::{Args, Block, Func, Inst, InstData, Value};

/// Slots with what they are to hold.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingPaths {
    slots: Vec<(u32, Args)>,
}

impl PendingPaths {
    /// The last declarations of a block.
    pub(super) fn of(func: &Func, block: Block) -> PendingPaths {
        let declared = func.blocks[block].insts.iter().filter_map(|inst| match func.insts[*inst].op {
            Op::Probe(Probe::Pending(slot)) => Some((slot, func.insts[*inst].args.clone())),
            _ => None,
        });
        PendingPaths::default().with(declared)
    }

    /// That of a block behind this one, which has no parameters. With several ways in, what it declares is known in front of each.
    pub(super) fn followed_by(&self, func: &Func, block: Block) -> PendingPaths {
        self.clone().with(PendingPaths::of(func, block).slots)
    }

    /// The same with other values.
    pub(super) fn mapped(mut self, to: impl Fn(Value) -> Value) -> PendingPaths {
        self.slots.iter_mut().flat_map(|(_, args)| args).for_each(|arg| *arg = to(*arg));
        self
    }

    /// The same slots, with what is made of the values of both.
    pub(super) fn joined(mut self, other: &PendingPaths, mut join: impl FnMut(Value, Value) -> Value) -> PendingPaths {
        let others = other.slots.iter().flat_map(|(_, args)| args);
        let own = self.slots.iter_mut().flat_map(|(_, args)| args);
        own.zip(others).for_each(|(value, other)| *value = join(*value, *other));
        self
    }

    /// With later declarations.
    pub(super) fn with(mut self, later: impl IntoIterator<Item = (u32, Args)>) -> PendingPaths {
        for (slot, args) in later {
            self.slots.retain(|(known, _)| *known != slot);
            self.slots.push((slot, args));
        }
        self.slots.sort_unstable_by_key(|(slot, _)| *slot);
        self
    }

    /// All values.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> {
        self.slots.iter().flat_map(|(_, args)| args).copied()
    }

    /// True iff both declare the same slots.
    pub(super) fn has_slots_of(&self, other: &PendingPaths) -> bool {
        let lens = |one: &PendingPaths| one.slots.iter().map(|(slot, args)| (*slot, args.len())).collect::<Vec<_>>();
        lens(self) == lens(other)
    }

    /// True iff both declare the same.
    pub(super) fn is_same(&self, func: &Func, other: &PendingPaths) -> bool {
        let mut both = self.slots.iter().zip(&other.slots);
        self.has_slots_of(other) && both.all(|((_, a), (_, b))| func.all_same(a, b))
    }

    /// Declares it at the end of a block.
    pub(super) fn declare(&self, func: &mut Func, block: Block) {
        let site = func.blocks[block].term_site;
        for (slot, args) in &self.slots {
            func.push(block, Op::Probe(Probe::Pending(*slot)), args.iter().copied(), None, site);
        }
    }
}

/// Declares in a new block behind another one what memory is to hold at the end of that, but for some fields: operation
/// and object.
pub(super) fn declare_sunk(func: &mut Func, from: Block, block: Block, is_stored: impl Fn(Op, Value) -> bool) {
    let mut declared: Vec<(Op, Args)> = Vec::new();
    for inst in &func.blocks[from].insts {
        let InstData { op, args, .. } = &func.insts[*inst];
        if matches!(op, Op::Sunk(..)) {
            declared.retain(|(known, of)| (*known, of[0]) != (*op, args[0]));
            declared.push((*op, args.clone()));
        }
    }
    let site = func.blocks[block].term_site;
    for (op, args) in declared.into_iter().filter(|(op, args)| !is_stored(*op, args[0])) {
        func.push(block, op, args, None, site);
    }
}

/// True iff a block has declarations at most.
pub(super) fn is_idle(func: &Func, block: Block) -> bool {
    func.blocks[block].insts.iter().all(|inst| func.insts[*inst].op.is_declaration())
}

/// The instructions of a block but for declarations.
pub(super) fn work(func: &Func, block: Block) -> Vec<Inst> {
    let insts = func.blocks[block].insts.iter().copied();
    insts.filter(|inst| !func.insts[*inst].op.is_declaration()).collect()
}

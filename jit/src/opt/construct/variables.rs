//! The variables of SSA construction: locals, the registers of path probes, and the words that activations pass.
//!
//! In: made for each body that is translated. Out: plain data. Invariant: a variable is of one body.

use crate::opt::op::PassedWord;
use crate::probes::{PENDING_TAG, PathProbes, RegionMemory};
use cranelift_entity::{EntityRef, PrimaryMap};
use holloway_lang::ir::Scalar;
use holloway_profiler::graph::Node;
use holloway_profiler::persistence::PathIndex;
use holloway_profiler::plan::BitRegister;
use holloway_profiler::repeat::Repeat;
use std::cell::Cell;
use std::sync::Arc;

/// A local of one body, inlined or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Variable(u32);
cranelift_entity::entity_impl!(Variable, "var");

/// The home of a variable.
#[derive(Clone, Copy)]
pub(super) enum Kept {
    Value(Scalar),
    Slot(u32, Scalar),
}

/// The registers of one body's plan.
pub(super) struct Probed {
    pub(super) probes: Arc<PathProbes>,
    pub(super) path: Variable,
    pub(super) start: Variable,
    pub(super) history: Variable,
    /// The accumulators of paths in later iterations: `c[1]`, `c[2]`, ...
    pub(super) iterations: Vec<Variable>,
    pub(super) bits: PrimaryMap<BitRegister, Vec<Variable>>,
    /// Of paths that keep a context or run across calls: completions, whether the path is detached, and saved path registers.
    pub(super) completions: Variable,
    pub(super) detached: Variable,
    pub(super) saved: Vec<Variable>,
    /// At each depth the accumulators of a loop around, in the slots behind those for what is pending.
    pub(super) aside: Vec<Vec<Variable>>,
    /// The first of the slots for what is pending.
    pub(super) slot: u32,
    pub(super) history_is_pending: bool,
    /// The word that an activation keeps between its paths: ids, a state, or of bursts the number of paths.
    pub(super) word: Variable,
    /// In a loop that has one path: iterations since it was entered, and what the path register was then.
    pub(super) times: Variable,
    pub(super) before: Variable,
    /// The block being translated.
    pub(super) node: Cell<Node>,
    /// The calls of that block that were translated.
    pub(super) calls: Cell<u32>,
    /// True while the last one of these is translated.
    pub(super) is_calling: Cell<bool>,
    /// The way in which it passes words, at present around a call or else to its caller and from there.
    pub(super) passing: Cell<Passing>,
}

/// The way in which words get to another activation and back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// In the context of the machine.
    InMemory,
    /// As values.
    InRegisters,
}

/// The variables that hold such words.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    path: Variable,
    completions: Variable,
    detached: Variable,
}

impl Passed {
    pub(super) fn declare(variables: &mut PrimaryMap<Variable, Kept>) -> Passed {
        let mut word = || variables.push(Kept::Value(Scalar::Int));
        Passed { path: word(), completions: word(), detached: word() }
    }

    /// True iff a variable holds one of them.
    pub(super) fn has(self, variable: Variable) -> bool {
        [self.path, self.completions, self.detached].contains(&variable)
    }

    /// The one that holds a word.
    pub(super) fn variable(self, word: PassedWord) -> Variable {
        match word {
            PassedWord::Path => self.path,
            PassedWord::Completions => self.completions,
            PassedWord::Detached => self.detached,
        }
    }
}

impl Probed {
    /// The place in the block, as the unwinder reads it: twice the calls that have returned, and 1 if the next one is under way.
    pub(super) fn place(&self) -> i64 {
        2 * i64::from(self.calls.get()) - i64::from(self.is_calling.get())
    }

    /// The counter of a region that has a single path: nobody reads its register of bits.
    pub(super) fn counter(&self, register: BitRegister) -> Option<usize> {
        match self.probes.regions.get(register.index())? {
            RegionMemory::Counter(address) => Some(*address),
            RegionMemory::Cell(..) | RegionMemory::Events(_) => None,
        }
    }

    /// The counter of a loop with one path, if it is one of regions.
    pub(super) fn counter_of(&self, repeat: &Repeat) -> Option<usize> {
        let register = self.probes.folds_in_place().then(|| BitRegister::new(repeat.id.b as usize))?;
        self.counter(register)
    }

    /// The index of paths that a register of bits has beside them, if it has one.
    pub(super) fn index(&self, register: BitRegister) -> Option<&PathIndex> {
        match self.probes.regions.get(register.index())? {
            RegionMemory::Cell(_, index) => index.as_deref(),
            RegionMemory::Counter(_) | RegionMemory::Events(_) => None,
        }
    }

    /// The slot of the tag of an activation of which bursts are recorded.
    pub(super) fn tag_slot(&self) -> u32 {
        self.slot + PENDING_TAG as u32
    }
}

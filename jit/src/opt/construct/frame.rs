//! Frames: one body being translated, with its profile and the places that its blocks were written at.
//!
//! In: a body, which may be inlined, expanded, or have traces formed on it. Out: the block of the body as it is written that a block stands for, and how
//! often it was executed. Invariant: a frame's expanded body is the one that its blocks' origins are in.

use super::variables::{Passing, Probed, Variable};
use crate::body::expand::{BlockPlace, Expanded, Observation};
use crate::opt::ssa::{Block, Origin, Seen};
use crate::trace::Counted;
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use holloway_lang::ir::{self, Cfg, EdgeKind, FuncRef, Function, Local, Loops};
use std::rc::Rc;
use std::sync::Arc;

/// One body being translated.
pub(super) struct Frame<'b> {
    pub(super) func: FuncRef,
    pub(super) body: &'b Function,
    /// The expanded body that it is, or is a copy of.
    pub(super) expanded: Option<Arc<Expanded>>,
    pub(super) variables: SecondaryMap<Local, Option<Variable>>,
    pub(super) blocks: Vec<Block>,
    /// The position of each block's instructions in the sites.
    pub(super) sites: Vec<u32>,
    /// The function's body as it is written, and the blocks of it that blocks are copies of; none if they are these.
    pub(super) origins: Option<(&'b Function, &'b [ir::Block])>,
    /// The counters of its traces.
    pub(super) counted: Counted,
    /// The entry.
    pub(super) entry: ir::Block,
    pub(super) cfg: Cfg,
    pub(super) loops: Loops,
    /// The inlined call; `None` for the function itself.
    pub(super) inlined: Option<Inlined>,
    pub(super) probed: Option<Rc<Probed>>,
    /// Its profile, and those of the callees in it if it is expanded.
    pub(super) counts: Vec<Observation>,
}

/// The place of an instruction: the function it was written in, its block there, its number in that.
pub(super) type InstPlace = (FuncRef, ir::Block, usize);

/// The blocks that failures lead to.
pub(super) fn handlers(cfg: &Cfg) -> EntitySet<ir::Block> {
    let edges = cfg.reverse_postorder().flat_map(|block| cfg.succs(block));
    let mut found = EntitySet::new();
    edges.filter(|(_, kind)| *kind == EdgeKind::Failure).for_each(|(handler, _)| _ = found.insert(*handler));
    found
}

/// The call that a body is inlined at.
#[derive(Clone, Copy)]
pub(super) struct Inlined {
    /// The target of returns.
    pub(super) returns: Block,
    /// The handler of failures.
    pub(super) handler: Option<Block>,
    /// The call.
    pub(super) site: u32,
    /// The block of the compiled function with the call, or with the call of the function that has it.
    pub(super) block: ir::Block,
    /// The profile of the call.
    pub(super) seen: Seen,
    /// The way in which the activations pass words to each other.
    pub(super) passing: Passing,
}

/// The block of the compiled function that the code of a block comes from, which is `own` in the function of its frame.
pub(super) fn code_origin(inlined: Option<Inlined>, own: ir::Block) -> Origin {
    match inlined {
        Some(inlined) => Origin { block: inlined.block, inlined: true },
        None => Origin::own(own),
    }
}

impl Frame<'_> {
    /// The block of the function's own body that a block stands for.
    pub(super) fn origin(&self, block: ir::Block) -> ir::Block {
        self.origins.map_or(block, |(_, origins)| origins[block.index()])
    }

    /// The place that a block was written at.
    pub(super) fn place(&self, block: ir::Block) -> BlockPlace {
        let origin = self.origin(block);
        self.expanded.as_ref().map_or(BlockPlace::own(self.func, origin), |expanded| expanded.place(origin))
    }

    /// Returns the profile of a block.
    pub(super) fn seen(&self, block: ir::Block) -> Seen {
        let place = self.place(block);
        let counts = &self.counts[place.body()];
        Seen {
            weight: counts.executions(place.block),
            rare: counts.is_rare(place.block),
            rounds: counts.rounds(place.block),
        }
    }

    /// Returns the profile of an edge.
    pub(super) fn seen_edge(&self, from: ir::Block, to: ir::Block) -> Seen {
        let (at, next) = (self.place(from), self.place(to));
        let weight = self.counts[at.body()].taken(at, next);
        Seen { weight, rare: self.seen(from).rare || self.seen(to).rare, rounds: None }
    }

    pub(super) fn variable(&self, local: Local) -> Variable {
        self.variables[local].expect("every local is declared")
    }
}

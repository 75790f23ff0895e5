//! Formed bodies: what forming gives. Invariant: each guard's edge is one of the body's.

use cranelift_entity::{EntitySet, PrimaryMap, entity_impl};
use holloway_lang::ir::{Block, Function};

/// A guard of a formed body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardId(u32);
entity_impl!(GuardId, "guard");

/// A way off the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The edge that is taken when it fails, in the formed body. A counter belongs there.
    pub edge: (Block, Block),
    /// Which path of the spec, counted through its traces, and which block of it; `None` for a test of what the spec expects.
    pub at: Option<(usize, usize)>,
    /// Block that the edge leads to in the body that the trace was formed on.
    pub target: Block,
    /// Iterations of the loop that are made off the trace when it fails, as far as the trace knows.
    pub left: u32,
    /// Iterations that are made then, on the trace and off it, beyond those that were counted where the round began.
    pub uncounted: i32,
}

/// Blocks of another body that the blocks of a body were made from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// For each block, the one it is a copy of; for a block of its own making, the one it was made for.
    pub blocks: PrimaryMap<Block, Block>,
    /// Blocks that are off the trace.
    pub cold: EntitySet<Block>,
}

/// Start of the rounds of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The header of the trace's loop in the formed body, or the beginning of paths through the loop.
    pub block: Block,
    /// Iterations of the general loop in one round.
    pub iterations: u64,
}

/// A body with a trace. Counters on guards' edges give the failures, at heads the rounds; nothing else counts.
#[derive(Clone, Debug)]
pub struct Formed {
    /// The body.
    pub body: Function,
    /// Blocks that its blocks were made from.
    pub origins: Origins,
    /// Every way off the trace.
    pub guards: PrimaryMap<GuardId, Guard>,
    /// Start of the rounds of each trace.
    pub heads: Vec<Head>,
    /// The only way onto the traces: it is executed once for each entry to the loop and once for each guard that failed
    /// inside it and came back, which happens to no way through the loop.
    pub entry: Block,
}

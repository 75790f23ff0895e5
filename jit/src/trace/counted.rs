//! A body with traces, and the counters that tell how they do.
//!
//! In: a formed body. Out: where code counts what: each failing guard, and each round of each trace.
//! Invariant: counters stay where they are as long as this lives, and code that counts in them keeps it alive.

use super::form::{Formed, GuardId};
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_lang::ir::Block;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Start of the rounds of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The header of the trace's loop in the formed body.
    pub block: Block,
    /// Iterations of the general loop in one round.
    pub iterations: u64,
}

/// A formed body with counters.
#[derive(Debug)]
pub struct Traces {
    formed: Arc<Formed>,
    heads: Vec<Head>,
    /// One for each guard, then one for each head.
    counters: Box<[AtomicU64]>,
}

/// Edges and blocks that are counted in a formed body, with the addresses of the counters.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Edges of guards that fail.
    pub edges: HashMap<(Block, Block), usize>,
    /// Starts of blocks.
    pub blocks: HashMap<Block, usize>,
}

impl Traces {
    /// Counters for a formed body whose traces start there.
    pub fn new(formed: Arc<Formed>, heads: Vec<Head>) -> Traces {
        let counters = (0..formed.guards.len() + heads.len()).map(|_| AtomicU64::new(0)).collect();
        Traces { formed, heads, counters }
    }

    /// The body.
    pub fn formed(&self) -> &Formed {
        &self.formed
    }

    /// Number of times that a guard failed.
    pub fn failures(&self, guard: GuardId) -> u64 {
        self.counters[guard.index()].load(Ordering::Relaxed)
    }

    /// Iterations in all rounds of all traces.
    pub fn iterations(&self) -> u64 {
        let rounds = self.counters[self.formed.guards.len()..].iter();
        self.heads.iter().zip(rounds).map(|(head, rounds)| head.iterations * rounds.load(Ordering::Relaxed)).sum()
    }

    /// Places at which code counts.
    pub fn counted(&self) -> Counted {
        let address = |nth: usize| self.counters[nth].as_ptr().expose_provenance();
        let guards = self.formed.guards.iter().map(|(id, guard)| (guard.edge, address(id.index())));
        let heads =
            self.heads.iter().enumerate().map(|(nth, head)| (head.block, address(self.formed.guards.len() + nth)));
        Counted { edges: guards.collect(), blocks: heads.collect() }
    }
}

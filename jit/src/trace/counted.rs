//! A body with traces, and the counters of each failing guard and each round. Invariant: counters stay where they are
//! as long as this lives, and code that counts in them keeps it alive.

use super::form::{Formed, GuardId, Head};
use crate::body::by_function::ByFunction;
use cranelift_entity::EntityRef;
use hashbrown::HashMap;
use holloway_lang::ir::{Block, Function};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A formed body with counters.
#[derive(Debug)]
pub struct Traces {
    formed: Arc<Formed>,
    /// One for each guard, then one for each head.
    counters: Box<[AtomicU64]>,
}

/// Traces of functions that are inlined into another: wherever that is, the formed body takes the place of the plain one.
pub type InlinedTraces = ByFunction<Traces>;

/// Edges and blocks that are counted in a formed body, and in copies of its blocks, with the addresses of the counters.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Edges of guards that fail.
    pub edges: HashMap<(Block, Block), usize>,
    /// Starts of blocks.
    pub blocks: HashMap<Block, usize>,
}

impl Counted {
    /// Counts in copies of the body's blocks as well, which are in the body by now.
    pub fn in_copies(mut self, body: &Function, copies: &[(Block, Block)]) -> Counted {
        for (copy, of) in copies {
            if let Some(address) = self.blocks.get(of).copied() {
                self.blocks.insert(*copy, address);
            }
            let ways = targets(body, *of).into_iter().zip(targets(body, *copy));
            for (to, copied) in ways {
                if let Some(address) = self.edges.get(&(*of, to)).copied() {
                    self.edges.insert((*copy, copied), address);
                }
            }
        }
        self
    }
}

fn targets(body: &Function, from: Block) -> Vec<Block> {
    let mut targets = Vec::new();
    body.blocks[from].term.targets(|to| targets.push(to));
    targets
}

impl Traces {
    /// Counters for a formed body.
    pub fn new(formed: Arc<Formed>) -> Traces {
        let counters = (0..formed.guards.len() + formed.heads.len()).map(|_| AtomicU64::new(0)).collect();
        Traces { formed, counters }
    }

    /// The body.
    pub fn formed(&self) -> &Formed {
        &self.formed
    }

    /// Number of times that a guard failed.
    pub fn failures(&self, guard: GuardId) -> u64 {
        self.counters[guard.index()].load(Ordering::Relaxed)
    }

    /// Iterations of the loops, and those of them that were made off the traces: behind guards that failed.
    pub fn iterations(&self) -> (u64, u64) {
        let rounds: u64 = self.rounds().map(|(head, rounds)| head.iterations * rounds).sum();
        let failed = || self.formed.guards.iter().map(|(id, guard)| (self.failures(id), guard));
        let uncounted = failed().map(|(failures, guard)| failures.wrapping_mul(i64::from(guard.uncounted) as u64));
        let left = failed().map(|(failures, guard)| failures * u64::from(guard.left));
        (uncounted.fold(rounds, u64::wrapping_add), left.sum())
    }

    /// Iterations in all rounds of the traces of one loop.
    pub(crate) fn iterations_of(&self, header: Block) -> u64 {
        let own = self.rounds().filter(|(head, _)| self.formed.origins.blocks[head.block] == header);
        own.map(|(head, rounds)| head.iterations * rounds).sum()
    }

    /// Start of the rounds of the traces of one loop.
    pub(crate) fn heads_of(&self, header: Block) -> impl Iterator<Item = Head> {
        self.formed.heads.iter().copied().filter(move |head| self.formed.origins.blocks[head.block] == header)
    }

    /// Each head, with how often a round started there.
    fn rounds(&self) -> impl Iterator<Item = (Head, u64)> {
        let rounds = self.counters[self.formed.guards.len()..].iter().map(|count| count.load(Ordering::Relaxed));
        self.formed.heads.iter().copied().zip(rounds)
    }

    /// Counts once, as code does at an address.
    #[cfg(test)]
    pub(super) fn count(&self, address: Option<usize>) {
        let is_it = |counter: &&AtomicU64| Some(counter.as_ptr().addr()) == address;
        self.counters.iter().filter(is_it).for_each(|counter| _ = counter.fetch_add(1, Ordering::Relaxed));
    }

    /// Places at which code counts.
    pub fn counted(&self) -> Counted {
        let address = |nth: usize| self.counters[nth].as_ptr().expose_provenance();
        let guards = self.formed.guards.iter().map(|(id, guard)| (guard.edge, address(id.index())));
        let (first, heads) = (self.formed.guards.len(), self.formed.heads.iter().enumerate());
        let heads = heads.map(|(nth, head)| (head.block, address(first + nth)));
        Counted { edges: guards.collect(), blocks: heads.collect() }
    }
}

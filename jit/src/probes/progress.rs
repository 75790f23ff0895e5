//! The progress of a version: how often it came round one loop of its function, or of one that is inlined into it; or
//! how often that function was entered.
//!
//! In: the header of a loop, or the entry, which no edge leads to and which is counted as headers are. Out: where code
//! adds what to a counter, so that two versions of one body count the same work alike, and their speeds compare: each
//! execution of the header, wherever copies of it stand, in a bridge or in what is left of an iteration.
//!
//! Code counts in the header itself where each iteration passes one copy of it: a block for that on each back edge
//! would keep some passes from the loop, which then would not be the loop that it is compared as. Where several copies
//! follow each other, as tests of what a trace expects do, code counts on the edges that lead to them.
//!
//! A trace of that loop counts its rounds already, and failures of its guards (`trace/counted.rs`); nothing else is
//! counted on it. Each of its blocks has a *lag* instead: the back edges since the round began, less those of a whole
//! round. Who leaves the trace there has made so many iterations more than the round that was counted.
//!
//! Invariants: a loop of several blocks is not its own latch, so that no edge within a copy of its header leads to it;
//! the counter stays where it is as long as this lives, and code that counts in it keeps it alive. A failure on a trace
//! keeps its round's lag, so it counts as one round that ended.

use crate::trace::{Formed, Traces};
use cranelift_entity::SecondaryMap;
use holloway_lang::ir::{Block, Cfg, FuncRef, Function, Loops};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counter of a loop, or of calls.
#[derive(Debug)]
pub struct Progress {
    /// The inlined function that is counted, if it is not the version's own.
    pub(crate) inlined: Option<FuncRef>,
    header: Block,
    iterations: AtomicU64,
    /// Iterations that each failure of a guard adds; none until code that has traces is made.
    failures: OnceLock<Vec<i64>>,
}

/// A loop whose iterations are counted, with the address of the counter.
#[derive(Clone, Debug)]
pub(crate) struct CountedLoop {
    /// The inlined function whose loop it is.
    pub(crate) inlined: Option<FuncRef>,
    header: Block,
    /// True if code counts in the header, and on no edge.
    in_header: bool,
    /// By blocks of the body with traces: iterations that were counted too many there, below zero.
    lag: SecondaryMap<Block, i64>,
    /// Iterations that each head of a trace counts itself.
    rounds: SecondaryMap<Block, i64>,
    /// The counter.
    pub(crate) address: usize,
}

impl Progress {
    /// A counter for the loop with that header, or for calls by the function's entry.
    pub fn new(header: Block) -> Progress {
        Progress { inlined: None, header, iterations: AtomicU64::new(0), failures: OnceLock::new() }
    }

    /// The same for a loop of a function, wherever that is inlined.
    pub fn inlined(func: FuncRef, header: Block) -> Progress {
        Progress { inlined: Some(func), ..Progress::new(header) }
    }

    /// Iterations so far, of a version whose function, or the one that is inlined, has these traces.
    pub fn iterations(&self, traces: Option<&Traces>) -> u64 {
        let counted = self.iterations.load(Ordering::Relaxed);
        let Some(traces) = traces else { return counted };
        let added = self.failures.get().into_iter().flatten().zip(traces.formed().guards.keys());
        let failures = added.map(|(added, guard)| traces.failures(guard).wrapping_mul(*added as u64));
        failures.fold(counted.wrapping_add(traces.iterations_of(self.header)), u64::wrapping_add)
    }

    /// Places that count it, in a body or in the one that traces made of it.
    pub(crate) fn counted(&self, body: &Function, traces: Option<&Traces>) -> CountedLoop {
        let loops = Loops::of(&Cfg::compute(body));
        let data = loops.headed_by(self.header).map(|id| loops.get(id));
        let mut counted = CountedLoop {
            inlined: self.inlined,
            header: self.header,
            in_header: self.header == body.entry()
                || data.is_some() && traces.is_none_or(|traces| self.is_alone(traces)),
            lag: SecondaryMap::new(),
            rounds: SecondaryMap::new(),
            address: self.iterations.as_ptr().expose_provenance(),
        };
        if let (Some(traces), Some(l)) = (traces, data) {
            counted.follow(traces, body, &l.blocks);
            let Formed { guards, origins, .. } = traces.formed();
            let added = |(from, to)| counted.added((from, to), (origins.blocks[from], origins.blocks[to]));
            self.failures.get_or_init(|| guards.values().map(|guard| added(guard.edge)).collect());
        }
        counted
    }

    /// Returns whether no copy of the header leads to another, where a loop has traces of other loops.
    fn is_alone(&self, traces: &Traces) -> bool {
        let Formed { body, origins, .. } = traces.formed();
        let is_header = |block: Block| origins.blocks[block] == self.header;
        body.blocks.iter().filter(|(block, _)| is_header(*block)).all(|(_, data)| {
            let mut is_alone = true;
            data.term.targets(|to| is_alone &= !is_header(to));
            is_alone
        })
    }
}

impl CountedLoop {
    /// Returns whether iterations are counted in a copy of a block.
    pub(crate) fn is_counted_in(&self, copied: Block) -> bool {
        self.in_header && copied == self.header
    }

    /// Counts in copies of the body's blocks as well.
    pub(crate) fn in_copies(mut self, copies: &[(Block, Block)]) -> CountedLoop {
        for (copy, of) in copies {
            self.lag[*copy] = self.lag[*of];
            self.rounds[*copy] = self.rounds[*of];
        }
        self
    }

    /// Iterations to be added on an edge between two blocks, which are copies of two of the body.
    pub(crate) fn added(&self, (from, to): (Block, Block), copied: (Block, Block)) -> i64 {
        match self.in_header {
            true => 0,
            false => self.lag[from] + i64::from(self.begins(copied)) - (self.lag[to] + self.rounds[to]),
        }
    }

    /// Returns whether an iteration begins on an edge: from one copy of the header to another none does.
    fn begins(&self, (from, to): (Block, Block)) -> bool {
        to == self.header && from != self.header
    }

    /// Finds the lag of each block that heads of the loop's traces lead to on the trace. Whatever lag a block has,
    /// edges make up for it; where failures are caught in the loop nothing would, as there is no code on these edges,
    /// and no block has any.
    fn follow(&mut self, traces: &Traces, source: &Function, of_loop: &[Block]) {
        let catches = of_loop.iter().any(|block| source.blocks[*block].handler.is_some());
        let Formed { body, origins, .. } = traces.formed();
        let mut reached: Vec<Block> = Vec::new();
        for head in traces.heads_of(self.header) {
            self.rounds[head.block] = head.iterations as i64;
            self.lag[head.block] = if catches { 0 } else { -self.rounds[head.block] };
            reached.push(head.block);
        }
        let mut next = 0;
        while let Some(from) = reached.get(next).copied().filter(|_| !catches) {
            next += 1;
            body.blocks[from].term.targets(|to| {
                let is_on_trace = !origins.cold.contains(to) && of_loop.contains(&origins.blocks[to]);
                if is_on_trace && !reached.contains(&to) {
                    let copied = (origins.blocks[from], origins.blocks[to]);
                    self.lag[to] = self.lag[from] + i64::from(self.begins(copied));
                    reached.push(to);
                }
            });
        }
    }
}

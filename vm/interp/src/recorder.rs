//! Observers for tests: the whole trace, and naive counts.
//!
//! In: the interpreter's events. Out: what optimized profilers are checked against.

use super::observer::Observer;
use holloway_ir::{Block, EdgeKind, FuncRef};
use std::collections::BTreeMap;

/// One step of a whole trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceEvent {
    /// A function is entered.
    Enter(FuncRef),
    /// A block of the innermost function starts.
    Block(Block),
    /// The innermost function returns.
    Leave,
    /// The innermost function is aborted in the block that started last in it.
    Abort,
}

/// Records the whole trace. The edges are those between successive blocks of an activation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceRecorder {
    /// All events, in order.
    pub events: Vec<TraceEvent>,
}

impl Observer for TraceRecorder {
    fn enter(&mut self, func: FuncRef) {
        self.events.push(TraceEvent::Enter(func));
    }

    fn block(&mut self, _: FuncRef, block: Block) {
        self.events.push(TraceEvent::Block(block));
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.events.push(TraceEvent::Abort);
    }

    fn leave(&mut self, _: FuncRef) {
        self.events.push(TraceEvent::Leave);
    }
}

/// Counts every entry and every edge: the naive counts that optimized profilers are checked against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeCounter {
    /// Number of entries of each function.
    pub entries: BTreeMap<FuncRef, u64>,
    /// Number of times each edge was taken.
    pub edges: BTreeMap<(FuncRef, Block, Block), u64>,
    /// Number of times each function was aborted in each block.
    pub aborts: BTreeMap<(FuncRef, Block), u64>,
}

impl Observer for EdgeCounter {
    fn enter(&mut self, func: FuncRef) {
        *self.entries.entry(func).or_default() += 1;
    }

    fn edge(&mut self, func: FuncRef, from: Block, to: Block, _: EdgeKind) {
        *self.edges.entry((func, from, to)).or_default() += 1;
    }

    fn abort(&mut self, func: FuncRef, block: Block) {
        *self.aborts.entry((func, block)).or_default() += 1;
    }
}

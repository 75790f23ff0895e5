//! The receivers of what path probes report, and of what they keep in place.

use holloway_ir::{FuncRef, Module};
use holloway_jit::Version;
use holloway_jit::probes::PathProbes;
use holloway_profiler::cross_prefix::CutFrame;
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::{EdgeId, Node};
use holloway_profiler::plan::{Crossing, CutShort};
use std::sync::Arc;

/// The addresses between which compiled code writes words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The next word.
    pub start: usize,
    /// From here on the buffer is full; behind it is room for one more report of compiled code.
    pub limit: usize,
}

/// Takes what path probes report.
pub trait Collector: Send {
    /// The space to write to.
    fn space(&mut self) -> Space;
    /// Has read what was written up to an address; returns where to go on.
    fn flush(&mut self, end: usize) -> Space {
        self.append(end, &[])
    }
    /// Appends words to what was written up to an address; returns where to go on. They may wait until the space is full, or flushed.
    fn append(&mut self, end: usize, words: &[u64]) -> Space;
    /// The probes that a function has in code of some version, if it has any.
    fn probes(&self, version: &Version, func: FuncRef) -> Option<Arc<PathProbes>>;
    /// A failure inside a block ended an activation, or was caught there, which is an edge.
    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>);
    /// The same, of an activation whose paths run across calls: its place and its path; the innermost comes first. Where no plan has such
    /// paths this and the next three do nothing.
    fn unwound_across(&mut self, _: CutShort, _at: (FunctionId, CutFrame), _path: (u64, Crossing)) {}
    /// An activation around the one that caught the failure; returns whether the path that was cut short runs through it.
    fn around(&mut self, _at: (FunctionId, CutFrame), _crossing: Crossing) -> bool {
        false
    }
    /// The failure is caught, or every activation has ended.
    fn settled(&mut self) {}
    /// A function that the host called returned, and passed a path.
    fn returned(&mut self, _func: FuncRef, _passed: i64) {}
    /// Functions' bodies are others now, in a module.
    fn replaced(&mut self, module: &Arc<Module>, funcs: &[FuncRef]);
}

/// Takes what code counts in place: slabs of ids, bursts of paths, runs of executions, and iterations of loops with one path.
pub trait Tables: Send {
    /// Counts a path for which the table with this header had no slot: the address of the slot.
    fn count(&mut self, header: usize, word: u64) -> usize;
    /// Counts a step from a state by an item, which had no slot, where activations start in the state `first`: the state behind.
    fn step(&mut self, first: usize, state: u64, item: u64) -> u64;
    /// Makes the slot of the run that begins in the cell at this address.
    fn begin_run(&mut self, cell: usize);
    /// A path, or iterations of a loop with one path, of which bursts are recorded, and for which the cell at this address has no room.
    fn sample(&mut self, cell: usize, tag: u64, iterations: Iterations) -> Sampled;
    /// A failure ended an activation, or was caught in it.
    fn cut(&mut self, func: FuncRef, uncounted: Uncounted);
}

/// A path, or some iterations, of which bursts are recorded.
#[derive(Clone, Copy, Debug)]
pub struct Sampled {
    /// The tag of the activation from now on.
    pub tag: u64,
    /// A burst ended that had been asked for.
    pub is_over: bool,
}

/// Paths that are not counted yet.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted {
    /// The state before; of bursts, the number of paths since the activation began.
    pub word: u64,
    /// Of bursts, the tag.
    pub tag: u64,
    /// Iterations of the present loop, behind.
    pub iterations: Option<Iterations>,
}

/// Iterations of a loop with one path; there were some.
#[derive(Clone, Copy, Debug)]
pub struct Iterations {
    /// The id of the first.
    pub first: u64,
    /// The id of every other one; of a region the index of its register.
    pub id: u64,
    /// Their number.
    pub times: u64,
}

//! The receivers of what path probes report, and of what they keep in place.

use crate::profile::Space;
use holloway_jit::Version;
use holloway_jit::probes::PathProbes;
use holloway_lang::ir::{FuncRef, Module};
use holloway_profiler::graph::{EdgeId, Node};
use std::sync::Arc;

/// Takes what path probes report.
pub trait Collector: Send {
    /// The space to write to.
    fn space(&mut self) -> Space;
    /// Takes what was written up to an address, then words behind it; returns where to go on.
    fn append(&mut self, end: usize, words: &[u64]) -> Space;
    /// The probes that a function has in code of some version, if it has any.
    fn probes(&self, version: &Version, func: FuncRef) -> Option<Arc<PathProbes>>;
    /// A failure inside a block ended an activation, or was caught there, which is an edge.
    fn unwound(&mut self, func: FuncRef, block: Node, caught: Option<EdgeId>);
    /// Functions' bodies are others now, in a module.
    fn replaced(&mut self, module: &Arc<Module>, funcs: &[FuncRef]);
}

/// Takes what code keeps in place of reporting it: steps through forests, and iterations of loops with one path.
pub trait Forests: Send {
    /// The slot of a step from a row of a forest, which is not where code looked for it.
    fn step(&mut self, from: usize, symbol: u64) -> usize;
    /// Iterations of loops with one path were cut short.
    fn repeated(&mut self, func: FuncRef, unreported: Unreported);
}

/// Iterations of loops with one path that are not reported yet.
#[derive(Clone, Copy, Debug)]
pub struct Unreported {
    /// Symbol carried out of the last one, or 0.
    pub carried: u64,
    /// Iterations of the present one.
    pub iterations: Option<Iterations>,
    /// In a forest, the word that names the row of the next slot.
    pub from: u64,
}

/// Iterations of a loop with one path; there were some.
#[derive(Clone, Copy, Debug)]
pub struct Iterations {
    /// The id of the first.
    pub first: u64,
    /// The id of every other one.
    pub id: u64,
    /// Their number.
    pub times: u64,
}

//! A recorded run.
//!
//! In: the parts that a recorder or a file gives. Out: [`WholePath`].
//! Invariant: every trace that a node of the call graph names is one of its function.

use super::call_graph::{CallGraph, TraceNumber};
use super::function_traces::FunctionTraces;
use super::program::Program;
use crate::event::FunctionId;

/// The whole path of a run: unique path traces, and the call graph that joins them.
#[derive(Clone, Debug, Default)]
pub struct WholePath {
    /// The program.
    pub program: Program,
    /// Set if the run ended by itself, by a failure too; clear if the recording was cut short.
    pub complete: bool,
    pub(super) functions: Vec<FunctionTraces>,
    pub(super) calls: CallGraph,
}

impl WholePath {
    /// The traces of a function; `None` if it was never declared.
    pub fn function(&self, function: FunctionId) -> Option<&FunctionTraces> {
        self.functions.get(function.as_u32() as usize)
    }

    /// Every function with its traces.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &FunctionTraces)> {
        self.functions.iter().enumerate().map(|(index, traces)| (FunctionId::from_u32(index as u32), traces))
    }

    /// The dynamic call graph.
    pub fn call_graph(&self) -> &CallGraph {
        &self.calls
    }

    /// Number of activations of each trace of each function.
    pub fn calls(&self) -> TraceCounts {
        let mut counts: Vec<Vec<u64>> = self.functions.iter().map(|traces| vec![0; traces.len() as usize]).collect();
        for (node, &by) in self.calls.activations().iter().enumerate() {
            let (function, trace) = self.calls.trace(node as u32);
            let count = &mut counts[function.as_u32() as usize][trace as usize];
            *count = count.saturating_add(by);
        }
        TraceCounts(counts)
    }

    /// Number of block events: blocks entered in the whole run.
    pub fn events(&self) -> u64 {
        self.events_of(&self.calls())
    }

    /// The same, by the activations of each trace.
    pub(super) fn events_of(&self, counts: &TraceCounts) -> u64 {
        let of = |(id, traces): (FunctionId, &FunctionTraces)| {
            let each = (0..traces.len()).map(|trace| counts.of(id, trace).saturating_mul(traces.block_count(trace)));
            each.fold(0, u64::saturating_add)
        };
        self.functions().map(of).fold(0, u64::saturating_add)
    }
}

/// Number of activations of each trace of each function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceCounts(Vec<Vec<u64>>);

impl TraceCounts {
    /// The activations that took this trace.
    pub fn of(&self, function: FunctionId, trace: TraceNumber) -> u64 {
        let traces = self.0.get(function.as_u32() as usize);
        traces.and_then(|traces| traces.get(trace as usize)).copied().unwrap_or(0)
    }

    /// The activations of a function.
    pub fn function(&self, function: FunctionId) -> u64 {
        let traces = self.0.get(function.as_u32() as usize);
        traces.map_or(0, |traces| traces.iter().copied().fold(0, u64::saturating_add))
    }
}

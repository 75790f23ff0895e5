//! The unique path traces of an execution, as they end.
//!
//! In: the blocks of each activation that has ended. Out: a [`DynamicGraph`] for each function and sequence of blocks.
//! Invariant: blocks are kept of short traces alone; of a long one its graph is, which names runs of timestamps.

use cranelift_entity::PrimaryMap;
use holloway_lang::ir::FuncRef;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::slice::TraceId;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

/// Blocks of a trace that is found by them; of a longer one a graph is made to find it.
const SHORT: usize = 1 << 10;

/// Path traces, each once.
#[derive(Default)]
pub(super) struct UniqueTraces {
    graphs: PrimaryMap<TraceId, DynamicGraph>,
    short: HashMap<(FuncRef, Vec<Node>), TraceId>,
    /// By a hash of the blocks.
    long: HashMap<(FuncRef, u64), Vec<TraceId>>,
}

impl UniqueTraces {
    /// The number of a trace of a function.
    pub(super) fn id_of(&mut self, func: FuncRef, blocks: Vec<Node>) -> TraceId {
        if blocks.len() > SHORT {
            let mut hasher = DefaultHasher::new();
            blocks.hash(&mut hasher);
            return self.id_of_long(func, hasher.finish(), &blocks);
        }
        match self.short.entry((func, blocks)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.graphs.push(graph_of(&new.key().1));
                *new.insert(id)
            }
        }
    }

    fn id_of_long(&mut self, func: FuncRef, hash: u64, blocks: &[Node]) -> TraceId {
        let graph = graph_of(blocks);
        let alike = self.long.entry((func, hash)).or_default();
        if let Some(known) = alike.iter().find(|known| self.graphs[**known] == graph) {
            return *known;
        }
        let id = self.graphs.push(graph);
        alike.push(id);
        id
    }

    pub(super) fn finish(self) -> PrimaryMap<TraceId, DynamicGraph> {
        self.graphs
    }
}

fn graph_of(blocks: &[Node]) -> DynamicGraph {
    DynamicGraph::of_trace(blocks.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(length: usize, odd: usize) -> Vec<Node> {
        (0..length).map(|at| Node::from_u32(if at == odd { 7 } else { at as u32 % 3 })).collect()
    }

    #[test]
    fn traces_are_one_iff_their_blocks_and_functions_are_equal() {
        let [f, g] = [0, 1].map(FuncRef::from_u32);
        for length in [5, SHORT, SHORT + 1, 5 * SHORT] {
            let mut traces = UniqueTraces::default();
            let first = traces.id_of(f, trace(length, 0));
            assert_eq!(traces.id_of(f, trace(length, 0)), first);
            let others = [(f, trace(length, 1)), (g, trace(length, 0)), (f, trace(length + 3, 0))];
            let ids: Vec<TraceId> = others.iter().map(|(func, blocks)| traces.id_of(*func, blocks.clone())).collect();
            assert_eq!(ids, [1, 2, 3].map(TraceId::from_u32));
            let again: Vec<TraceId> = others.into_iter().map(|(func, blocks)| traces.id_of(func, blocks)).collect();
            assert_eq!(again, ids);
            assert_eq!(traces.finish().len(), 4);
        }
    }

    #[test]
    fn long_traces_of_one_hash_are_told_apart() {
        let (f, mut traces) = (FuncRef::from_u32(0), UniqueTraces::default());
        let ids = [0, 1, 0, 2, 1].map(|odd| traces.id_of_long(f, 1, &trace(9, odd)).as_u32());
        assert_eq!(ids, [0, 1, 0, 2, 1]);
    }
}

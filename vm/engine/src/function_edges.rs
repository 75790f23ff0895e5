//! The edge profile of a program, from either executor.
//!
//! In: the executor after a run. Out: exact counts for each function, in order of the module.

use super::executor::{Executor, edge_plan};
use holloway_jit::graph_of::{block_of, node_of};
use holloway_lang::ir::{Block, FuncRef, Module};
use holloway_machine::edge_profile::EdgeProfile;
use holloway_profiler::graph::Graph;
use holloway_profiler::number::spanning_tree::EdgeCounts;

/// The counts of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEdges {
    /// The function.
    pub func: FuncRef,
    /// Number of its invocations.
    pub calls: u64,
    /// Number of executions of each block, by block number.
    pub blocks: Vec<u64>,
    /// Every edge between blocks with its count, in numbering order.
    pub edges: Vec<(Block, Block, u64)>,
    /// Number of counters placed for them.
    pub counters: usize,
}

/// The profile of every function; one that never ran has counts of 0.
pub(crate) fn edges(module: &Module, executor: &Executor) -> Vec<FunctionEdges> {
    module.funcs.keys().map(|func| of_function(module, executor, func)).collect()
}

fn of_function(module: &Module, executor: &Executor, func: FuncRef) -> FunctionEdges {
    let (graph, plan) = edge_plan(module.function(func));
    let counts = match executor {
        Executor::Interpreted(interpreted) => interpreted.edges_of(func).map(|counted| {
            let machine = &counted.machine;
            plan.derive(machine.counters(), &machine.failures(), &machine.aborts())
        }),
        Executor::Compiled(machine) => machine.profiles.get(func).map(EdgeProfile::counts),
    };
    let counts = counts.unwrap_or_else(|| plan.derive(&vec![0; plan.counters], &[], &[]));
    let blocks = module.function(func).blocks.keys();
    FunctionEdges {
        func,
        calls: counts.calls,
        blocks: blocks.map(|block| counts.nodes[node_of(block)]).collect(),
        edges: between_blocks(&graph, &counts),
        counters: plan.counters,
    }
}

fn between_blocks(graph: &Graph, counts: &EdgeCounts) -> Vec<(Block, Block, u64)> {
    let edges = graph.edges().filter(|(id, _)| !graph.is_return(*id));
    edges.map(|(id, edge)| (block_of(edge.from), block_of(edge.to), counts.edges[id])).collect()
}

//! Whole program paths: the paper's examples, and random traces against walks of the raw trace.
//!
//! In: proptest's choices and worked examples. Out: representations and answers, compared with naive ones.

mod calls;
mod currency;
mod execution;
mod figures;
mod file;
mod long;
mod mutants;
mod packed;
mod programs;
mod query;
mod record;
mod replay_check;
mod sequitur;
mod series;
mod slice;

use cranelift_entity::EntityRef;
use holloway_profiler::graph::Node;
use holloway_profiler::wpp::dynamic_graph::DynamicGraph;
use holloway_profiler::wpp::series::Series;
use proptest::prelude::*;

/// Blocks by number.
fn blocks(numbers: &[u64]) -> Vec<Node> {
    numbers.iter().map(|&number| Node::new(number as usize)).collect()
}

/// Traces of a loop with some branches, which repeat their iterations in runs.
fn traces() -> impl Strategy<Value = Vec<Node>> {
    let iteration = (prop::collection::vec(0..6_u64, 1..5), 1..6_usize);
    prop::collection::vec(iteration, 1..8).prop_map(|runs| {
        let iterations = runs.iter().flat_map(|(blocks, times)| std::iter::repeat_n(blocks, *times));
        blocks(&iterations.flatten().copied().collect::<Vec<_>>())
    })
}

/// A trace of dynamic basic blocks by definition: neighbours are joined if they are always neighbours. Each entry has its blocks.
fn dynamic_blocks(trace: &[Node]) -> Vec<Vec<Node>> {
    let times = |block| (0..trace.len()).filter(|&at| trace[at] == block).collect::<Vec<_>>();
    let follows = |before, block| times(before).iter().map(|at| at + 1).eq(times(block).iter().copied());
    let mut entries: Vec<Vec<Node>> = Vec::new();
    for &block in trace {
        match entries.last_mut() {
            Some(entry) if follows(entry[entry.len() - 1], block) && !entry.contains(&block) => entry.push(block),
            _ => entries.push(vec![block]),
        }
    }
    entries
}

/// The graph of a trace of dynamic basic blocks.
fn graph_of(entries: &[Vec<Node>]) -> DynamicGraph {
    let mut parts: Vec<(Vec<Node>, Series)> = Vec::new();
    for (time, entry) in (1..).zip(entries) {
        match parts.iter_mut().find(|(blocks, _)| blocks == entry) {
            Some((_, times)) => times.push(time),
            None => parts.push((entry.clone(), Series::from_iter([time]))),
        }
    }
    DynamicGraph::new(parts).expect("the blocks partition the timestamps")
}

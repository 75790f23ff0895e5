//! Edge counts from path counts.
//!
//! In: how often each path was taken, and what the unwinder counted. Out: how often each edge was.
//!
//! An edge that paths run along was taken as often as they were. Of cut edges it is known how many paths ended before those of one
//! node, and how many began behind those to one: where one of several is unknown, it is what the others leave. Few programs have
//! loops that leave more than one unknown everywhere; their cut edges have no count then.
//! Invariant: a count that is given is exact.

use cranelift_entity::SecondaryMap;
use holloway_profiler::graph::{EdgeId, EdgeKind, Node};
use holloway_profiler::path_id::{Path, PathEnd};

use super::scheme::FunctionPlan;

/// A path with how often it was taken.
pub type Counted = (Path, u64);

/// What the unwinder counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwound {
    /// How often each failure edge was taken.
    pub failures: Vec<(EdgeId, u64)>,
    /// How many activations ended in a failure inside each block.
    pub aborts: Vec<(Node, u64)>,
}

/// Each edge's count, by id; `None` where paths do not tell.
pub fn edge_counts(
    plan: &FunctionPlan,
    paths: &[Counted],
    prefixes: &[Counted],
    unwound: &Unwound,
) -> Vec<Option<u64>> {
    let graph = &plan.graph;
    let mut known: SecondaryMap<EdgeId, u64> = SecondaryMap::new();
    let mut began: SecondaryMap<Node, i64> = SecondaryMap::new();
    let mut ended: SecondaryMap<Node, i64> = SecondaryMap::new();
    // Those of the entry began with a call, which ended somehow.
    let mut calls: u64 = unwound.aborts.iter().map(|(_, count)| count).sum();
    for (path, count) in paths.iter().chain(prefixes) {
        path.edges.iter().for_each(|&edge| known[edge] += count);
        let (Some(&first), Some(&last)) = (path.blocks.first(), path.blocks.last()) else { continue };
        began[first] += *count as i64;
        match path.end {
            PathEnd::Cut => ended[last] += *count as i64,
            PathEnd::Return => calls += count,
            PathEnd::DeadEnd | PathEnd::Failure => {}
        }
    }
    began[graph.entry()] -= calls as i64;
    for &(edge, count) in &unwound.failures {
        known[edge] = count;
        began[graph.edge(edge).to] -= count as i64;
    }
    let mut unknown: Vec<EdgeId> = graph
        .edges()
        .filter(|&(id, edge)| edge.kind == EdgeKind::Normal && plan.is_cut(id))
        .map(|(id, _)| id)
        .collect();
    while let Some((at, count)) = only_one_left(plan, &unknown, &began, &ended) {
        let edge = unknown.swap_remove(at);
        known[edge] = count.unsigned_abs();
        ended[graph.edge(edge).from] -= count;
        began[graph.edge(edge).to] -= count;
    }
    graph.edges().map(|(id, _)| if unknown.contains(&id) { None } else { Some(known[id]) }).collect()
}

/// An unknown edge that is alone at one of its ends, or whose count must be 0, with its count.
fn only_one_left(
    plan: &FunctionPlan,
    unknown: &[EdgeId],
    began: &SecondaryMap<Node, i64>,
    ended: &SecondaryMap<Node, i64>,
) -> Option<(usize, i64)> {
    let mut out: SecondaryMap<Node, u32> = SecondaryMap::new();
    let mut into: SecondaryMap<Node, u32> = SecondaryMap::new();
    for &edge in unknown {
        let ends = plan.graph.edge(edge);
        out[ends.from] += 1;
        into[ends.to] += 1;
    }
    unknown.iter().enumerate().find_map(|(at, &edge)| {
        let ends = plan.graph.edge(edge);
        let nothing = began[ends.to] == 0 || ended[ends.from] == 0;
        match (out[ends.from], into[ends.to]) {
            _ if nothing => Some((at, 0)),
            (1, _) => Some((at, ended[ends.from])),
            (_, 1) => Some((at, began[ends.to])),
            _ => None,
        }
    })
}

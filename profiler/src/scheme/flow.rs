//! Edge counts from path counts.
//!
//! In: how often each path was taken, and what the unwinder counted. Out: how often each edge was.
//!
//! An edge that paths run along was taken as often as they were. Of cut edges it is known how many paths ended before those of one
//! node, and how many began behind those to one: where one of several is unknown, it is what the others leave. Few programs have
//! loops that leave more than one unknown everywhere; their cut edges have no count then.
//!
//! Paths of k iterations overlap: one that started at a header repeats what the path an iteration earlier covers, up to its last
//! iteration ([`PathRow::own_from`]). The edge into that iteration is where the earlier path ended.
//! Invariant: a count that is given is exact.

use cranelift_entity::SecondaryMap;

use super::function_plan::FunctionPlan;
use super::results::{PathRow, Results};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::path_id::PathEnd;

/// Counts of the unwinder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwound {
    /// Count of each failure edge.
    pub failures: Vec<(EdgeId, u64)>,
    /// Number of activations that ended in a failure inside each block.
    pub aborts: Vec<(Node, u64)>,
}

/// Numbers of paths that began and ended at each node, and of edges on them.
#[derive(Default)]
struct Flow {
    known: SecondaryMap<EdgeId, u64>,
    began: SecondaryMap<Node, i64>,
    ended: SecondaryMap<Node, i64>,
    /// Activations that ended by a return.
    returns: u64,
}

impl Flow {
    fn add(&mut self, graph: &Graph, row: &PathRow) {
        let count = row.count as i64;
        row.path.edges[row.own_from.unwrap_or(0)..].iter().for_each(|&edge| self.known[edge] += row.count);
        let (Some(&first), Some(&last)) = (row.path.blocks.first(), row.path.blocks.last()) else { return };
        match row.own_from {
            None => self.began[first] += count,
            Some(own) => {
                let tail = row.path.edges.get(own).map_or(last, |&edge| graph.edge(edge).from);
                self.ended[tail] -= count;
            }
        }
        match row.path.end {
            PathEnd::Cut => self.ended[last] += count,
            PathEnd::Return => self.returns += row.count,
            PathEnd::Left | PathEnd::DeadEnd | PathEnd::Failure => {}
        }
    }
}

/// Each edge's count, by id; `None` where paths do not tell.
pub fn edge_counts(plan: &FunctionPlan, results: &Results, unwound: &Unwound) -> Vec<Option<u64>> {
    let graph = &plan.graph;
    if !results.counts_are_exact() {
        return vec![None; graph.edge_count()];
    }
    let mut flow = Flow::default();
    results.paths.iter().chain(&results.prefixes).for_each(|row| flow.add(graph, row));
    // Paths from the entry began with a call, which ended somehow.
    let calls = flow.returns + unwound.aborts.iter().map(|(_, count)| count).sum::<u64>();
    flow.began[graph.entry()] -= calls as i64;
    for &(edge, count) in &unwound.failures {
        flow.known[edge] = count;
        flow.began[graph.edge(edge).to] -= count as i64;
    }
    // Behind these a second path begins, that of the loop which they enter.
    for (id, edge) in graph.edges().filter(|(id, _)| plan.decoder.enters(graph, *id)) {
        flow.began[edge.to] -= flow.known[id] as i64;
    }
    let mut unknown: Vec<EdgeId> = graph
        .edges()
        .filter(|&(id, edge)| edge.kind == EdgeKind::Normal && plan.decoder.is_cut(graph, id))
        .map(|(id, _)| id)
        .collect();
    while let Some((at, count)) = only_one_left(plan, &unknown, &flow) {
        let edge = unknown.swap_remove(at);
        flow.known[edge] = count.unsigned_abs();
        flow.ended[graph.edge(edge).from] -= count;
        flow.began[graph.edge(edge).to] -= count;
    }
    graph.edges().map(|(id, _)| if unknown.contains(&id) { None } else { Some(flow.known[id]) }).collect()
}

/// An unknown edge that is alone at one of its ends, or whose count must be 0, with its count.
fn only_one_left(plan: &FunctionPlan, unknown: &[EdgeId], flow: &Flow) -> Option<(usize, i64)> {
    let mut out: SecondaryMap<Node, u32> = SecondaryMap::new();
    let mut into: SecondaryMap<Node, u32> = SecondaryMap::new();
    for &edge in unknown {
        let ends = plan.graph.edge(edge);
        out[ends.from] += 1;
        into[ends.to] += 1;
    }
    unknown.iter().enumerate().find_map(|(at, &edge)| {
        let ends = plan.graph.edge(edge);
        let nothing = flow.began[ends.to] == 0 || flow.ended[ends.from] == 0;
        match (out[ends.from], into[ends.to]) {
            _ if nothing => Some((at, 0)),
            (1, _) => Some((at, flow.ended[ends.from])),
            (_, 1) => Some((at, flow.began[ends.to])),
            _ => None,
        }
    })
}

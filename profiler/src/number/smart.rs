//! Smart path numbering: the hottest step of each node adds nothing.
//!
//! In: a graph and its edge profile. Out: a [`Numbering`] whose steps are numbered by decreasing frequency, so that the
//! first, which has value 0 and needs no instruction, is the hottest.
//!
//! `[BM05]` M. D. Bond, K. S. McKinley, "Practical Path Profiling for Dynamic Optimizers", CGO 2005; `[DD13]` section
//! 3.2.
//!
//! Ties keep canonical order, so the numbering is a function of the graph and the profile.

use std::cmp::Reverse;

use cranelift_entity::SecondaryMap;

use super::ball_larus::{MAX_PATHS, Numbering, StepKind, StepOrder, number_with};
use super::dag::Dag;
use crate::graph::{EdgeId, Graph, Node};

/// Numbers the paths of `graph` by the frequency of its edges.
pub fn number_smart(graph: &Graph, frequency: &SecondaryMap<EdgeId, u64>) -> Numbering {
    number_with(graph, &ByFrequency { frequency }, MAX_PATHS)
}

/// Orders steps by decreasing frequency.
#[derive(Clone, Copy, Debug)]
pub struct ByFrequency<'a> {
    /// Count of each edge.
    pub frequency: &'a SecondaryMap<EdgeId, u64>,
}

impl StepOrder for ByFrequency<'_> {
    fn order_steps(&self, graph: &Graph, dag: &Dag, node: Node, steps: &mut [StepKind]) {
        steps.sort_by_key(|&kind| {
            Reverse(match kind {
                StepKind::Edge(edge) => self.frequency[edge],
                StepKind::Cut => {
                    let cut = graph.normal_successors(node).filter(|&e| dag.is_cut(e));
                    cut.fold(0_u64, |sum, e| sum.saturating_add(self.frequency[e]))
                }
                StepKind::Stop => 0,
            })
        });
    }

    fn order_starts(&self, graph: &Graph, starts: &mut [Node]) {
        let sum = |edges: &[EdgeId]| edges.iter().fold(0_u64, |sum, &e| sum.saturating_add(self.frequency[e]));
        starts.sort_by_key(|&node| {
            Reverse(if node == graph.entry() {
                // Outflow beyond the inflow is the number of calls.
                sum(graph.successors(node)).saturating_sub(sum(graph.predecessors(node)))
            } else {
                sum(graph.predecessors(node))
            })
        });
    }
}

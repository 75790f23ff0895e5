//! Counts of paths of several iterations along an execution, where all loops of a nest have iterations at once.
//!
//! In: the edges of activations. Out: [`UnrolledCounts`]. As in Algorithm 3 of `[RS09]` a path begins at the entry and behind each back edge, and
//! each that is under way has an accumulator; but it also has its own copy, as each may be in other iterations of the loops around.
//! Invariant: the oldest path owes no iterations, and all others do: so at most one path ends at a time.

use std::collections::BTreeMap;

use super::{CopyId, UnrolledNumbering, UnrolledStep};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::number::ball_larus::StepKind;

/// Counts by id.
#[derive(Clone, Debug, Default)]
pub struct UnrolledCounts {
    /// Complete paths.
    pub paths: BTreeMap<u64, u64>,
    /// Paths that failures cut short, with the copies in which they did.
    pub prefixes: BTreeMap<(CopyId, u64), u64>,
    /// The most paths that were under way at once.
    pub most_accumulators: usize,
}

/// The paths of an activation that are under way, oldest first: the copy that each is in, and the sum of its weights.
#[derive(Clone, Debug)]
pub struct UnrolledPaths(Vec<(CopyId, u64)>);

impl UnrolledPaths {
    /// Those of an activation that begins.
    pub fn start(numbering: &UnrolledNumbering, graph: &Graph) -> UnrolledPaths {
        UnrolledPaths(vec![numbering.restart(graph.entry(), false)])
    }

    /// The activation takes an edge.
    pub fn take(&mut self, graph: &Graph, numbering: &UnrolledNumbering, edge: EdgeId, counts: &mut UnrolledCounts) {
        let ends = graph.edge(edge);
        if ends.kind == EdgeKind::Failure {
            self.cut_short(counts);
            self.0 = vec![numbering.restart(ends.to, false)];
            return;
        }
        for (at, number) in std::mem::take(&mut self.0) {
            // Where nothing is owed every edge is on a path, or ends it.
            let Some(step) = numbering.step(at, edge) else { continue };
            let number = number + step.val;
            match step.to {
                Some(to) => self.0.push((to, number)),
                None => counts.add(number),
            }
        }
        if numbering.is_back_edge(graph, edge) {
            self.0.push(numbering.restart(ends.to, true));
        }
        counts.most_accumulators = counts.most_accumulators.max(self.0.len());
    }

    /// The activation is at the exit.
    pub fn leave(self, counts: &mut UnrolledCounts) {
        self.0.into_iter().for_each(|(_, number)| counts.add(number));
    }

    /// The activation ends in a failure.
    pub fn abort(self, counts: &mut UnrolledCounts) {
        self.cut_short(counts);
    }

    fn cut_short(&self, counts: &mut UnrolledCounts) {
        if let Some(&oldest) = self.0.first() {
            *counts.prefixes.entry(oldest).or_default() += 1;
        }
    }
}

impl UnrolledCounts {
    fn add(&mut self, id: u64) {
        *self.paths.entry(id).or_default() += 1;
    }
}

impl UnrolledNumbering {
    fn step(&self, at: CopyId, edge: EdgeId) -> Option<UnrolledStep> {
        let steps = &self.steps[at];
        let own = steps.iter().find(|step| step.kind == StepKind::Edge(edge));
        own.or_else(|| steps.iter().find(|step| step.kind == StepKind::Cut)).copied()
    }

    fn is_back_edge(&self, graph: &Graph, edge: EdgeId) -> bool {
        let ends = graph.edge(edge);
        self.nest.chain(ends.from).any(|id| self.nest.get(id).header == ends.to)
    }

    /// A path that starts at a node: at a loop's head behind one of its back edges, or elsewhere.
    fn restart(&self, node: Node, is_behind_back_edge: bool) -> (CopyId, u64) {
        let owes = self.nest.innermost(node).filter(|&id| is_behind_back_edge && self.k[id] > 1);
        let is_it = |at: CopyId| (self.copies[at].node, self.copies[at].owes) == (node, owes);
        let start = self.starts.iter().find(|start| is_it(start.at)).expect("paths start there");
        (start.at, start.base)
    }
}

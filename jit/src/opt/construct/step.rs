//! Steps of edges in profiled code.
//!
//! In: a plan, and its loops of one path. Out: the steps of an edge: those of the plan, or those that stand for them in and around such a loop.
//! Invariant: which path is the oldest is decided before an edge that leaves a loop adds anything.

use crate::probes::PathProbes;
use holloway_profiler::graph::EdgeId;
use holloway_profiler::plan::{Action, IterationTable};
use holloway_profiler::repeat::Repeat;

/// One step at a place of the code.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// As planned.
    Planned(Action),
    /// A loop that has one path is entered.
    EnterRepeat,
    /// An iteration of such a loop is complete.
    Repeat,
    /// Such a loop is left on an edge.
    LeaveRepeat(Repeat, EdgeId),
    /// Another loop whose iterations are told apart is left, with what the edge adds to each path.
    LeaveLoop(Option<IterationTable>),
}

/// Returns the steps of an edge.
pub(super) fn steps_of(probes: &PathProbes, edge: EdgeId) -> Vec<Step> {
    let (graph, repeats) = (&probes.graph, &probes.repeats);
    let planned = &probes.plan.edges[edge];
    let within = repeats.of(graph.edge(edge).from);
    if within.is_some_and(|repeat| repeat.back_edge == edge) {
        return vec![Step::Repeat];
    }
    let left = repeats.left(graph, edge).copied();
    let entered = repeats.entered(graph, edge).map(|_| Step::EnterRepeat);
    // In such a loop accumulators are not kept up, and where it is left the path register is set at once.
    let mut is_repeated = within.is_some_and(|repeat| repeat.k > 1);
    let mut steps = Vec::new();
    for of_part in planned.split_inclusive(|step| changes_part(*step)) {
        let left_a_loop = of_part.contains(&Action::LeaveLoop);
        let mut added = None;
        for &step in of_part {
            match step {
                Action::AddIterations(_) | Action::LeaveLoop if is_repeated => {}
                Action::AddIterations(table) if left_a_loop => added = Some(table),
                Action::LeaveLoop => steps.push(Step::LeaveLoop(added)),
                step => steps.push(Step::Planned(step)),
            }
        }
        is_repeated = false;
    }
    left.map(|repeat| Step::LeaveRepeat(repeat, edge)).into_iter().chain(steps).chain(entered).collect()
}

/// Returns true if the steps behind this one are about the accumulators of another loop.
pub(super) fn changes_part(step: Action) -> bool {
    matches!(step, Action::PutAside { .. } | Action::TakeBack { .. })
}

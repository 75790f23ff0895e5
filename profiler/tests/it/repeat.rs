//! Loops with a single path: counting their iterations and reporting them at the exits gives the ids that back edges
//! report.

use super::common;
use holloway_profiler::graph::{EdgeKind, Graph, Node};
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::number::ball_larus::number;
use holloway_profiler::number::increments::Potentials;
use holloway_profiler::number::spanning_tree::static_weights;
use holloway_profiler::plan::{Action, Markers, Plan};
use holloway_profiler::repeat::{Repeat, Repeats};
use proptest::prelude::*;

use super::common::{Activation, Run, runs, structured_runs};

#[derive(Default)]
struct Ids(Vec<i64>);

impl Sink for Ids {
    fn path(&mut self, id: u64) {
        self.0.push(id as i64);
    }

    fn prefix(&mut self, _: Node, _: u64) {}
}

/// Registers of an activation that counts iterations of loops with a single path.
#[derive(Default)]
struct Counting {
    path: i64,
    before: i64,
    times: i64,
    ids: Vec<i64>,
}

impl Counting {
    fn apply(&mut self, steps: &[Action]) {
        for step in steps {
            match *step {
                Action::SetPath(value) => self.path = value,
                Action::AddPath(value) => self.path = self.path.wrapping_add(value),
                Action::FinishPath { add, restart } => {
                    self.ids.push(self.path.wrapping_add(add));
                    self.path = restart.unwrap_or(self.path);
                }
                Action::FinishPrefix { restart, .. } => self.path = restart.unwrap_or(self.path),
                _ => {}
            }
        }
    }

    fn leave(&mut self, repeat: &Repeat) {
        if self.times > 0 {
            self.ids.push(self.before.wrapping_add(repeat.first.b));
            self.ids.extend(std::iter::repeat_n(repeat.id.b, self.times as usize - 1));
            self.path = self.path.wrapping_sub(self.before).wrapping_add(repeat.restart.b);
        }
        self.times = 0;
    }

    fn run(graph: &Graph, plan: &Plan, repeats: &Repeats, activation: &Activation) -> Vec<i64> {
        let mut counting = Counting::default();
        counting.apply(&plan.entry);
        counting.before = counting.path;
        for &id in &activation.edges {
            let edge = graph.edge(id);
            let around = repeats.of(edge.from);
            if around.is_some_and(|repeat| repeat.back_edge == id) {
                counting.times += 1;
                counting.path = counting.before;
                continue;
            }
            let is_failure = edge.kind == EdgeKind::Failure;
            if let Some(repeat) = around.filter(|_| is_failure || repeats.left(graph, id).is_some()) {
                counting.leave(repeat);
            }
            counting.apply(&plan.edges[id]);
            if is_failure || repeats.entered(graph, id).is_some() {
                counting.before = counting.path;
            }
        }
        if let Some(repeat) = activation.aborted_in.and_then(|block| repeats.of(block)) {
            counting.leave(repeat);
        }
        counting.ids
    }
}

fn check(run: &Run) -> Result<usize, TestCaseError> {
    let numbering = number(&run.graph);
    let potentials = Potentials::chords(&run.graph, &numbering, &static_weights(&run.graph));
    let plan = numbering.plan(&run.graph, &potentials, Markers::Omit);
    let repeats = Repeats::find(&run.graph, &plan);
    for activation in &run.activations {
        let mut ids = Ids::default();
        let mut machine = Machine::new(&run.graph, plan.clone());
        let mut frame = machine.enter(&mut ids);
        activation.edges.iter().for_each(|&edge| machine.take(&mut frame, edge, &mut ids));
        if let Some(block) = activation.aborted_in {
            machine.abort(frame, block, &mut ids);
        }
        prop_assert_eq!(Counting::run(&run.graph, &plan, &repeats, activation), ids.0);
    }
    Ok(repeats.iter().count())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(134))]

    #[test]
    fn iterations_reported_at_the_exits_are_those_of_the_back_edges(run in runs()) {
        check(&run)?;
    }

    #[test]
    fn so_they_are_in_structured_programs(run in structured_runs()) {
        check(&run)?;
    }
}

#[test]
fn a_loop_with_one_way_round_is_found_and_one_with_two_is_not() {
    use holloway_profiler::graph::ExitKind;
    let found = |pairs: &[(usize, usize)], nodes| {
        let graph = Graph::from_pairs(nodes, pairs, 0, nodes - 1, ExitKind::Synthetic).expect("a graph");
        let activations = common::walk(&graph, &[0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]);
        check(&Run { graph, activations }).expect("the same ids")
    };
    assert_eq!(found(&[(0, 1), (1, 2), (2, 1), (1, 3)], 4), 1);
    assert_eq!(found(&[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (4, 5)], 6), 0);
}

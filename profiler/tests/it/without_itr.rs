//! K-iteration plans as compiled code carries them out: without `itr`, and with loops of one path counted at their exits.
//!
//! In: a run, and a plan. Out: the ids that are no path's set aside, the reports that the machine with `itr` makes.

use holloway_profiler::graph::{EdgeKind, Graph, Node};
use holloway_profiler::machine::{Machine, Sink};
use holloway_profiler::plan::{Action, Plan};
use holloway_profiler::repeat::{Iterated, Repeat, Repeats};
use proptest::prelude::*;
use std::collections::BTreeMap;

use super::common::{Activation, Run, execute};

/// Ids with their counts, and prefixes: block, iteration, id.
#[derive(Debug, Default, PartialEq)]
struct Reports {
    paths: BTreeMap<u64, u64>,
    prefixes: BTreeMap<(Node, u32, u64), u64>,
}

impl Sink for Reports {
    fn path(&mut self, id: u64) {
        *self.paths.entry(id).or_default() += 1;
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.prefix_at(block, 1, id);
    }

    fn prefix_at(&mut self, block: Node, iteration: u32, id: u64) {
        *self.prefixes.entry((block, iteration, id)).or_default() += 1;
    }
}

/// The registers of an activation.
struct Code<'a> {
    plan: &'a Plan,
    c: Vec<i64>,
    times: u64,
    before: i64,
    reports: &'a mut Reports,
}

impl Code<'_> {
    /// The index of the oldest path.
    fn itr(&self) -> usize {
        (1..self.c.len()).take_while(|&j| self.c[j] < self.plan.unfinished.from).last().unwrap_or(0)
    }

    fn restart(&mut self, value: Option<i64>) {
        self.c.fill(self.plan.unfinished.start);
        self.c[0] = value.unwrap_or(0);
    }

    fn report(&mut self, id: i64, count: u64) {
        let end = self.plan.unfinished.end;
        assert!((0..end.max(1)).contains(&id), "{id} has no counter");
        if id < self.plan.unfinished.from && count > 0 {
            *self.reports.paths.entry(id as u64).or_default() += count;
        }
    }

    /// Which path is the oldest is decided before an edge adds anything, as younger ones may not leave the loop there.
    fn steps(&mut self, steps: &[Action]) {
        let itr = self.itr();
        steps.iter().for_each(|step| self.step(*step, itr));
    }

    fn step(&mut self, step: Action, itr: usize) {
        match step {
            Action::SetPath(value) => self.c[0] = value,
            Action::AddPath(value) => self.c[0] += value,
            Action::FinishPath { add, restart } => {
                self.report(self.c[0] + add, 1);
                self.c[0] = restart.unwrap_or(0);
            }
            Action::FinishPrefix { block, add, restart } => {
                self.reports.prefix(block, (self.c[0] + add) as u64);
                self.restart(restart);
            }
            Action::AddIterations(table) => {
                for (j, weight) in self.plan.iteration_weights[table].iter().enumerate() {
                    // One that started too late adds what the oldest adds.
                    self.c[j] += if j < itr { weight.compensated } else { weight.val };
                }
            }
            Action::NextIteration { k, restart } => {
                self.report(self.c[k as usize - 1], 1);
                self.c[..k as usize].rotate_right(1);
                self.c[0] = restart;
            }
            Action::LeaveLoop => self.restart(Some(self.c[itr])),
            Action::FinishIterationPrefix { block, restart } => {
                self.reports.prefix_at(block, itr as u32 + 1, self.c[itr] as u64);
                self.restart(restart);
            }
            other => panic!("{other:?} is no step of such plans"),
        }
    }

    /// A loop of one path is left, or cut short in a block: what it reports, and its oldest path there.
    fn leave(&mut self, repeats: &Repeats, repeat: &Repeat, block: Node) {
        if let Some(others) = repeat.reported(self.times).checked_sub(1) {
            self.report(self.before + repeat.first.b, 1);
            self.report(repeat.id.b, others);
        }
        let itr = self.times.min(u64::from(repeat.k) - 1) as usize;
        let oldest =
            repeats.oldest(repeat, block, Iterated { times: self.times, before: self.before, ..Iterated::default() });
        self.restart(None);
        // What is below is discarded with the loop.
        self.c[..itr].fill(0);
        self.c[itr] = oldest;
        self.times = 0;
    }

    fn run(&mut self, graph: &Graph, repeats: &Repeats, activation: &Activation) {
        self.restart(None);
        let plan = self.plan;
        self.steps(&plan.entry);
        self.before = self.c[0];
        for &id in &activation.edges {
            let edge = graph.edge(id);
            let around = repeats.of(edge.from);
            if let Some(repeat) = around {
                if repeat.back_edge == id {
                    self.times += 1;
                    continue;
                }
                if edge.kind == EdgeKind::Normal && repeats.left(graph, id).is_none() {
                    continue;
                }
                self.leave(repeats, repeat, edge.from);
            }
            self.steps(&plan.edges[id]);
            self.before = self.c[0];
        }
        if let Some(block) = activation.aborted_in {
            if let Some(repeat) = repeats.of(block) {
                self.leave(repeats, repeat, block);
            }
            self.steps(&plan.aborts[block]);
        }
    }
}

/// Compares the reports of a plan's code with those of the machine. Returns the number of loops of one path.
pub(crate) fn check(run: &Run, plan: Plan) -> Result<usize, TestCaseError> {
    let mut expected = Reports::default();
    execute(run, &mut Machine::new(&run.graph, plan.clone()), &mut expected);
    let found_repeats = Repeats::find(&run.graph, &plan);
    for repeats in [Repeats::default(), found_repeats.clone()] {
        let mut found = Reports::default();
        for activation in &run.activations {
            let c = vec![0; plan.most_iterations() as usize];
            let mut code = Code { plan: &plan, c, times: 0, before: 0, reports: &mut found };
            code.run(&run.graph, &repeats, activation);
        }
        prop_assert_eq!(&found, &expected);
    }
    Ok(found_repeats.iter().count())
}

/// For each k the ids of a loop with one path, of a few iterations and of many, are those of the machine.
#[test]
fn a_loop_with_one_path_is_counted_at_its_exits() {
    use holloway_profiler::graph::ExitKind;
    use holloway_profiler::number::k_iteration::increments::KPotentials;
    use holloway_profiler::number::k_iteration::number_k;
    use holloway_profiler::number::spanning_tree::static_weights;
    use holloway_profiler::plan::Markers;
    // Two ways to a loop of 3 and 4, which is left from either.
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 3), (4, 5)];
    let graph = Graph::from_pairs(6, &edges, 0, 5, ExitKind::Block).expect("a graph");
    let node = |at: u32| Node::from_u32(at);
    let edge = |(from, to)| graph.find_edge(node(from), node(to)).expect("an edge");
    let mut activations = Vec::new();
    for times in 0..9 {
        for last in [3, 4] {
            let mut blocks = vec![0, 1 + times % 2, 3];
            blocks.extend((0..times).flat_map(|_| [4, 3]));
            if last == 4 {
                blocks.push(4);
            }
            let aborted = Activation { edges: along(&blocks, edge), aborted_in: Some(node(last)) };
            blocks.push(5);
            activations.extend([Activation { edges: along(&blocks, edge), aborted_in: None }, aborted]);
        }
    }
    let run = Run { graph: graph.clone(), activations };
    for k in 1..6 {
        let numbering = number_k(&graph, k).expect("it is reducible");
        let chords = KPotentials::chords(&graph, &numbering, &static_weights(&graph));
        for potentials in [KPotentials::direct(), chords] {
            let plan = numbering.plan(&graph, &potentials, Markers::Omit);
            assert_eq!(check(&run, plan).expect("the same reports"), 1);
        }
    }
}

fn along(
    blocks: &[u32],
    edge: impl Fn((u32, u32)) -> holloway_profiler::graph::EdgeId,
) -> Vec<holloway_profiler::graph::EdgeId> {
    blocks.windows(2).map(|pair| edge((pair[0], pair[1]))).collect()
}

//! Counts of edges in the lab.
//!
//! In: a program, and the steps of its traces. Out: a [`FunctionResult`] for each procedure, with its edge counts and nothing
//! else. Invariant: every scheme's results have these counts; no other part of the lab counts edges.

use cranelift_entity::PrimaryMap;

use super::procedure::{Named, Program};
use super::result::FunctionResult;
use super::trace::Step;
use crate::graph::EdgeId;
use crate::machine::{Frame, Machine, NoSink};
use crate::number::spanning_tree::{EdgePlan, static_weights};
use crate::supergraph::ProcedureId;

/// Counts the edges along all traces.
pub(super) fn count_edges(program: &Program, traces: &[Vec<Step>]) -> Vec<FunctionResult> {
    let mut meters: PrimaryMap<ProcedureId, EdgeMeter> = PrimaryMap::new();
    for named in program.procedures.values() {
        meters.push(EdgeMeter::new(named));
    }
    for steps in traces {
        run(&mut meters, steps);
    }
    meters.iter().map(|(id, meter)| meter.result(&program.procedures[id])).collect()
}

fn run(meters: &mut PrimaryMap<ProcedureId, EdgeMeter>, steps: &[Step]) {
    let mut stack: Vec<(ProcedureId, Frame)> = Vec::new();
    for &step in steps {
        if let Step::Enter(procedure) = step {
            stack.push((procedure, meters[procedure].machine.enter(&mut NoSink)));
            continue;
        }
        let (procedure, mut frame) = stack.pop().expect("a step belongs to an activation");
        let machine = &mut meters[procedure].machine;
        match step {
            Step::Enter(_) | Step::Return => {}
            Step::Take(edge) => {
                machine.take(&mut frame, edge, &mut NoSink);
                stack.push((procedure, frame));
            }
            Step::Abort(block) => machine.abort(frame, block, &mut NoSink),
        }
    }
}

struct EdgeMeter {
    plan: EdgePlan,
    machine: Machine,
}

impl EdgeMeter {
    fn new(named: &Named) -> EdgeMeter {
        let plan = EdgePlan::new(&named.graph, &static_weights(&named.graph));
        EdgeMeter { machine: Machine::new(&named.graph, plan.plan.clone()), plan }
    }

    fn result(&self, named: &Named) -> FunctionResult {
        let (graph, machine) = (&named.graph, &self.machine);
        let counts = self.plan.derive(machine.counters(), &machine.failures(), &machine.aborts());
        let ends = |id: EdgeId| (named.name(graph.edge(id).from), named.name(graph.edge(id).to));
        FunctionResult {
            name: named.name.clone(),
            blocks: named.blocks(),
            edges: graph.edges().map(|(id, _)| (ends(id).0, ends(id).1, counts.edges[id])).collect(),
            ..FunctionResult::default()
        }
    }
}

//! Counts of edges in the lab.
//!
//! In: a program and its executions. Out: a [`FunctionResult`] for each procedure, with its edge counts and nothing
//! else. Invariant: every scheme's results have these counts; no other part of the lab counts edges.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::{Named, Program};
use super::result::FunctionResult;
use super::trace::Follower;
use crate::graph::{EdgeId, Node};
use crate::machine::{Frame, Machine, NoSink};
use crate::number::spanning_tree::{EdgePlan, static_weights};
use crate::supergraph::ProcedureId;

/// Counts the edges along all traces.
pub(super) fn count_edges(program: &Program, executions: &Executions) -> Result<Vec<FunctionResult>, LabError> {
    let mut meters: PrimaryMap<ProcedureId, EdgeMeter> = PrimaryMap::new();
    for named in program.procedures.values() {
        meters.push(EdgeMeter::new(named));
    }
    executions.follow(&mut meters)?;
    Ok(meters.iter().map(|(id, meter)| meter.result(&program.procedures[id])).collect())
}

impl Follower for PrimaryMap<ProcedureId, EdgeMeter> {
    type Activation = Frame;

    fn enter(&mut self, procedure: ProcedureId) -> Frame {
        self[procedure].machine.enter(&mut NoSink)
    }

    fn take(&mut self, procedure: ProcedureId, frame: &mut Frame, edge: EdgeId) {
        self[procedure].machine.take(frame, edge, &mut NoSink);
    }

    fn leave(&mut self, _: ProcedureId, _: Frame) {}

    fn abort(&mut self, procedure: ProcedureId, frame: Frame, block: Node) {
        self[procedure].machine.abort(frame, block, &mut NoSink);
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

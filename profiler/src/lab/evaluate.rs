//! Evaluation of a scheme on the lab's procedures.
//!
//! In: a [`Lab`]. Out: its [`LabResult`].
//!
//! Each procedure has one [`Meter`]: the edge scheme, which gives every result its edge counts, and the scheme of the
//! input.
//! Invariant: each activation of the traces is given to both.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::input::Lab;
use super::procedure::{Named, ProcedureId, Program};
use super::result::{ForestSize, FunctionResult, LabResult};
use super::rows::{path_rows, region_rows, static_paths, values};
use super::trace::{Step, follow};
use crate::graph::EdgeId;
use crate::machine::{Frame, Machine, NoSink};
use crate::number::ball_larus::number;
use crate::number::spanning_tree::{EdgePlan, static_weights};
use crate::persistence::{Irreducible, Keep};
use crate::plan::Plan;
use crate::scheme::{Collected, FunctionPlan, NotProfiled, NumberingOrder, Scheme, Settings};

/// Runs the scheme of `lab` on its traces.
pub fn evaluate(lab: &Lab) -> Result<LabResult, LabError> {
    let program = Program::new(lab)?;
    let settings = Settings { numbering: NumberingOrder::Source, windows: Keep::Findings, ..lab.scheme.settings };
    let scheme = lab.scheme.with(settings);
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        meters.push(Meter::new(scheme, named)?);
    }
    for (index, trace) in lab.traces.iter().enumerate() {
        run(&mut meters, &follow(&program, index, trace)?);
    }
    let functions = meters.into_iter().map(|(id, meter)| meter.result(&program.procedures[id])).collect();
    Ok(LabResult { scheme: lab.scheme, functions })
}

fn run(meters: &mut PrimaryMap<ProcedureId, Meter>, steps: &[Step]) {
    let mut stack: Vec<(ProcedureId, Frame, Frame)> = Vec::new();
    for &step in steps {
        if let Step::Enter(procedure) = step {
            let meter = &mut meters[procedure];
            stack.push((procedure, meter.edge_machine.enter(&mut NoSink), meter.machine.enter(&mut meter.collected)));
            continue;
        }
        let (procedure, mut edge_frame, mut frame) = stack.pop().expect("a step belongs to an activation");
        let meter = &mut meters[procedure];
        match step {
            Step::Enter(_) | Step::Return => {}
            Step::Take(edge) => {
                meter.edge_machine.take(&mut edge_frame, edge, &mut NoSink);
                meter.machine.take(&mut frame, edge, &mut meter.collected);
                stack.push((procedure, edge_frame, frame));
            }
            Step::Abort(block) => {
                meter.edge_machine.abort(edge_frame, block, &mut NoSink);
                meter.machine.abort(frame, block, &mut meter.collected);
            }
        }
    }
}

struct Meter {
    edge_plan: EdgePlan,
    edge_machine: Machine,
    machine: Machine,
    /// The plan of the scheme; `None` if it counts edges alone.
    plan: Option<FunctionPlan>,
    collected: Box<dyn Collected>,
}

impl Meter {
    fn new(scheme: Scheme, named: &Named) -> Result<Meter, LabError> {
        let graph = &named.graph;
        let edge_plan = EdgePlan::new(graph, &static_weights(graph));
        let plan = scheme.plan(graph.clone(), None).transpose().map_err(|error| refused(named, error))?;
        if plan.as_ref().is_some_and(|plan| plan.num_paths().is_some() && !plan.decoder.truncated().is_empty()) {
            return Err(LabError::TooManyPaths(named.name.clone()));
        }
        let steps = plan.as_ref().map_or_else(Plan::default, |plan| (*plan.plan).clone());
        Ok(Meter {
            edge_machine: Machine::new(graph, edge_plan.plan.clone()),
            edge_plan,
            machine: Machine::new(graph, steps),
            collected: plan.as_ref().map_or_else(|| Box::new(NoSink) as _, |plan| plan.decoder.collector()),
            plan,
        })
    }

    fn result(self, named: &Named) -> FunctionResult {
        let graph = &named.graph;
        let machine = &self.edge_machine;
        let counts = self.edge_plan.derive(machine.counters(), &machine.failures(), &machine.aborts());
        let ends = |id: EdgeId| (named.name(graph.edge(id).from), named.name(graph.edge(id).to));
        let mut result = FunctionResult {
            name: named.name.clone(),
            blocks: named.blocks(),
            edges: graph.edges().map(|(id, _)| (ends(id).0, ends(id).1, counts.edges[id])).collect(),
            ..FunctionResult::default()
        };
        result.num_paths = match self.plan.as_ref().and_then(FunctionPlan::num_paths) {
            None => Some(number(graph)).filter(|n| n.truncated().is_empty()).map(|n| n.num_paths()),
            paths => paths,
        };
        let Some(plan) = &self.plan else { return result };
        let found = self.collected.results(graph);
        values(&mut result, named, &*plan.decoder);
        result.path_list = static_paths(named, &*plan.decoder);
        result.prefixes = path_rows(named, &found.prefixes);
        match found.sequences {
            None => result.paths = path_rows(named, &found.paths),
            Some(sequences) => {
                let (k_ipf, slabs) = (&sequences.k_ipf, sequences.forest.slabs());
                result.forest =
                    Some(ForestSize { k: k_ipf.k(), slab_nodes: slabs.node_count(), ipf_nodes: k_ipf.node_count() });
                result.sequences = k_ipf.sequences();
            }
        }
        result.regions = found.regions.map_or_else(Vec::new, |persistence| region_rows(named, *persistence));
        result
    }
}

fn refused(named: &Named, error: NotProfiled) -> LabError {
    match error {
        NotProfiled::Irreducible(Irreducible { from, to, .. }) => {
            LabError::Irreducible(named.name(from), named.name(to))
        }
        NotProfiled::TooManyPaths(_) | NotProfiled::TooManyRegions { .. } | NotProfiled::NotOptimized => {
            LabError::TooManyPaths(named.name.clone())
        }
    }
}

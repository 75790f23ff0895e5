//! A scheme of the registry, on each procedure of the lab for itself.
//!
//! In: a scheme, a program and its executions. Out: the scheme's part of each [`FunctionResult`].
//!
//! Invariant: each activation of the traces is given to its procedure's [`Meter`].

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::{Named, Program};
use super::result::{ForestSize, FunctionResult};
use super::rows::{path_rows, region_rows, static_paths, values};
use super::trace::Follower;
use crate::forest::SlabForest;
use crate::graph::{EdgeId, Graph, LoopNest, Node};
use crate::machine::{Frame, Machine, NoSink};
use crate::number::ball_larus::number;
use crate::number::k_iteration::{AcyclicEdges, loops_without};
use crate::persistence::{Irreducible, Keep};
use crate::plan::Plan;
use crate::scheme::{Collected, FunctionPlan, LoopIterations, LoopK, NotProfiled, NumberingOrder, Scheme, Settings};
use crate::supergraph::ProcedureId;

/// The scheme with a k of their own for the loops with these headers, and acyclic paths at back edges that are named `FROM->TO`.
pub(super) fn with_loops(mut scheme: Scheme, program: &Program, loops: &[(String, u32)]) -> Result<Scheme, LabError> {
    let mut found = Vec::new();
    for (name, k) in loops {
        let (procedure, header, latch) = match (program.block(name), name.split_once("->")) {
            (Err(_), Some((from, to))) => {
                let (latch, header) = (program.block(from)?, program.block(to)?);
                let is_edge = latch.0 == header.0 && *k == 1;
                let latch = Some(latch.1).filter(|_| is_edge).ok_or_else(|| LabError::NoLoop(name.clone()))?;
                (header.0, header.1, Some(latch))
            }
            (header, _) => {
                let (procedure, header) = header?;
                (procedure, header, None)
            }
        };
        found.push((procedure, LoopK { function: program.procedures[procedure].name.clone(), header, latch, k: *k }));
    }
    for ((procedure, each), (name, _)) in found.iter().zip(loops) {
        let of_procedure = found.iter().filter(|(other, _)| other == procedure);
        let acyclic = of_procedure.filter_map(|(_, other)| Some((other.latch?, other.header))).collect();
        let graph = &program.procedures[*procedure].graph;
        let is_there = match each.latch {
            None => loops_without(graph, &acyclic).contains(&each.header),
            Some(latch) => is_outer(graph, &acyclic, latch, each.header),
        };
        if !is_there {
            return Err(LabError::NoLoop(name.clone()));
        }
    }
    scheme.settings.loops = LoopIterations::new(found.into_iter().map(|(_, each)| each).collect());
    Ok(scheme)
}

/// Returns whether a back edge makes a loop around that which the other ones of its header make.
fn is_outer(graph: &Graph, acyclic: &AcyclicEdges, latch: Node, header: Node) -> bool {
    let all = LoopNest::of(graph);
    let is_back_edge = |edge: &EdgeId| (graph.edge(*edge).from, graph.edge(*edge).to) == (latch, header);
    let left = LoopNest::without(graph, acyclic);
    let inner = left.iter().find(|(_, each)| each.header == header);
    all.iter().any(|(_, each)| each.back_edges.iter().any(is_back_edge))
        && inner.is_some_and(|(id, _)| !left.contains(id, latch))
}

/// Runs the scheme on the traces, and adds its findings to the results.
pub(super) fn evaluate(
    scheme: Scheme,
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<(), LabError> {
    // Memory for counters is of no concern here.
    let path_limit = Some(u64::MAX);
    let settings =
        Settings { numbering: NumberingOrder::Source, windows: Keep::Findings, path_limit, ..scheme.settings };
    let scheme = scheme.with(settings);
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        let meter = match Meter::new(scheme.in_function(&named.name), named) {
            Err(error) if executions.are_of_a_program() => Meter::refused(named, error),
            meter => meter?,
        };
        meters.push(meter);
    }
    executions.follow(&mut meters)?;
    for ((id, meter), result) in meters.into_iter().zip(results) {
        meter.report(&program.procedures[id], result, executions.path_list_max());
    }
    Ok(())
}

impl Follower for PrimaryMap<ProcedureId, Meter> {
    type Activation = Frame;

    fn enter(&mut self, procedure: ProcedureId) -> Frame {
        let Meter { machine, collected, .. } = &mut self[procedure];
        machine.enter(collected)
    }

    fn take(&mut self, procedure: ProcedureId, frame: &mut Frame, edge: EdgeId) {
        let Meter { machine, collected, .. } = &mut self[procedure];
        machine.take(frame, edge, collected);
    }

    fn leave(&mut self, _: ProcedureId, _: Frame) {}

    fn abort(&mut self, procedure: ProcedureId, frame: Frame, block: Node) {
        let Meter { machine, collected, .. } = &mut self[procedure];
        machine.abort(frame, block, collected);
    }
}

struct Meter {
    machine: Machine,
    /// The plan of the scheme; `None` if it counts edges alone.
    plan: Option<FunctionPlan>,
    collected: Box<dyn Collected>,
    refused: Option<LabError>,
}

impl Meter {
    fn new(scheme: Scheme, named: &Named) -> Result<Meter, LabError> {
        let graph = &named.graph;
        let plan = scheme.plan(graph.clone(), None).transpose().map_err(|error| refused(named, error))?;
        if plan.as_ref().is_some_and(|plan| plan.num_paths().is_some() && !plan.decoder.truncated().is_empty()) {
            return Err(LabError::TooManyPaths(named.name.clone()));
        }
        let steps = plan.as_ref().map_or_else(Plan::default, |plan| (*plan.plan).clone());
        Ok(Meter {
            machine: Machine::new(graph, steps),
            collected: plan.as_ref().map_or_else(|| Box::new(NoSink) as _, |plan| plan.decoder.collector()),
            plan,
            refused: None,
        })
    }

    /// Counts nothing.
    fn refused(named: &Named, error: LabError) -> Meter {
        let machine = Machine::new(&named.graph, Plan::default());
        Meter { machine, plan: None, collected: Box::new(NoSink), refused: Some(error) }
    }

    fn report(self, named: &Named, result: &mut FunctionResult, path_list_max: u64) {
        if self.refused.is_some() {
            result.refused = self.refused;
            return;
        }
        let graph = &named.graph;
        let num_paths = match self.plan.as_ref().and_then(FunctionPlan::num_paths) {
            None => Some(number(graph)).filter(|n| n.truncated().is_empty()).map(|n| n.num_paths()),
            paths => paths,
        };
        result.num_paths = num_paths.map(u128::from);
        let Some(plan) = &self.plan else { return };
        let found = self.collected.results(graph);
        values(result, named, &*plan.decoder);
        result.path_list = static_paths(named, &*plan.decoder, path_list_max);
        result.prefixes = path_rows(named, &found.prefixes);
        match found.sequences {
            None => result.paths = path_rows(named, &found.paths),
            Some(sequences) => {
                let k_ipf = &sequences.k_ipf;
                let size = |slabs: &SlabForest| ForestSize {
                    k: k_ipf.k(),
                    slab_nodes: slabs.node_count(),
                    ipf_nodes: k_ipf.node_count(),
                };
                result.forest = sequences.forest.slabs().map(size);
                result.sequences = k_ipf.sequences();
            }
        }
        result.regions = found.regions.map_or_else(Vec::new, |persistence| region_rows(named, *persistence));
    }
}

fn refused(named: &Named, error: NotProfiled) -> LabError {
    match error {
        NotProfiled::Irreducible(Irreducible { from, to, .. }) => {
            LabError::Irreducible(named.name(from), named.name(to))
        }
        NotProfiled::TooManyPaths(_)
        | NotProfiled::AbovePathLimit { .. }
        | NotProfiled::TooManyContexts(_)
        | NotProfiled::TooManyProgramPaths(_)
        | NotProfiled::ProgramAbovePathLimit { .. }
        | NotProfiled::NoFunctionFits
        | NotProfiled::TooManyRegions { .. }
        | NotProfiled::NotOptimized => LabError::TooManyPaths(named.name.clone()),
    }
}

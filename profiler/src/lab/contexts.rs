//! Intraprocedural context paths in the lab.
//!
//! In: a program and the steps of its traces. Out: the paths' part of each [`FunctionResult`].
//!
//! Invariant: each activation of the traces is counted in its procedure.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::procedure::{Named, Program};
use super::result::{FunctionResult, PATH_LIST_MAX, PathRow, StaticPath};
use super::trace::{Follower, Step, run};
use crate::graph::{EdgeId, Node};
use crate::number::context::encode::{Activation, ContextCounts};
use crate::number::context::{ContextError, ContextNumbering, ContextPath, number_contexts};
use crate::supergraph::ProcedureId;

/// Counts the context paths of the traces, and adds them to the results.
pub(super) fn evaluate(
    program: &Program,
    traces: &[Vec<Step>],
    results: &mut [FunctionResult],
) -> Result<(), LabError> {
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        meters.push(Meter { numbering: numbered(named)?, counts: ContextCounts::default() });
    }
    let mut meters = Meters { program, meters };
    for steps in traces {
        run(&mut meters, steps);
    }
    for ((id, meter), result) in meters.meters.iter().zip(results) {
        meter.report(&program.procedures[id], result);
    }
    Ok(())
}

fn numbered(named: &Named) -> Result<ContextNumbering, LabError> {
    number_contexts(&named.graph).map_err(|error| match error {
        ContextError::Irreducible(edge) => LabError::Irreducible(named.name(edge.from), named.name(edge.to)),
        ContextError::TooManyPaths => LabError::PastNumbers { of: Some(named.name.clone()), bits: u128::BITS },
    })
}

impl Follower for Meters<'_> {
    type Activation = Activation;

    fn enter(&mut self, _: ProcedureId) -> Activation {
        Activation::start()
    }

    fn take(&mut self, procedure: ProcedureId, activation: &mut Activation, edge: EdgeId) {
        let Meter { numbering, counts } = &mut self.meters[procedure];
        activation.take(&self.program.procedures[procedure].graph, numbering, edge, counts);
    }

    fn leave(&mut self, procedure: ProcedureId, activation: Activation) {
        activation.leave(&mut self.meters[procedure].counts);
    }

    fn abort(&mut self, procedure: ProcedureId, activation: Activation, block: Node) {
        activation.abort(block, &mut self.meters[procedure].counts);
    }
}

struct Meters<'a> {
    program: &'a Program,
    meters: PrimaryMap<ProcedureId, Meter>,
}

struct Meter {
    numbering: ContextNumbering,
    counts: ContextCounts,
}

impl Meter {
    fn report(&self, named: &Named, result: &mut FunctionResult) {
        let (graph, numbering) = (&named.graph, &self.numbering);
        let paths = numbering.num_paths();
        result.num_paths = Some(paths);
        for (id, edge) in graph.edges() {
            if let Some(val) = numbering.val(graph, id) {
                result.values.push((named.name(edge.from), named.name(edge.to), val));
            }
        }
        let surrogates = graph.nodes().filter_map(|node| Some((named.name(node), numbering.surrogate_val(node)?)));
        result.surrogate_values = surrogates.collect();
        let path = |number| numbering.path_of(graph, number).expect("the number is below num_paths");
        result.paths =
            self.counts.paths.iter().map(|(&number, &count)| row(named, number, &path(number), count)).collect();
        let prefix = |(&(block, number), &count): (&(_, u128), &u64)| {
            let path = numbering.prefix_of(graph, block, number).expect("it was reported in the block");
            row(named, number, &path, count)
        };
        result.prefixes = self.counts.prefixes.iter().map(prefix).collect();
        if paths <= u128::from(PATH_LIST_MAX) {
            result.path_list = Some((0..paths).map(|id| listed(named, id, &path(id))).collect());
        }
    }
}

fn row(named: &Named, number: u128, path: &ContextPath, count: u64) -> PathRow {
    let StaticPath { context, blocks, surrogates, .. } = listed(named, number, path);
    PathRow { id: number.to_string(), context, blocks, surrogates, count, ..PathRow::default() }
}

fn listed(named: &Named, id: u128, path: &ContextPath) -> StaticPath {
    StaticPath {
        id,
        context: named.names(path.context()),
        blocks: named.names(path.active()),
        surrogates: path.surrogates.clone(),
        ..StaticPath::default()
    }
}

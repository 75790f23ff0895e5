//! Intraprocedural context paths in the lab.
//!
//! In: a program and its executions. Out: the paths' part of each [`FunctionResult`].
//!
//! Invariant: each activation of the traces is counted in its procedure.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::{Named, Program};
use super::result::{FunctionResult, PathRow, StaticPath};
use super::trace::Follower;
use crate::graph::{EdgeId, Node};
use crate::number::context::encode::{Activation, ContextCounts};
use crate::number::context::{ContextError, ContextNumbering, ContextPath, number_contexts};
use crate::supergraph::ProcedureId;

/// Counts the context paths of the traces, and adds them to the results.
pub(super) fn evaluate(
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<(), LabError> {
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        let numbering = match numbered(named) {
            Err(error) if !executions.are_of_a_program() => return Err(error),
            numbering => numbering,
        };
        meters.push(Meter { numbering, counts: ContextCounts::default() });
    }
    let mut meters = Meters { program, meters };
    executions.follow(&mut meters)?;
    for ((id, meter), result) in meters.meters.iter().zip(results) {
        meter.report(&program.procedures[id], result, executions.path_list_max());
    }
    Ok(())
}

fn numbered(named: &Named) -> Result<ContextNumbering, LabError> {
    number_contexts(&named.graph).map_err(|error| match error {
        ContextError::Irreducible(edge) => LabError::Irreducible(named.name(edge.from), named.name(edge.to)),
        ContextError::TooManyPaths => {
            LabError::PastNumbers { of: Some(named.name.clone()), bits: u128::BITS, remedy: None }
        }
    })
}

impl Follower for Meters<'_> {
    type Activation = Activation;

    fn enter(&mut self, _: ProcedureId) -> Activation {
        Activation::start()
    }

    fn take(&mut self, procedure: ProcedureId, activation: &mut Activation, edge: EdgeId) {
        let Meter { numbering, counts } = &mut self.meters[procedure];
        let Ok(numbering) = numbering else { return };
        activation.take(&self.program.procedures[procedure].graph, numbering, edge, counts);
    }

    fn leave(&mut self, procedure: ProcedureId, activation: Activation) {
        let Meter { numbering, counts } = &mut self.meters[procedure];
        if numbering.is_ok() {
            activation.leave(counts);
        }
    }

    fn abort(&mut self, procedure: ProcedureId, activation: Activation, block: Node) {
        let Meter { numbering, counts } = &mut self.meters[procedure];
        if numbering.is_ok() {
            activation.abort(block, counts);
        }
    }
}

struct Meters<'a> {
    program: &'a Program,
    meters: PrimaryMap<ProcedureId, Meter>,
}

struct Meter {
    /// The numbering, or the reason for which there is none: then nothing is counted.
    numbering: Result<ContextNumbering, LabError>,
    counts: ContextCounts,
}

impl Meter {
    fn report(&self, named: &Named, result: &mut FunctionResult, path_list_max: u64) {
        let graph = &named.graph;
        let numbering = match &self.numbering {
            Ok(numbering) => numbering,
            Err(error) => {
                result.refused = Some(error.clone());
                return;
            }
        };
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
        if paths <= u128::from(path_list_max) {
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

//! Paths of several iterations of all loops of a nest at once, in the lab.
//!
//! In: a program, its executions, and the iterations of its loops. Out: the paths' part of each [`FunctionResult`].
//! Invariant: each activation of the traces is counted in its procedure.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::executions::Executions;
use super::procedure::{Named, Program};
use super::result::{FunctionResult, PathRow, StaticPath, UnrolledFindings, UnrolledValues};
use super::trace::Follower;
use crate::graph::{EdgeId, Node};
use crate::number::ball_larus::MAX_PATHS;
use crate::number::k_iteration::KError;
use crate::number::k_iteration::unrolled::{UnrolledCounts, UnrolledNumbering, UnrolledPaths, number_unrolled};
use crate::path_id::Path;
use crate::scheme::Scheme;
use crate::supergraph::ProcedureId;

/// Counts the paths of the traces, and adds them to the results. All loops have the K of the scheme, but for those of its settings.
pub(super) fn evaluate(
    scheme: Scheme,
    program: &Program,
    executions: &Executions,
    results: &mut [FunctionResult],
) -> Result<(), LabError> {
    let mut meters: PrimaryMap<ProcedureId, Meter> = PrimaryMap::new();
    for named in program.procedures.values() {
        let numbering = match numbered(scheme, named) {
            Err(error) if !executions.are_of_a_program() => return Err(error),
            numbering => numbering,
        };
        meters.push(Meter { numbering, counts: UnrolledCounts::default() });
    }
    let mut meters = Meters { program, meters };
    executions.follow(&mut meters)?;
    for ((id, meter), result) in meters.meters.iter().zip(results) {
        meter.report(&program.procedures[id], result, executions.path_list_max());
    }
    Ok(())
}

fn numbered(scheme: Scheme, named: &Named) -> Result<UnrolledNumbering, LabError> {
    let k = scheme.k().and_then(|k| u32::try_from(k).ok()).expect("K is at most 32");
    let own = scheme.in_function(&named.name).settings.loops;
    let of = |header: Node| own.k_of(header).unwrap_or(k);
    number_unrolled(&named.graph, of, MAX_PATHS).map_err(|error| match error {
        KError::Irreducible(edge) => LabError::Irreducible(named.name(edge.from), named.name(edge.to)),
        KError::TooManyPaths(_) => LabError::TooManyPaths(named.name.clone()),
    })
}

struct Meters<'a> {
    program: &'a Program,
    meters: PrimaryMap<ProcedureId, Meter>,
}

struct Meter {
    /// The numbering, or the reason for which there is none: then nothing is counted.
    numbering: Result<UnrolledNumbering, LabError>,
    counts: UnrolledCounts,
}

impl Follower for Meters<'_> {
    type Activation = Option<UnrolledPaths>;

    fn enter(&mut self, procedure: ProcedureId) -> Option<UnrolledPaths> {
        let numbering = self.meters[procedure].numbering.as_ref().ok()?;
        Some(UnrolledPaths::start(numbering, &self.program.procedures[procedure].graph))
    }

    fn take(&mut self, procedure: ProcedureId, activation: &mut Option<UnrolledPaths>, edge: EdgeId) {
        let Meter { numbering, counts } = &mut self.meters[procedure];
        if let (Some(paths), Ok(numbering)) = (activation, numbering) {
            paths.take(&self.program.procedures[procedure].graph, numbering, edge, counts);
        }
    }

    fn leave(&mut self, procedure: ProcedureId, activation: Option<UnrolledPaths>) {
        activation.into_iter().for_each(|paths| paths.leave(&mut self.meters[procedure].counts));
    }

    fn abort(&mut self, procedure: ProcedureId, activation: Option<UnrolledPaths>, _: Node) {
        activation.into_iter().for_each(|paths| paths.abort(&mut self.meters[procedure].counts));
    }
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
        result.num_paths = Some(numbering.num_paths().into());
        let values = |(id, edge): (EdgeId, &crate::graph::Edge)| {
            let weights = numbering.weights(graph, id).into_iter();
            let values =
                weights.map(|weight| (weight.iterations, weight.owes.map(|head| named.name(head)), weight.val));
            UnrolledValues { from: named.name(edge.from), to: named.name(edge.to), values: values.collect() }
        };
        result.unrolled = Some(UnrolledFindings {
            copies: numbering.copies(),
            most_accumulators: self.counts.most_accumulators,
            values: graph.edges().map(values).collect(),
        });
        let path = |id| numbering.path_of(graph, id).expect("the id is below num_paths").0;
        result.paths = self.counts.paths.iter().map(|(&id, &count)| row(named, id, &path(id), count)).collect();
        let prefix = |(&(at, id), &count)| {
            let (path, _) = numbering.prefix_of(graph, at, id).expect("it was counted in this copy");
            row(named, id, &path, count)
        };
        result.prefixes = self.counts.prefixes.iter().map(prefix).collect();
        if numbering.num_paths() <= path_list_max {
            let listed = |id| {
                let blocks = named.names(&path(id).blocks);
                StaticPath { id: id.into(), blocks, ..StaticPath::default() }
            };
            result.path_list = Some((0..numbering.num_paths()).map(listed).collect());
        }
    }
}

fn row(named: &Named, id: u64, path: &Path, count: u64) -> PathRow {
    PathRow { id: id.to_string(), blocks: named.names(&path.blocks), count, ..PathRow::default() }
}

//! Intraprocedural context paths in the lab.
//!
//! In: a program and the steps of its traces. Out: the paths' part of each [`FunctionResult`].
//!
//! Invariant: each activation of the traces is counted in its procedure.

use cranelift_entity::PrimaryMap;

use super::error::LabError;
use super::procedure::{Named, Program};
use super::result::{FunctionResult, PATH_LIST_MAX, PathRow, StaticPath};
use super::trace::Step;
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
    for steps in traces {
        run(program, &mut meters, steps);
    }
    for ((id, meter), result) in meters.iter().zip(results) {
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

fn run(program: &Program, meters: &mut PrimaryMap<ProcedureId, Meter>, steps: &[Step]) {
    let mut stack: Vec<(ProcedureId, Activation)> = Vec::new();
    for &step in steps {
        if let Step::Enter(procedure) = step {
            stack.push((procedure, Activation::start()));
            continue;
        }
        let (procedure, mut activation) = stack.pop().expect("a step belongs to an activation");
        let Meter { numbering, counts } = &mut meters[procedure];
        match step {
            Step::Enter(_) => {}
            Step::Return => activation.leave(counts),
            Step::Take(edge) => {
                activation.take(&program.procedures[procedure].graph, numbering, edge, counts);
                stack.push((procedure, activation));
            }
            Step::Abort(block) => activation.abort(block, counts),
        }
    }
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

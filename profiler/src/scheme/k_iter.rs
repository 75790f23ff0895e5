//! `k-iter`: paths that span up to k iterations of a loop, numbered statically.
//!
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//! The numbering is [`crate::number::k_iteration`].

use std::sync::Arc;

use super::counted::{self, Counted, Numbers};
use super::function_plan::{Collected, Decoder, EdgeValues, FunctionPlan, NotProfiled, Stream};
use super::results::{PathId, PathRow};
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::{KRange, Setting, Settings};
use crate::counts::{PathCounts, TableKind};
use crate::graph::{EdgeId, Graph, Node};
use crate::number::k_iteration::KError;
use crate::number::k_iteration::nest::{Iterations, NestNumbering, NestPath, Placement, number_nest_without};
use crate::number::spanning_tree::static_weights;
use crate::path_id::Path;
use crate::plan::Markers;
use crate::settings::k_iteration::{self, ID_MAX_PATHS};

/// Paths of k iterations.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "k-iter",
    counts: "every path of up to K iterations of a loop, numbered statically",
    // Code keeps an accumulator for each iteration.
    k: Some(KRange { means: "iterations of a path", default: 2, most: 32 }),
    no_k: "",
    takes: &[Setting::Loops, Setting::Table, Setting::ArrayLimit, Setting::PathLimit],
    probes: Probes::Paths(plan),
    view: View::Paths,
};

fn plan(graph: Graph, settings: &Settings, frequency: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let iterations = Iterations { asked: |header| settings.loops.k_of(header), innermost: settings.k as u32 };
    let acyclic = settings.loops.acyclic();
    let numbering = number_nest_without(&graph, &acyclic, iterations, ID_MAX_PATHS).map_err(|error| match error {
        KError::Irreducible(error) => NotProfiled::Irreducible(error),
        KError::TooManyPaths(paths) => NotProfiled::TooManyPaths(paths),
    })?;
    let (paths, limit) = (numbering.num_paths(), settings.path_limit.unwrap_or(k_iteration::MAX_PATHS));
    if paths > limit {
        return Err(NotProfiled::AbovePathLimit { paths, limit });
    }
    let stream = counted::stream(paths, settings, k_iteration::ARRAY_MAX_PATHS);
    let weights = frequency.cloned().unwrap_or_else(|| static_weights(&graph));
    let plan = Arc::new(numbering.plan(&graph, Placement::Chords(&weights), Markers::Omit));
    // Counters for what is reported where there is nothing to report, too.
    let stream = if let Stream::Array(_) = stream { Stream::Array(plan.unfinished.end as u64) } else { stream };
    let decoder = Arc::new(Iterated { numbering: Arc::new(numbering), table: counted::table(stream) });
    Ok(FunctionPlan { graph, plan, stream, decoder })
}

/// Reads ids of k-iteration paths.
#[derive(Debug)]
struct Iterated {
    numbering: Arc<NestNumbering>,
    table: TableKind,
}

impl Decoder for Iterated {
    fn collector(&self) -> Box<dyn Collected> {
        let counts = PathCounts::of_kind(self.table, self.numbering.num_paths());
        let numbering = Arc::clone(&self.numbering);
        Box::new(Counted::new(numbering, counts))
    }

    fn num_paths(&self) -> Option<u64> {
        Some(self.numbering.num_paths())
    }

    fn is_cut(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.numbering.is_cut(graph, edge)
    }

    fn may_end(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.is_cut(graph, edge) || self.numbering.is_iteration(graph, edge)
    }

    fn enters(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.numbering.enters(graph, edge)
    }

    fn values(&self, graph: &Graph, edge: EdgeId) -> EdgeValues {
        let values = self.numbering.values(graph, edge);
        if values.is_empty() { EdgeValues::None } else { EdgeValues::PerIteration(values) }
    }

    fn iterations(&self) -> Option<Vec<(Node, u32)>> {
        Some(self.numbering.loops().collect())
    }

    fn path(&self, graph: &Graph, id: u64) -> Option<Path> {
        self.numbering.path_of(graph, id).map(|of| of.path)
    }
}

impl Numbers for NestNumbering {
    /// Code reports one more where no path ends.
    fn is_skipped(&self, id: u64) -> bool {
        id >= self.num_paths()
    }

    fn row(&self, graph: &Graph, id: u64, count: u64) -> PathRow {
        row(self.path_of(graph, id), (id, count))
    }

    fn prefix_row(&self, graph: &Graph, (block, iteration, id, count): (Node, u32, u64, u64)) -> PathRow {
        row(self.prefix_of(graph, block, iteration, id), (id, count))
    }
}

fn row(path: Option<NestPath>, (id, count): (u64, u64)) -> PathRow {
    let NestPath { path, own_from, .. } = path.expect("a plan reports ids of its numbering");
    PathRow { own_from, ..PathRow::new(PathId::Number(id), path, count) }
}

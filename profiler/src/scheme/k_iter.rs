//! `k-iter`: paths that span up to k iterations of a loop, numbered statically.
//!
//! `[RS09]` S. Roy, Y. N. Srikant, "Profiling k-Iteration Paths: A Generalization of the Ball-Larus Profiling Algorithm", CGO 2009.
//! The numbering is [`crate::number::k_iteration`].

use std::sync::Arc;

use super::bl;
use super::function_plan::{Collected, Decoder, EdgeValues, FunctionPlan, NotProfiled};
use super::results::{PathId, PathRow, Results};
use super::row::{Frequency, Probes, Report, SchemeRow};
use super::settings::{KRange, Setting, Settings};
use crate::counts::{PathCounts, Size, TableKind};
use crate::graph::{EdgeId, Graph, Node};
use crate::machine::Sink;
use crate::number::ball_larus::MAX_PATHS;
use crate::number::k_iteration::{KError, KNumbering, KPath, KStartKind, number_k};
use crate::path_id::{Path, PathEnd, PathStart};

/// Paths of k iterations.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "k-iter",
    counts: "every path of up to K iterations of a loop, numbered statically",
    // Code keeps an accumulator for each iteration.
    k: Some(KRange { means: "iterations of a path", default: 2, most: 32 }),
    no_k: "",
    takes: &[Setting::Table],
    probes: Probes::Paths(plan),
    report: Report::Paths,
};

fn plan(graph: Graph, settings: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = number_k(&graph, settings.k as u32).map_err(|error| match error {
        KError::Irreducible(error) => NotProfiled::Irreducible(error),
        KError::TooManyPaths => NotProfiled::TooManyPaths(MAX_PATHS),
    })?;
    // One counter more, for what is reported where there is nothing to report.
    let (stream, markers) = bl::stream(numbering.num_paths() + 1, settings.table);
    let plan = Arc::new(numbering.plan(&graph, markers));
    let decoder = Arc::new(Iterated { numbering: Arc::new(numbering), table: bl::table(stream) });
    Ok(FunctionPlan { graph, plan, stream, decoder })
}

/// Reads ids of k-iteration paths.
#[derive(Debug)]
struct Iterated {
    numbering: Arc<KNumbering>,
    table: TableKind,
}

impl Decoder for Iterated {
    fn collector(&self) -> Box<dyn Collected> {
        let counts = PathCounts::of_kind(self.table, self.numbering.num_paths());
        Box::new(Counted { numbering: Arc::clone(&self.numbering), counts })
    }

    fn num_paths(&self) -> Option<u64> {
        Some(self.numbering.num_paths())
    }

    fn is_cut(&self, edge: EdgeId) -> bool {
        self.numbering.is_cut(edge)
    }

    fn may_end(&self, graph: &Graph, edge: EdgeId) -> bool {
        self.is_cut(edge) || self.numbering.is_iteration(graph, edge)
    }

    fn values(&self, graph: &Graph, edge: EdgeId) -> EdgeValues {
        let iterations = 1..=self.numbering.iterations(graph.edge(edge).from);
        let values: Vec<(u64, u64)> = iterations.filter_map(|i| self.numbering.values(graph, edge, i)).collect();
        if values.is_empty() { EdgeValues::None } else { EdgeValues::PerIteration(values) }
    }

    fn path(&self, graph: &Graph, id: u64) -> Option<Path> {
        self.numbering.path_of(graph, id).map(|path| path_of(graph, &path))
    }
}

/// Counts of k-iteration paths.
#[derive(Clone, Debug)]
struct Counted {
    numbering: Arc<KNumbering>,
    counts: PathCounts,
}

impl Counted {
    fn row(&self, graph: &Graph, id: u64, path: Option<KPath>, count: u64) -> PathRow {
        let path = path.expect("a plan reports ids of its numbering");
        let own_from = match path.start {
            KStartKind::Free => 0,
            // It repeats the path that began an iteration earlier, up to the back edge into its last iteration.
            KStartKind::Head => {
                let k = self.numbering.iterations(path.blocks[0]);
                path.iterations.iter().position(|&i| i == k).unwrap_or(path.blocks.len()) - 1
            }
        };
        PathRow { own_from, ..PathRow::new(PathId::Number(id), path_of(graph, &path), count) }
    }
}

/// The path with its edges.
fn path_of(graph: &Graph, path: &KPath) -> Path {
    let between = |pair: &[Node]| graph.find_edge(pair[0], pair[1]).expect("consecutive blocks have an edge");
    let mut edges: Vec<EdgeId> = path.blocks.windows(2).map(between).collect();
    if let (PathEnd::Return, Some(&last)) = (path.end, path.blocks.last()) {
        edges.extend(graph.normal_successors(last).find(|&edge| graph.is_return(edge)));
    }
    let start = match (path.start, path.blocks.first()) {
        (KStartKind::Free, Some(&first)) if first == graph.entry() => PathStart::Entry,
        (KStartKind::Free | KStartKind::Head, _) => PathStart::Restart,
    };
    Path { start, blocks: path.blocks.clone(), edges, end: path.end }
}

impl Sink for Counted {
    fn path(&mut self, id: u64) {
        self.counted(id, 1);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.counts.prefix(block, id);
    }

    fn iteration_prefix(&mut self, block: Node, iteration: u32, id: u64) {
        self.counts.iteration_prefix(block, iteration, id);
    }

    fn counted(&mut self, id: u64, count: u64) {
        if id < self.numbering.num_paths() {
            self.counts.paths.add(id, count);
        }
    }
}

impl Collected for Counted {
    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn size(&self) -> Size {
        self.counts.size()
    }

    fn results(&self, graph: &Graph) -> Results {
        let taken = self.counts.paths.taken().into_iter();
        let prefixes = self.counts.prefixes().into_iter();
        Results {
            paths: taken.map(|(id, count)| self.row(graph, id, self.numbering.path_of(graph, id), count)).collect(),
            prefixes: prefixes
                .map(|(block, i, id, count)| self.row(graph, id, self.numbering.prefix_of(graph, block, i, id), count))
                .collect(),
            table: Some(self.counts.paths.kind()),
            ..Results::default()
        }
    }
}

//! `context`: paths of one function, with the way to their loop as context.
//!
//! `[MR98]` D. Melski, T. Reps, "Interprocedural Path Profiling", TR 1382, University of Wisconsin-Madison, 1998; section 7.
//! The numbering is [`crate::number::context`].

use std::sync::Arc;

use cranelift_entity::EntityRef;

use super::counted::{self, Counted, Numbers};
use super::function_plan::{Collected, Decoder, EdgeValues, FunctionPlan, NotProfiled};
use super::results::{PathId, PathRow};
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::{Setting, Settings};
use crate::counts::{PathCounts, TableKind};
use crate::graph::{EdgeId, EdgeKind, Graph, Node};
use crate::number::ball_larus::MAX_PATHS;
use crate::number::context::{ContextError, ContextNumbering, ContextPath, number_contexts};
use crate::path_id::{Path, PathStart};
use crate::plan::across::{CrossStep, Saved, Scaled};
use crate::plan::{Action, Plan, append};
use crate::settings::counts::ARRAY_MAX_PATHS;

/// Context paths of each function.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "context",
    counts: "every acyclic path, with the way to its loop as context",
    k: None,
    no_k: "counts single paths; leave --k out",
    takes: &[Setting::Table, Setting::ArrayLimit, Setting::PathLimit],
    probes: Probes::Paths(plan),
    view: View::Paths,
};

fn plan(graph: Graph, settings: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = number_contexts(&graph).map_err(|error| match error {
        ContextError::Irreducible(error) => NotProfiled::Irreducible(error),
        ContextError::TooManyPaths => NotProfiled::TooManyContexts(None),
    })?;
    if numbering.num_paths() > MAX_PATHS.into() {
        return Err(NotProfiled::TooManyContexts(Some(numbering.num_paths())));
    }
    let paths = numbering.num_paths() as u64;
    if let Some(limit) = settings.path_limit.filter(|limit| paths > *limit) {
        return Err(NotProfiled::AbovePathLimit { paths, limit });
    }
    let stream = counted::stream(paths, settings, ARRAY_MAX_PATHS);
    let plan = Arc::new(steps(&graph, &numbering));
    let decoder = Arc::new(Contexts { numbering: Arc::new(numbering), table: counted::table(stream) });
    Ok(FunctionPlan { graph, plan, stream, decoder })
}

/// `pathNumOnEntryToV` is a saved register of each header `v`.
fn steps(graph: &Graph, numbering: &ContextNumbering) -> Plan {
    let mut plan = Plan::default();
    let headers: Vec<Node> = numbering.headers().collect();
    let saved = |node: Node| headers.iter().position(|header| *header == node).map(Saved::new);
    let save = |node: Node| saved(node).map(|register| Action::Across(CrossStep::Save(register)));
    let start = |node: Node| numbering.start_val(node).expect("paths start there") as i64;
    plan.entry = vec![Action::SetPath(start(graph.entry()))];
    plan.entry.extend(save(graph.entry()));
    for (edge, ends) in graph.edges() {
        let mut steps = Vec::new();
        if ends.kind == EdgeKind::Failure {
            if numbering.start_val(ends.to).is_some() {
                steps.push(Action::FinishPrefix { block: ends.from, add: 0, restart: Some(start(ends.to)) });
                steps.extend(save(ends.to));
            }
            plan.edges[edge] = steps;
            continue;
        }
        let Some(val) = numbering.val(graph, edge) else { continue };
        append(&mut steps, Action::AddPath(val as i64));
        if numbering.is_back_edge(edge) {
            append(&mut steps, Action::FinishPath { add: 0, restart: None });
            let from = saved(ends.to).expect("a back edge leads to a header");
            let b = numbering.surrogate_val(ends.to).expect("a header has a surrogate") as i64;
            append(&mut steps, Action::Across(CrossStep::Resume { from, by: Scaled { a: 0, b } }));
        } else if graph.is_return(edge) {
            append(&mut steps, Action::FinishPath { add: 0, restart: None });
        } else if let Some(save) = save(ends.to) {
            append(&mut steps, save);
        }
        plan.edges[edge] = steps;
    }
    for block in graph.nodes() {
        plan.aborts[block] = vec![Action::FinishPrefix { block, add: 0, restart: None }];
    }
    plan
}

/// Reads numbers of context paths.
#[derive(Debug)]
struct Contexts {
    numbering: Arc<ContextNumbering>,
    table: TableKind,
}

impl Decoder for Contexts {
    fn collector(&self) -> Box<dyn Collected> {
        let counts = PathCounts::of_kind(self.table, self.numbering.num_paths() as u64);
        let numbering = Arc::clone(&self.numbering);
        Box::new(Counted::new(numbering, counts))
    }

    fn num_paths(&self) -> Option<u64> {
        Some(self.numbering.num_paths() as u64)
    }

    fn is_cut(&self, _: &Graph, edge: EdgeId) -> bool {
        self.numbering.is_back_edge(edge)
    }

    fn values(&self, graph: &Graph, edge: EdgeId) -> EdgeValues {
        self.numbering.val(graph, edge).map_or(EdgeValues::None, |val| EdgeValues::One(val as u64))
    }

    fn path(&self, graph: &Graph, id: u64) -> Option<Path> {
        self.numbering.path_of(graph, id.into()).map(|path| active(graph, &path))
    }
}

/// The active suffix, as a path of its own.
fn active(graph: &Graph, path: &ContextPath) -> Path {
    let start = if path.surrogates.is_empty() { path.start } else { PathStart::Restart };
    Path::along(graph, start, path.active().to_vec(), path.end)
}

impl Numbers for ContextNumbering {
    fn row(&self, graph: &Graph, id: u64, count: u64) -> PathRow {
        row(graph, self.path_of(graph, id.into()), (id, count))
    }

    fn prefix_row(&self, graph: &Graph, (block, _, id, count): (Node, u32, u64, u64)) -> PathRow {
        row(graph, self.prefix_of(graph, block, id.into()), (id, count))
    }
}

fn row(graph: &Graph, path: Option<ContextPath>, (id, count): (u64, u64)) -> PathRow {
    let path = path.expect("a plan reports numbers of its numbering");
    let context = Some(path.context().to_vec());
    PathRow { context, ..PathRow::new(PathId::Number(id), active(graph, &path), count) }
}

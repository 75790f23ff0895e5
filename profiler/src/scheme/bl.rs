//! `bl`: acyclic paths, counted in an array or a hash table.
//!
//! `[BL96]` T. Ball, J. R. Larus, "Efficient Path Profiling", MICRO-29, 1996.

use std::sync::Arc;

use super::acyclic;
use super::counted::{Counted, Numbers, stream, table};
use super::function_plan::{Collected, Decoder, FunctionPlan, NotProfiled};
use super::results::PathRow;
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::{Setting, Settings};
use crate::counts::{PathCounts, TableKind};
use crate::graph::{Graph, Node};
use crate::number::ball_larus::Numbering;
use crate::plan::Markers;
use crate::settings::counts::ARRAY_MAX_PATHS;

/// Acyclic paths.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "bl",
    counts: "every acyclic path",
    k: None,
    no_k: "counts single paths; leave --k out, or write --scheme k-bl",
    takes: &[Setting::Table, Setting::ArrayLimit, Setting::PathLimit, Setting::Numbering],
    probes: Probes::Paths(plan),
    view: View::Paths,
};

fn plan(graph: Graph, settings: &Settings, frequency: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = Arc::new(acyclic::numbered(&graph, frequency));
    let paths = numbering.num_paths();
    if let Some(limit) = settings.path_limit.filter(|limit| paths > *limit) {
        return Err(NotProfiled::AbovePathLimit { paths, limit });
    }
    let stream = stream(paths, settings, ARRAY_MAX_PATHS);
    let decoder = Arc::new(Acyclic { numbering: Arc::clone(&numbering), table: table(stream) });
    Ok(acyclic::planned(graph, &numbering, frequency, (stream, Markers::Omit), decoder))
}

/// Reads ids of acyclic paths.
#[derive(Debug)]
pub(super) struct Acyclic {
    pub(super) numbering: Arc<Numbering>,
    pub(super) table: TableKind,
}

impl Decoder for Acyclic {
    fn collector(&self) -> Box<dyn Collected> {
        let counts = PathCounts::of_kind(self.table, self.numbering.num_paths());
        let numbering = Arc::clone(&self.numbering);
        Box::new(Counted::new(numbering, counts))
    }

    fn acyclic(&self) -> Option<&Numbering> {
        Some(&self.numbering)
    }
}

impl Numbers for Numbering {
    fn row(&self, graph: &Graph, id: u64, count: u64) -> PathRow {
        acyclic::row(graph, self, id, count)
    }

    fn prefix_row(&self, graph: &Graph, (block, _, id, count): (Node, u32, u64, u64)) -> PathRow {
        acyclic::prefix_row(graph, self, block, (id, count))
    }
}

//! `bl`: acyclic paths, counted in an array or a hash table.
//!
//! `[BL96]` T. Ball, J. R. Larus, "Efficient Path Profiling", MICRO-29, 1996.

use crate::settings::bl::ARRAY_MOST_PATHS;
use std::sync::Arc;

use super::acyclic;
use super::function_plan::{Collected, Decoder, FunctionPlan, NotProfiled, Stream};
use super::results::Results;
use super::row::{Frequency, Probes, Report, SchemeRow};
use super::settings::{Setting, Settings};
use crate::counts::{PathCounts, Size, TableKind};
use crate::graph::{Graph, Node};
use crate::machine::Sink;
use crate::number::ball_larus::Numbering;
use crate::plan::Markers;
use crate::settings::counts::ARRAY_MAX_PATHS;

/// Acyclic paths.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "bl",
    counts: "every acyclic path",
    k: None,
    no_k: "counts single paths; leave --k out, or write --scheme k-bl",
    takes: &[Setting::Table, Setting::Numbering],
    probes: Probes::Paths(plan),
    report: Report::Paths,
};

fn plan(graph: Graph, settings: &Settings, frequency: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = Arc::new(acyclic::numbered(&graph, frequency));
    let (stream, markers) = stream(numbering.num_paths(), settings.table);
    let decoder = Arc::new(Acyclic { numbering: Arc::clone(&numbering), table: table(stream) });
    Ok(acyclic::planned(graph, &numbering, frequency, (stream, markers), decoder))
}

/// Stream of a function with so many paths that are counted one by one.
pub(super) fn stream(num_paths: u64, table: Option<TableKind>) -> (Stream, Markers) {
    let array_up_to = match table {
        None => ARRAY_MAX_PATHS,
        Some(TableKind::Array) => ARRAY_MOST_PATHS,
        Some(TableKind::Hash) => 0,
    };
    if num_paths <= array_up_to { (Stream::Array(num_paths), Markers::Omit) } else { (Stream::Tally, Markers::Omit) }
}

/// Table of the collector of such a stream.
pub(super) fn table(stream: Stream) -> TableKind {
    if let Stream::Array(_) = stream { TableKind::Array } else { TableKind::Hash }
}

/// Reads ids of acyclic paths.
#[derive(Debug)]
struct Acyclic {
    numbering: Arc<Numbering>,
    table: TableKind,
}

impl Decoder for Acyclic {
    fn collector(&self) -> Box<dyn Collected> {
        let counts = PathCounts::of_kind(self.table, self.numbering.num_paths());
        Box::new(Counted { numbering: Arc::clone(&self.numbering), counts })
    }

    fn acyclic(&self) -> Option<&Numbering> {
        Some(&self.numbering)
    }
}

/// Counts of paths.
#[derive(Clone, Debug)]
struct Counted {
    numbering: Arc<Numbering>,
    counts: PathCounts,
}

impl Sink for Counted {
    fn path(&mut self, id: u64) {
        self.counts.path(id);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.counts.prefix(block, id);
    }

    fn counted(&mut self, id: u64, count: u64) {
        self.counts.paths.add(id, count);
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
        Results {
            paths: acyclic::rows(graph, &self.numbering, &self.counts),
            prefixes: acyclic::prefix_rows(graph, &self.numbering, &self.counts),
            table: Some(self.counts.paths.kind()),
            ..Results::default()
        }
    }
}

//! Paths that are counted one by one, by number.
//!
//! In: how many paths there are, and numbers as they are reported. Out: the [`Stream`] and the table for so many, and [`Counted`], which a numbering
//! reads back. Invariant: a number that a plan reports is one of its numbering, or skipped by it.

use std::fmt::Debug;
use std::sync::Arc;

use super::function_plan::{Collected, Stream};
use super::results::{PathRow, Results};
use super::settings::Settings;
use crate::counts::{PathCounts, Size, TableKind};
use crate::graph::{Graph, Node};
use crate::machine::Sink;
use crate::settings::bl::ARRAY_MOST_PATHS;

/// Stream of a function with so many paths that are counted one by one; those of up to `usually` have an array unless the settings differ.
pub(super) fn stream(num_paths: u64, settings: &Settings, usually: u64) -> Stream {
    let array_up_to = match settings.table {
        None => settings.array_limit.unwrap_or(usually).min(ARRAY_MOST_PATHS),
        Some(TableKind::Array) => ARRAY_MOST_PATHS,
        Some(TableKind::Hash) => 0,
    };
    if num_paths <= array_up_to { Stream::Array(num_paths) } else { Stream::Table }
}

/// Table of the collector of such a stream.
pub(super) fn table(stream: Stream) -> TableKind {
    if let Stream::Array(_) = stream { TableKind::Array } else { TableKind::Hash }
}

/// Reads numbers of paths.
pub(super) trait Numbers: Debug + Send + Sync {
    /// Returns true if a number is reported where there is nothing to report.
    fn is_skipped(&self, _id: u64) -> bool {
        false
    }

    /// A complete path.
    fn row(&self, graph: &Graph, id: u64, count: u64) -> PathRow;

    /// A path that a failure cut short in a block, in an iteration of the loop around.
    fn prefix_row(&self, graph: &Graph, prefix: (Node, u32, u64, u64)) -> PathRow;
}

/// Counts of paths with their numbering.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    numbering: Arc<dyn Numbers>,
    counts: PathCounts,
}

impl Counted {
    /// Nothing yet.
    pub(super) fn new(numbering: Arc<dyn Numbers>, counts: PathCounts) -> Counted {
        Counted { numbering, counts }
    }
}

impl Sink for Counted {
    fn path(&mut self, id: u64) {
        self.counted(id, 1);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.counts.prefix(block, id);
    }

    fn prefix_at(&mut self, block: Node, iteration: u32, id: u64) {
        self.counts.prefix_at(block, iteration, id);
    }

    fn counted(&mut self, id: u64, count: u64) {
        if !self.numbering.is_skipped(id) {
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
        let (taken, prefixes) = (self.counts.paths.taken().into_iter(), self.counts.prefixes().into_iter());
        Results {
            paths: taken.map(|(id, count)| self.numbering.row(graph, id, count)).collect(),
            prefixes: prefixes.map(|prefix| self.numbering.prefix_row(graph, prefix)).collect(),
            table: Some(self.counts.paths.kind()),
            ..Results::default()
        }
    }
}

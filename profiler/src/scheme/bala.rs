//! `bala`: start block and branch bits, the baseline that TFP is measured against.
//!
//! V. Bala, "Low Overhead Path Profiling", Hewlett-Packard Laboratories, 1996.

use std::sync::Arc;

use super::function_plan::{Collected, Decoder, Framing, FunctionPlan, NotProfiled, Stream};
use super::results::{PathId, PathRow, Results};
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::Settings;
use crate::counts::Size;
use crate::graph::{EdgeId, Graph, Node};
use crate::machine::Sink;
use crate::number::bala::{BranchCounts, BranchHistories};
use crate::plan::Markers;

/// Branch histories.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "bala",
    counts: "every acyclic path, by its start block and branch bits",
    k: None,
    no_k: "counts single paths; leave --k out",
    takes: &[],
    probes: Probes::Paths(plan),
    view: View::Paths,
};

fn plan(graph: Graph, _: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let histories = Arc::new(BranchHistories::new(&graph));
    let plan = Arc::new(histories.plan(&graph, Markers::Omit));
    let stream = Stream::Events(Framing::Lone);
    Ok(FunctionPlan { graph, plan, stream, decoder: Arc::new(Bits(histories)) })
}

/// Reads branch histories.
#[derive(Debug)]
struct Bits(Arc<BranchHistories>);

impl Decoder for Bits {
    fn collector(&self) -> Box<dyn Collected> {
        Box::new(Histories { histories: Arc::clone(&self.0), counts: BranchCounts::default() })
    }

    fn truncated(&self) -> &[EdgeId] {
        self.0.dag().truncated()
    }

    fn is_cut(&self, _: &Graph, edge: EdgeId) -> bool {
        self.0.dag().is_cut(edge)
    }
}

/// Counts of histories.
#[derive(Clone, Debug)]
struct Histories {
    histories: Arc<BranchHistories>,
    counts: BranchCounts,
}

impl Histories {
    fn row(&self, graph: &Graph, failed_in: Option<Node>, (start, history, count): (Node, u64, u64)) -> PathRow {
        let path = match failed_in {
            None => self.histories.path_of(graph, start, history),
            Some(block) => self.histories.prefix_of(graph, block, start, history),
        };
        PathRow::new(PathId::History { start, history }, path.expect("a plan reports its own histories"), count)
    }
}

impl Sink for Histories {
    fn branches(&mut self, start: Node, history: u64) {
        self.counts.branches(start, history);
    }

    fn counted_branches(&mut self, start: Node, history: u64, count: u64) {
        self.counts.counted_branches(start, history, count);
    }

    fn prefix_at(&mut self, block: Node, start: u32, history: u64) {
        self.counts.prefix_at(block, start, history);
    }
}

impl Collected for Histories {
    fn is_empty(&self) -> bool {
        self.counts.paths().is_empty() && self.counts.prefixes().is_empty()
    }

    fn size(&self) -> Size {
        let entries = (self.counts.paths().len() + self.counts.prefixes().len()) as u64;
        // Start, history and count.
        Size { entries, bytes: 3 * 8 * entries }
    }

    fn results(&self, graph: &Graph) -> Results {
        let paths = self.counts.paths().into_iter().map(|found| self.row(graph, None, found));
        let prefixes = self.counts.prefixes().into_iter();
        let prefixes = prefixes.map(|(block, start, h, n)| self.row(graph, Some(block), (start, h, n)));
        Results { paths: paths.collect(), prefixes: prefixes.collect(), ..Results::default() }
    }
}

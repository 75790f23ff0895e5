//! A window: what the adaptive system looks at before it specializes loops, which is `k-bl` and `tfp` over one numbering.
//!
//! In: a graph with its edge counts, and [`WindowBounds`]. Out: a [`FunctionPlan`] like any scheme's, whose collector is full at some
//! time. Its results are the sequences of paths that are not rare, and regions.
//!
//! The seam for another form of reports is that of every scheme: the [`Stream`] that is chosen here says which probe is written (where
//! streams become probes of compiled code), and the [`Sink`] of [`Gathered`] is what reads it. Whoever watches knows neither.
//! The program waits while reports are read, so that ids are only kept; they are joined when results are asked for.
//! Invariant: memory is bounded, however long the window is open.

use std::sync::Arc;

use super::acyclic;
use super::function_plan::{Collected, Decoder, Framing, FunctionPlan, NotProfiled, Stream};
use super::k_bl::Joined;
use super::results::Results;
use super::row::Frequency;
use super::sequences::Forest;
use super::tfp::{self, Windows};
use crate::counts::{PathCounts, Size};
use crate::forest::SlabForest;
use crate::forest::first::{FirstForest, FirstIds};
use crate::forest::ipf::PathForest;
use crate::graph::{Graph, Node};
use crate::machine::Sink;
use crate::number::ball_larus::Numbering;
use crate::persistence::{Ending, Keep, Persistence, Regions};
use crate::plan::{BitRegister, Markers};
use crate::settings::window::LEAST_COUNT;

/// Bounds of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowBounds {
    /// K of persistence.
    pub k: u64,
    /// The window is full when the loop that runs most has run so often, in all parts together.
    pub executions: u64,
    /// Parts that it has, which another begins.
    pub parts: u64,
    /// Paths in a sequence.
    pub sequence: u32,
    /// Ids that are joined to sequences, the first ones of each part.
    pub ids: u64,
}

/// Plans a function for a window.
pub fn plan_window(graph: Graph, frequency: &Frequency, bounds: WindowBounds) -> Result<FunctionPlan, NotProfiled> {
    let regions = tfp::regions(&graph)?;
    let numbering = Arc::new(acyclic::numbered(&graph, Some(frequency)));
    let decoder = Arc::new(Windowed { numbering: Arc::clone(&numbering), regions: regions.clone(), bounds });
    let reports = (Stream::Events(Framing::Activations(None)), Markers::Emit);
    let mut planned = acyclic::planned(graph, &numbering, Some(frequency), reports, decoder);
    regions.instrument(&planned.graph, Arc::make_mut(&mut planned.plan));
    Ok(planned)
}

/// Reads ids of acyclic paths, and bits of regions.
#[derive(Debug)]
struct Windowed {
    numbering: Arc<Numbering>,
    regions: Regions,
    bounds: WindowBounds,
}

impl Decoder for Windowed {
    fn collector(&self) -> Box<dyn Collected> {
        let bounds = self.bounds;
        let persistence = Persistence::keeping(Keep::Last, self.regions.clone(), bounds.k, Ending::Early);
        Box::new(Gathered {
            numbering: Arc::clone(&self.numbering),
            paths: FirstIds::new(bounds.ids),
            prefixes: PathCounts::new(0),
            regions: Windows(persistence),
            parts: 1,
            before: 0,
            bounds,
        })
    }

    fn acyclic(&self) -> Option<&Numbering> {
        Some(&self.numbering)
    }
}

/// Everything reported in a window.
#[derive(Clone, Debug)]
struct Gathered {
    numbering: Arc<Numbering>,
    paths: FirstIds,
    prefixes: PathCounts,
    regions: Windows,
    /// Parts that were begun, and executions of the loop that runs most before the present one.
    parts: u64,
    before: u64,
    bounds: WindowBounds,
}

impl Gathered {
    /// Executions of the loop that runs most; none if there is no loop.
    fn executions(&self) -> Option<u64> {
        let Windows(persistence) = &self.regions;
        let loops = persistence.regions().iter().filter(|(_, region)| region.around.is_some());
        loops.map(|(register, _)| persistence.executions(register)).max()
    }

    /// The ids in a forest.
    fn first(&self) -> FirstForest {
        self.paths.forest(SlabForest::new(self.bounds.sequence, self.numbering.num_paths()))
    }
}

impl Sink for Gathered {
    fn path(&mut self, id: u64) {
        self.paths.path(id);
    }

    fn paths(&mut self, ids: &[u64]) {
        self.paths.paths(ids);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.prefixes.prefix(block, id);
        self.paths.prefix(block, id);
    }

    fn enter(&mut self) {
        self.paths.enter();
    }

    fn leave(&mut self) {
        self.paths.leave();
    }

    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.regions.fold(register, bits);
    }

    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        self.regions.folds(register, bits, count);
    }
}

impl Collected for Gathered {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.prefixes.is_empty() && self.regions.is_empty()
    }

    /// Returns true if the hottest loop was seen often enough. A path that is persistent for a while does not end the window: others
    /// may come after it, and iterations alike cost little.
    fn is_full(&self) -> bool {
        self.parts >= self.bounds.parts && self.is_part_full()
    }

    fn is_part_full(&self) -> bool {
        self.executions()
            .is_none_or(|executions| executions - self.before >= self.bounds.executions / self.bounds.parts)
    }

    fn next_part(&mut self) {
        if self.parts < self.bounds.parts && self.is_part_full() {
            self.parts += 1;
            self.before = self.executions().unwrap_or(0);
            self.paths.next_part();
            let Windows(persistence) = &mut self.regions;
            persistence.interrupt();
        }
    }

    fn size(&self) -> Size {
        let paths = Size { entries: self.paths.len() as u64, bytes: self.paths.bytes() as u64 };
        let parts = [paths, self.prefixes.size(), self.regions.size()];
        parts.into_iter().fold(Size::default(), |sum, part| Size {
            entries: sum.entries + part.entries,
            bytes: sum.bytes + part.bytes,
        })
    }

    fn results(&self, graph: &Graph) -> Results {
        let forest = self.first();
        let frequent = PathForest::frequent(&forest.forest, LEAST_COUNT);
        let joined = Joined::of(Arc::clone(&self.numbering), self.prefixes.clone(), Forest::First(forest));
        Results { regions: self.regions.results(graph).regions, ..joined.results_with(graph, frequent) }
    }
}

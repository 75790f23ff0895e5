//! `k-bl`: concatenations of up to k acyclic paths, in a k-slab forest.
//!
//! `[DD13]` D. C. D'Elia, C. Demetrescu, "Ball-Larus Path Profiling Across Multiple Loop Iterations", OOPSLA 2013.

use std::sync::Arc;

use super::acyclic;
use super::counted;
use super::function_plan::{Collected, Decoder, Framing, FunctionPlan, NotProfiled, Stream};
use super::results::Results;
use super::row::{Frequency, Probes, SchemeRow, View};
use super::sequences::{Forest, Sequences};
use super::settings::{Gap, KRange, Setting, Settings};
use crate::counts::{PathCounts, Size};
use crate::event::encode::MOST_LONE_PATHS;
use crate::forest::SlabForest;
use crate::forest::ipf::PathForest;
use crate::forest::sample::SampledForest;
use crate::forest::suffix::SuffixForest;
use crate::graph::{Graph, Node};
use crate::machine::Sink;
use crate::number::ball_larus::Numbering;
use crate::plan::Markers;
use crate::settings::counts::ARRAY_MAX_PATHS;

/// Sequences of acyclic paths.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "k-bl",
    counts: "every concatenation of up to K acyclic paths",
    // The paper's figures begin to show loops of more than one iteration at 4. At 1024 a slab is below, and a forest's levels stay few
    // enough to print.
    k: Some(KRange { means: "paths in a sequence", default: 4, most: 1024 }),
    no_k: "",
    takes: &[Setting::ForestLimit, Setting::Sample, Setting::Numbering],
    probes: Probes::Paths(plan),
    view: View::Sequences,
};

fn plan(graph: Graph, settings: &Settings, frequency: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let numbering = Arc::new(acyclic::numbered(&graph, frequency));
    let stream = stream(&graph, &numbering, settings);
    let decoder = Arc::new(Joining { numbering: Arc::clone(&numbering), settings: *settings, stream });
    Ok(acyclic::planned(graph, &numbering, frequency, (stream, Markers::Emit), decoder))
}

fn stream(graph: &Graph, numbering: &Numbering, settings: &Settings) -> Stream {
    let num_paths = numbering.num_paths();
    let cut = graph.nodes().any(|node| numbering.dag().ends_paths(node));
    let one_path_each = numbering.dag().restarts().is_empty() && num_paths <= MOST_LONE_PATHS && !cut;
    let on_request = settings.sample.is_some_and(|sampling| sampling.gap == Gap::Ticks);
    match (settings.forest_limit, settings.sample) {
        // Code that takes no burst has no probes, so nothing is counted whole.
        (_, Some(_)) if on_request => Stream::Bursts(settings.k as u32),
        // Only a part of the sequences is kept, which the consumer of the stream chooses.
        (Some(_), _) if one_path_each => Stream::Events(Framing::Lone),
        (Some(_), _) => Stream::Events(Framing::Activations(None)),
        // To count all costs no more than to count down, so they are counted with a sample, too.
        (None, _) if one_path_each && num_paths <= ARRAY_MAX_PATHS => Stream::Array(num_paths),
        (None, Some(_)) => Stream::Bursts(settings.k as u32),
        // Sequences of one path are paths.
        (None, None) if settings.k == 1 => counted::stream(num_paths, settings, ARRAY_MAX_PATHS),
        (None, None) => Stream::Steps(settings.k as u32),
    }
}

/// Reads sequences of acyclic paths.
#[derive(Debug)]
struct Joining {
    numbering: Arc<Numbering>,
    settings: Settings,
    stream: Stream,
}

impl Joining {
    fn empty(&self) -> SlabForest {
        let forest = SlabForest::new(self.settings.k as u32, self.numbering.num_paths());
        match self.settings.forest_limit {
            None => forest,
            Some(limit) => forest.with_limit(limit),
        }
    }
}

impl Decoder for Joining {
    fn collector(&self) -> Box<dyn Collected> {
        let forest = self.sample().map_or_else(|| Forest::Whole(self.empty()), Forest::Sampled);
        Box::new(Joined::new(Arc::clone(&self.numbering), forest))
    }

    fn sample(&self) -> Option<SampledForest> {
        let sampling = self.settings.sample?;
        Some(match (self.stream, sampling.gap) {
            (Stream::Array(_), _) => SampledForest::whole(self.empty()),
            (_, Gap::Ids(gap)) => SampledForest::new(self.empty(), sampling.burst.get(), gap.get()),
            (_, Gap::Ticks) => SampledForest::on_request(self.empty(), sampling.burst.get()),
        })
    }

    fn acyclic(&self) -> Option<&Numbering> {
        Some(&self.numbering)
    }
}

/// Sequences of paths as reported, and the prefixes that are in none.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    numbering: Arc<Numbering>,
    prefixes: PathCounts,
    forest: Forest,
}

impl Joined {
    /// Nothing yet, of paths with this numbering.
    pub(super) fn new(numbering: Arc<Numbering>, forest: Forest) -> Joined {
        Joined { numbering, prefixes: PathCounts::new(0), forest }
    }

    /// Joins parts that were collected apart.
    pub(super) fn of(numbering: Arc<Numbering>, prefixes: PathCounts, forest: Forest) -> Joined {
        Joined { numbering, prefixes, forest }
    }

    /// Results with a k-IPF, or a part of one.
    pub(super) fn results_with(self, graph: &Graph, k_ipf: PathForest) -> Results {
        let trie = k_ipf.trie();
        let single = trie.roots().into_iter().map(|root| (trie.label(root), trie.count(root)));
        let paths = single.map(|(id, count)| acyclic::row(graph, &self.numbering, id, count)).collect();
        let prefixes = self.prefixes.prefixes().into_iter();
        let prefix =
            |(block, _, id, count): (Node, _, _, _)| acyclic::prefix_row(graph, &self.numbering, block, (id, count));
        Results {
            paths,
            prefixes: prefixes.map(prefix).collect(),
            sequences: Some(Box::new(Sequences { forest: self.forest, k_ipf })),
            ..Results::default()
        }
    }
}

impl Sink for Joined {
    fn path(&mut self, id: u64) {
        self.forest.sink().path(id);
    }

    fn paths(&mut self, ids: &[u64]) {
        self.forest.sink().paths(ids);
    }

    fn prefix(&mut self, block: Node, id: u64) {
        self.prefixes.prefix(block, id);
        self.forest.sink().prefix(block, id);
    }

    fn enter(&mut self) {
        self.forest.sink().enter();
    }

    fn leave(&mut self) {
        self.forest.sink().leave();
    }

    fn counted(&mut self, id: u64, count: u64) {
        // Each path is an activation of its own.
        match &mut self.forest {
            Forest::Whole(forest) => forest.count_roots(id, count),
            Forest::Sampled(sampled) => sampled.counted(id, count),
            Forest::Steps(_) | Forest::First(_) => {}
        }
    }
}

impl Collected for Joined {
    fn is_empty(&self) -> bool {
        self.forest.size().entries == 0 && self.prefixes.is_empty()
    }

    fn stepped(&mut self, forest: SuffixForest) {
        self.forest = Forest::Steps(forest);
    }

    fn sampled(&mut self, sample: SampledForest) {
        self.forest = Forest::Sampled(sample);
    }

    fn size(&self) -> Size {
        let (nodes, prefixes) = (self.forest.size(), self.prefixes.size());
        Size { entries: nodes.entries + prefixes.entries, bytes: nodes.bytes + prefixes.bytes }
    }

    fn results(&self, graph: &Graph) -> Results {
        self.clone().results_with(graph, self.forest.path_forest())
    }
}

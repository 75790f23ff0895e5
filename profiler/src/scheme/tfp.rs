//! `tfp`: the K-persistent flow properties of each loop, and of the function.
//!
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-Sensitive, Flow-Specific Profiling at Runtime", LCPC 2003.

use std::sync::Arc;

use super::function_plan::{Collected, Decoder, Framing, FunctionPlan, NotProfiled, Stream};
use super::results::Results;
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::{FrequencyCounting, KRange, Setting, Settings};
use crate::counts::Size;
use crate::event::encode::{MOST_REGISTER_WORDS, MOST_REGISTERS};
use crate::graph::Graph;
use crate::machine::Sink;
use crate::persistence::{Ending, Persistence, Regions, Runs};
use crate::plan::BitRegister;

/// Persistent flow.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "tfp",
    counts: "the persistent flow of loops, over windows of K executions",
    // Chosen, not measured.
    k: Some(KRange { means: "executions of a window", default: 8, most: u64::MAX }),
    no_k: "",
    takes: &[Setting::Frequencies],
    probes: Probes::Paths(plan),
    view: View::Regions,
};

fn plan(graph: Graph, settings: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let regions = regions(&graph)?;
    let plan = Arc::new(regions.plan(&graph));
    let decoder = Arc::new(Bits { graph: graph.clone(), regions, settings: *settings });
    Ok(FunctionPlan { graph, plan, stream: Stream::Events(Framing::Lone), decoder })
}

/// The regions of a graph, if the stream of events can name them all.
pub(super) fn regions(graph: &Graph) -> Result<Regions, NotProfiled> {
    let regions = Regions::new(graph).map_err(NotProfiled::Irreducible)?;
    let fits = |words: u32| u64::from(words) < MOST_REGISTER_WORDS;
    let count = regions.iter().count() as u64;
    if count > MOST_REGISTERS || !regions.iter().all(|(register, _)| fits(regions.words(register))) {
        let blocks = 64 * (MOST_REGISTER_WORDS - 1);
        return Err(NotProfiled::TooManyRegions { loops: MOST_REGISTERS, blocks });
    }
    Ok(regions)
}

/// Reads bits of regions.
#[derive(Debug)]
struct Bits {
    graph: Graph,
    regions: Regions,
    settings: Settings,
}

impl Decoder for Bits {
    fn collector(&self) -> Box<dyn Collected> {
        let settings = &self.settings;
        let mut persistence = Persistence::keeping(settings.windows, self.regions.clone(), settings.k, Ending::Fixed);
        persistence.monitor_all(&self.graph);
        match settings.frequencies {
            FrequencyCounting::Off => {}
            FrequencyCounting::Exact => persistence.count_paths(),
        }
        Box::new(Windows(persistence))
    }

    fn regions(&self) -> Option<(&Regions, u64)> {
        Some((&self.regions, self.settings.k))
    }
}

/// The windows of each region.
#[derive(Clone, Debug)]
pub(super) struct Windows(pub(super) Persistence);

impl Sink for Windows {
    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.0.fold(register, bits);
    }

    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        self.0.folds(register, bits, count);
    }
}

impl Collected for Windows {
    fn folded(&mut self, register: BitRegister, runs: &Runs) {
        self.0.resume(register, runs);
    }

    fn is_empty(&self) -> bool {
        self.0.regions().iter().all(|(register, _)| self.0.executions(register) == 0)
    }

    fn size(&self) -> Size {
        let sizes = self.0.regions().iter().map(|(register, _)| {
            let words = u64::from(self.0.regions().words(register));
            let paths = self.0.frequencies(register).map_or(0, |frequencies| frequencies.len() as u64);
            // AND, OR and the present execution of the region; bits and count of each path.
            Size { entries: 1 + paths, bytes: 8 * (3 * words + (words + 1) * paths) }
        });
        sizes.fold(Size::default(), |sum, of| Size { entries: sum.entries + of.entries, bytes: sum.bytes + of.bytes })
    }

    fn results(&self, _: &Graph) -> Results {
        Results { regions: Some(Box::new(self.0.clone())), ..Results::default() }
    }
}

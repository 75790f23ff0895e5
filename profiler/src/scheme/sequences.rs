//! Sequences of paths as they were collected.
//!
//! In: forests of all ids, or of a part. Out: [`Sequences`]. Invariant: counts are exact where [`Forest::is_exact`] says so.

use crate::counts::Size;
use crate::forest::SlabForest;
use crate::forest::first::FirstForest;
use crate::forest::ipf::PathForest;
use crate::forest::sample::SampledForest;
use crate::forest::suffix::SuffixForest;
use crate::machine::Sink;

/// A forest of all that was reported, or of a part.
#[derive(Clone, Debug)]
pub enum Forest {
    /// Of all.
    Whole(SlabForest),
    /// Of all, counted step by step.
    Steps(SuffixForest),
    /// Of bursts.
    Sampled(SampledForest),
    /// Of the first ids.
    First(FirstForest),
}

/// Every sequence that was taken.
#[derive(Clone, Debug)]
pub struct Sequences {
    /// As collected.
    pub forest: Forest,
    /// By length.
    pub k_ipf: PathForest,
}

impl Forest {
    /// The slab forest, unless steps were counted.
    pub fn slabs(&self) -> Option<&SlabForest> {
        self.map(Some, |_| None)
    }

    /// The slab forest that had to do with a part of all ids, or that a limit bounds; the same in every tier.
    pub fn bounded(&self) -> Option<&SlabForest> {
        self.slabs().filter(|slabs| !matches!(self, Forest::Whole(_)) || slabs.limit().is_some())
    }

    /// The number of ids that were not counted.
    pub fn lost(&self) -> u64 {
        self.map(SlabForest::lost, SuffixForest::lost)
    }

    /// Every sequence with its count.
    pub(super) fn path_forest(&self) -> PathForest {
        self.map(PathForest::of, SuffixForest::path_forest)
    }

    /// Nodes and bytes.
    pub(super) fn size(&self) -> Size {
        let of = |nodes: usize, bytes: usize| Size { entries: nodes as u64, bytes: bytes as u64 };
        self.map(|slabs| of(slabs.node_count(), slabs.bytes()), |steps| of(steps.node_count(), steps.bytes()))
    }

    /// The answer of the forest, of whichever kind it is.
    fn map<'a, T>(&'a self, slabs: impl FnOnce(&'a SlabForest) -> T, steps: impl FnOnce(&'a SuffixForest) -> T) -> T {
        match self {
            Forest::Whole(forest) => slabs(forest),
            Forest::Sampled(sampled) => slabs(sampled.forest()),
            Forest::First(first) => slabs(&first.forest),
            Forest::Steps(forest) => steps(forest),
        }
    }

    /// Returns true if every sequence has its exact count.
    pub fn is_exact(&self) -> bool {
        let complete = match self {
            Forest::Whole(_) | Forest::Steps(_) => true,
            Forest::Sampled(sampled) => sampled.out_of() == Some(sampled.recorded()),
            Forest::First(first) => first.ids.is_complete(),
        };
        complete && self.lost() == 0
    }

    /// The ids of each activation, as far as they were kept.
    pub fn streams(&self) -> Vec<Vec<u64>> {
        match self {
            Forest::Whole(_) | Forest::Steps(_) | Forest::Sampled(_) => Vec::new(),
            Forest::First(first) => first.ids.streams(),
        }
    }

    pub(super) fn sink(&mut self) -> &mut dyn Sink {
        match self {
            Forest::Whole(forest) => forest,
            Forest::Sampled(forest) => forest,
            Forest::First(first) => &mut first.forest,
            Forest::Steps(_) => unreachable!("steps are counted, and reported at once"),
        }
    }
}

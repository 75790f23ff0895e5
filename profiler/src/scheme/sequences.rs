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
        match self {
            Forest::Whole(forest) => Some(forest),
            Forest::Sampled(sampled) => Some(sampled.forest()),
            Forest::First(first) => Some(&first.forest),
            Forest::Steps(_) => None,
        }
    }

    /// The slab forest that had to do with a part of all ids, or that a limit bounds; the same in every tier.
    pub fn bounded(&self) -> Option<&SlabForest> {
        self.slabs().filter(|slabs| !matches!(self, Forest::Whole(_)) || slabs.limit().is_some())
    }

    /// The number of ids that were not counted.
    pub fn lost(&self) -> u64 {
        match self {
            Forest::Whole(forest) => forest.lost(),
            Forest::Sampled(sampled) => sampled.forest().lost(),
            Forest::First(first) => first.forest.lost(),
            Forest::Steps(steps) => steps.lost(),
        }
    }

    /// Every sequence with its count.
    pub(super) fn path_forest(&self) -> PathForest {
        match self {
            Forest::Whole(forest) => PathForest::of(forest),
            Forest::Sampled(sampled) => PathForest::of(sampled.forest()),
            Forest::First(first) => PathForest::of(&first.forest),
            Forest::Steps(steps) => steps.path_forest(),
        }
    }

    /// Nodes and bytes.
    pub(super) fn size(&self) -> Size {
        let (entries, bytes) = match (self, self.slabs()) {
            (Forest::Steps(steps), _) => (steps.node_count(), steps.bytes()),
            (_, slabs) => slabs.map_or((0, 0), |slabs| (slabs.node_count(), slabs.bytes())),
        };
        Size { entries: entries as u64, bytes: bytes as u64 }
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

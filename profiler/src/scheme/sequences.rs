//! Sequences of paths as they were collected.
//!
//! In: forests of all ids, or of a part. Out: [`Sequences`]. Invariant: counts are exact where [`Forest::is_exact`] says so.

use crate::forest::SlabForest;
use crate::forest::first::FirstForest;
use crate::forest::ipf::PathForest;
use crate::forest::sample::SampledForest;
use crate::machine::Sink;

/// A forest of all that was reported, or of a part.
#[derive(Clone, Debug)]
pub enum Forest {
    /// Of all.
    Whole(SlabForest),
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
    /// Number of operations on a hash table that counting took, where code counted slabs itself.
    pub operations: Option<u64>,
}

impl Forest {
    /// The forest itself.
    pub fn slabs(&self) -> &SlabForest {
        match self {
            Forest::Whole(forest) => forest,
            Forest::Sampled(sampled) => sampled.forest(),
            Forest::First(first) => &first.forest,
        }
    }

    /// Returns true if every sequence has its exact count.
    pub fn is_exact(&self) -> bool {
        let complete = match self {
            Forest::Whole(_) => true,
            Forest::Sampled(sampled) => sampled.out_of() == Some(sampled.recorded()),
            Forest::First(first) => first.ids.is_complete(),
        };
        complete && self.slabs().lost() == 0
    }

    /// The ids of each activation, as far as they were kept.
    pub fn streams(&self) -> Vec<Vec<u64>> {
        match self {
            Forest::Whole(_) | Forest::Sampled(_) => Vec::new(),
            Forest::First(first) => first.ids.streams(),
        }
    }

    pub(super) fn sink(&mut self) -> &mut dyn Sink {
        match self {
            Forest::Whole(forest) => forest,
            Forest::Sampled(forest) => forest,
            Forest::First(first) => &mut first.forest,
        }
    }
}

//! Findings of a profile in one loop.
//!
//! In: made where a profile is looked through. Out: the event, and a part of the loop's episode. Invariant: figures are of
//! one window.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Proposal, Reason};

/// Of `persistent`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Persistent {
    /// Iterations that were seen.
    pub iterations: u64,
    /// K, if a path was K-persistent.
    pub k: Option<u64>,
    /// Number of consecutive executions that took the path.
    pub executions: Option<u64>,
    /// The lines of the path or sequence.
    pub lines: Vec<u32>,
    /// Lines that were never passed.
    pub untaken: Vec<u32>,
    /// The path ids of the sequence that repeats.
    pub ids: Vec<String>,
    /// After how many paths the sequence repeats.
    pub period: Option<u32>,
    /// Iterations of the usual way through the loop, from where it is entered to where it is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<u32>,
    /// Sequences that the loop repeats in turn, or usual ways, if it is several. The lines and ids are those of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Further ones with which its traces would be too large, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_large: Option<u32>,
    /// Further ones with which its traces would be too many, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_many: Option<u32>,
    /// The part of iterations that match one of the sequences, or stay on such ways.
    pub coverage: Option<f64>,
    /// Reason for which the loop is not specialized; `None` if it may be.
    #[serde(flatten, with = "super::words::declined")]
    pub declined: Option<Reason>,
    /// The best specialization of it, if it may be. Files do not have it.
    #[serde(skip)]
    pub proposal: Option<Arc<Proposal>>,
}

impl Persistent {
    /// True iff something was found in the loop.
    pub fn shows_something(&self) -> bool {
        let no_room = self.too_large.is_some() || self.too_many.is_some();
        self.k.is_some() || self.coverage.is_some() || !self.untaken.is_empty() || no_room
    }
}

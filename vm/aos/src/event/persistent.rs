//! Findings of a profile in one loop, by the figures of one window.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Proposal, Reason};

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Persistent {
    pub iterations: u64,
    pub k: Option<u64>,
    pub executions: Option<u64>,
    pub lines: Vec<u32>,
    pub untaken: Vec<u32>,
    pub ids: Vec<String>,
    pub period: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_large: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_many: Option<u32>,
    pub coverage: Option<f64>,
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

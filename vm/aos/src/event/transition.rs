//! Transitions: what became of a function, from phase to phase, and of the loops that were profiled. Invariants: the
//! phases of a function follow each other without a gap; what is known of an episode is in each transition about it,
//! whole.

use serde::{Deserialize, Serialize};

use super::{Candidate, Dropped, Gain, Inlined, Kind, Persistent, Subject, TraceFormed};
pub use crate::phase::PhaseKind;
use crate::{Micros, Reason};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Transition {
    pub from: PhaseKind,
    pub to: PhaseKind,
    pub since: Micros,
    pub generation: u32,
    pub code: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_generation: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_code: Option<Kind>,
    #[serde(flatten, with = "super::words::reason")]
    pub reason: Reason,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Episode>,
}

/// An episode of a loop: a profile of it, and what became of that.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Episode {
    pub profile: u32,
    pub began: Micros,
    pub loop_line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<Inlined>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Persistent>,
    #[serde(flatten, with = "super::words::declined")]
    pub declined: Option<Reason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_until: Option<Micros>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<TraceFormed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Dropped>,
}

impl Episode {
    /// The loop, as the subject of an event about its function.
    pub fn subject(&self, of: &Subject) -> Subject {
        Subject { loop_line: Some(self.loop_line), callee: self.callee.clone(), ..of.clone() }
    }
}

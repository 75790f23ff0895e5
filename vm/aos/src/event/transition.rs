//! Transitions: the record of what became of a function, from phase to phase.
//!
//! In: made by the controller where a phase changes, and by replay from advice. Out: the one record that story, events,
//! REPL and report render. Invariants: the phases of a function follow each other without a gap, as each transition says
//! when the phase began that it ends; what is known of an episode of a loop is in each transition about it, whole.

use serde::{Deserialize, Serialize};

use super::{Candidate, Dropped, Gain, Inlined, Kind, Persistent, Subject, TraceFormed};
pub use crate::phase::PhaseKind;
use crate::{Micros, Reason};

/// Of `transition`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Transition {
    /// The phase that ends.
    pub from: PhaseKind,
    /// The phase that begins. The same if only what it holds has changed.
    pub to: PhaseKind,
    /// When the phase began that ends.
    pub since: Micros,
    /// The generation of the code in use: versions of one are the same code with different entries.
    pub generation: u32,
    /// The kind of that code.
    pub code: Kind,
    /// The generation of the code that is compiled to replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_generation: Option<u32>,
    /// The kind of the code that is compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_code: Option<Kind>,
    /// Why.
    #[serde(flatten, with = "super::words::reason")]
    pub reason: Reason,
    /// The choices of the decision that led to it, if one did, with their figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// The loops that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Episode>,
}

/// An episode of a loop: a profile of it, and what became of that.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Episode {
    /// The number of the profile in the run: with the loop, the name of the episode.
    pub profile: u32,
    /// When the profile was looked through.
    pub began: Micros,
    /// The line of the loop.
    pub loop_line: u32,
    /// The inlined function that it is one of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<Inlined>,
    /// Findings of the profile in it, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Persistent>,
    /// Why nothing was made of it.
    #[serde(flatten, with = "super::words::declined")]
    pub declined: Option<Reason>,
    /// It is not profiled again before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_until: Option<Micros>,
    /// The traces that were formed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<TraceFormed>,
    /// Their gain, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// The part of iterations that failed a guard, as it was told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<f64>,
    /// The end of them, if they were a mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Dropped>,
}

impl Episode {
    /// The loop, as the subject of an event about its function.
    pub fn subject(&self, of: &Subject) -> Subject {
        Subject { loop_line: Some(self.loop_line), callee: self.callee.clone(), ..of.clone() }
    }
}

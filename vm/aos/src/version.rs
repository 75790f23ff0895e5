//! The versions of a function, and the fate of each. Invariant: a record is never removed, so that a run can be told to
//! its end.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use holloway_ir::Block;
use holloway_jit::{Leaving, VersionId};
use serde::{Deserialize, Serialize};

use crate::event::{DropReason, Dropped, Kind};
use crate::{CompilationId, Entry, LoopGuards, Micros};

/// Groups versions that are the same code entered at different places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generation(pub u32);

/// One version of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct VersionRecord {
    pub id: VersionId,
    pub kind: Kind,
    pub entry: Entry,
    /// The code it is one of.
    pub generation: Generation,
    /// The compilation; `None` of what was there first.
    pub compilation: Option<CompilationId>,
    /// When it was installed last.
    pub installed: Micros,
    pub compile: Micros,
    pub code_bytes: u64,
    pub ticks: u64,
    /// The time they stand for, in microseconds.
    pub time: f64,
    /// Iterations begun on its traces.
    pub iterations: u64,
    /// Number of them that failed.
    pub failures: u64,
    /// Time that its calls took which its profile kept it from inlining, in microseconds.
    pub lost: f64,
    /// Activations that came to it by on-stack replacement.
    pub arrivals: u64,
    /// The time that these took, in nanoseconds.
    pub arriving: u64,
    /// Places at which it can be left while it runs.
    pub leaving: Leaving,
    /// The headers of its own loops that are specialized.
    pub specialized: Vec<Block>,
    pub state: VersionState,
}

/// States of the use of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionState {
    /// Its entry leads to it.
    #[serde(rename = "in-use")]
    Live,
    /// It was replaced and its code is kept.
    Retired,
    /// It is not wanted any more.
    #[serde(untagged)]
    Dropped(DropReason),
}

impl VersionRecord {
    /// A version that was just installed, and that no compilation is known of.
    pub(crate) fn new(id: VersionId, kind: Kind, entry: Entry, generation: Generation, installed: Micros) -> Self {
        Self {
            id,
            kind,
            entry,
            generation,
            compilation: None,
            installed,
            compile: Micros(0),
            code_bytes: 0,
            ticks: 0,
            time: 0.0,
            iterations: 0,
            failures: 0,
            lost: 0.0,
            arrivals: 0,
            arriving: 0,
            leaving: Leaving::AtHeaders,
            specialized: Vec::new(),
            state: VersionState::Live,
        }
    }

    /// One more activation comes by OSR. Gives their number if that is told: the first few, then each doubling.
    pub(crate) fn arrive(&mut self, nanos: u64) -> Option<u64> {
        self.arrivals += 1;
        self.arriving += nanos;
        Some(self.arrivals).filter(|count| *count <= 4 || count.is_power_of_two())
    }

    /// The end of a version that was no mistake.
    pub(crate) fn dropped(&self, reason: DropReason, now: Micros) -> Dropped {
        Dropped {
            reason,
            lived: now.since(self.installed),
            ticks: self.ticks,
            iterations: self.iterations,
            failures: self.failures,
            saved: 0.0,
            cost: self.compile.as_f64(),
            times: 0,
            next_k: None,
        }
    }

    pub(crate) fn count(&mut self, report: &[LoopGuards]) {
        self.iterations = report.iter().map(|guards| guards.iterations).sum();
        self.failures = report.iter().map(|guards| guards.failures).sum();
    }

    /// True iff its entry leads to it.
    pub fn is_live(&self) -> bool {
        self.state == VersionState::Live
    }
}

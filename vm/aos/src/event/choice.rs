//! Choices that a strategy has, and ends that versions come to. Invariant: names in files are those of the variants.

use serde::{Deserialize, Serialize};

/// A choice that could be made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    pub choice: Choice,
    pub cost: f64,
    pub future: f64,
}

impl Candidate {
    pub fn total(&self) -> f64 {
        self.cost + self.future
    }
}

/// Returns whether a choice is the candidate of least cost.
pub fn is_least(candidates: &[Candidate], choice: Choice) -> bool {
    let least = candidates.iter().min_by(|a, b| a.total().total_cmp(&b.total()));
    least.is_some_and(|least| least.choice == choice)
}

/// Things that can be done with a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    Stay,
    Optimize,
    Profile,
    Specialize,
}

impl Choice {
    pub fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Optimize => "optimize",
            Self::Profile => "profile",
            Self::Specialize => "specialize",
        }
    }
}

/// Why a version is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    GuardsFail,
    NoGain,
    Compared,
    Replaced,
    ProfileDone,
    Abandoned,
    Redefined,
}

impl DropReason {
    /// True iff it is about a version, and not about each of the loops that it specializes.
    pub(crate) fn is_of_version(self) -> bool {
        match self {
            DropReason::Replaced | DropReason::ProfileDone | DropReason::Abandoned => true,
            DropReason::GuardsFail | DropReason::NoGain | DropReason::Redefined | DropReason::Compared => false,
        }
    }
}

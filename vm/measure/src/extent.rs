//! The extent of measurements: how much programs do, and how often they run.
//!
//! In: what a user asked for. Out: values that measurements are given. Invariant: each size of a program has its checksum.

use std::num::NonZeroU32;

/// One of the three sizes of each benchmark program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeName {
    /// some milliseconds, for tests
    Small,
    /// some hundredths of a second
    Mid,
    /// long enough to measure
    Default,
}

impl SizeName {
    /// The name on the command line and in `expected.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Mid => "mid",
            Self::Default => "default",
        }
    }
}

/// Number of rounds of a measurement.
pub type Rounds = NonZeroU32;

//! Time, as the controller knows it: microseconds, or polls that stand for them. Nothing here reads a clock.

use serde::{Deserialize, Serialize};

/// Polls that stand for a millisecond, as many as a loop of 10 ns an iteration makes; decides nothing.
pub const POLLS_A_MILLISECOND: u64 = 10_000;

/// Microseconds since the start of the program, or a duration; with `--sync-compile` by the number of polls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash, Serialize, Deserialize)]
pub struct Micros(pub u64);

impl Micros {
    /// The time from an earlier one to this one.
    pub fn since(self, earlier: Micros) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }

    /// The time so much later.
    pub fn after(self, duration: Micros) -> Micros {
        Micros(self.0.saturating_add(duration.0))
    }

    /// As a number to calculate with.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

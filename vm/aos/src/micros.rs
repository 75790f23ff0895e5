//! Time, as the controller knows it: microseconds, or polls that stand for them. Nothing here reads a clock.

use serde::{Deserialize, Serialize};

/// Polls that stand for a millisecond where polls are counted: as many as a loop of ten nanoseconds an iteration makes.
/// A measure of time, which decides nothing.
pub const POLLS_A_MILLISECOND: u64 = 10_000;

/// A time or a duration in microseconds. Times are since the start of the program. With `--sync-compile` this is no
/// clock but the number of polls, so many of which stand for a millisecond, so that it is the same in every run.
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

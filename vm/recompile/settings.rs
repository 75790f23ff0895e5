//! The constants of the executor, each with its reason. Those of the policy are in `vm/adaptive/settings.rs`.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

use std::time::Duration;

/// Ids that sequences are joined of: a period is known when it was seen twice, and inner loops with some tens of trips are
/// worth a trace.
pub(super) const SEQUENCE: u32 = 80;
/// Ids of a window that are joined: enough to see a period often, few enough for a window that is random.
pub(super) const JOINED_IDS: u64 = 1 << 11;
/// A profile that was looked at so often is over: a loop that did not fill its window in as many ticks runs too rarely.
pub(super) const MOST_LOOKS: u64 = 4;
/// Words in the buffer of profiled versions: some thousand paths, about as many as fill a window.
pub(super) const BUFFER_WORDS: usize = 4096;

/// Specs of a loop that are tried: each takes the optimizer once.
pub(super) const MOST_TRIED: usize = 4;

/// Time between ticks: short against what compilation takes to pay, and long against what a tick costs.
pub(super) const TICK_PERIOD: Duration = Duration::from_millis(1);
/// Iterations of a specialized loop that one of the loop whose iterations are counted may take: fewer would make counting dearer, more would leave
/// too few in a millisecond to compare speeds by.
pub(super) const LONGEST_ITERATION: u64 = 256;

/// Of so many polls on back edges, one is looked into where polls are counted; it counts for all of them. No divisor of the polls
/// of a tick, or ticks might always fall on one poll of a loop.
pub(super) const EDGE_POLLS: u32 = 997;
/// Frames that are walked for each tick, on average, to find versions that no frame is in: some twenty microseconds of a
/// millisecond. Calls can be a hundred thousand deep.
pub(super) const FREED_FRAMES: usize = 64;

/// Executions of what `--stress` says runs often: well past the 64 that the optimizer asks for.
pub(super) const OFTEN: u64 = 1000;

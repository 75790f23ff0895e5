//! Thresholds of recording, and of questions about recorded runs, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: none changes an answer; a question that exceeds one is refused.

use std::time::Duration;

/// Greatest number of blocks that an execution is kept of without its accesses to memory: at some 8 bytes a block,
/// 2 GB.
pub const MOST_BLOCKS: u64 = 1 << 28;

/// The same with them: at some 180 bytes a block, 3 GB.
pub const MOST_WITH_ACCESSES: u64 = 1 << 24;

/// Trees of sets of dependences, which are never freed: as many as tables of 2^24 places take, so sets have 0.5 GB at
/// most.
pub(super) const MOST_NODES: usize = 14 << 20;

/// Blocks of a run up to which a question for an expression or a definition is asked backward, of an execution that is
/// kept: it takes some 0.2 GB.
pub const MOST_KEPT: u64 = 1 << 20;

/// Time between two writes of the file, at least: a run that is killed loses no more, if writing is fast.
pub(super) const LEAST_PAUSE: Duration = Duration::from_millis(500);
/// That pause for each time that the last write took: writing takes less than a tenth of the time.
pub(super) const PAUSE_PER_COST: u32 = 10;
/// With a limit, the growth of memory between two looks at the file's size: a twentieth, so that the file ends near its limit.
pub(super) const LOOKS: u64 = 20;
/// Memory that grows between two looks, at least: looking at a small file often costs more than its last events are worth.
pub(super) const LEAST_GROWTH: u64 = 16 << 10;
/// Events of the interpreter between two looks at the clock.
pub(super) const EVENTS_BETWEEN_LOOKS: u32 = 1 << 12;

/// Paths that are kept of each activation before a failure.
pub(super) const KEPT_PATHS: usize = 3;
/// Deepest expression that is compared whole; what is nested deeper counts as a variable.
pub(in crate::trace) const DEEPEST_EXPRESSION: u32 = 64;

//! The constants of path profiles of compiled code, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

use std::time::Duration;

/// Words in a buffer: 64 KiB, so that the one being filled and the one being read fit a second-level cache.
pub const BUFFER_WORDS: usize = 8192;
/// Buffers of a thread: one is filled, one read, and two even out their speeds.
pub const BUFFERS: usize = 4;

/// Paths of a burst that are recorded together: 24 KiB, which fit the first-level cache. A burst of about 1,000 is recorded once.
pub(super) const BATCH: usize = 1024;

/// Slots of a table of paths, or of the paths of a region, at first: 1 KiB. Most need no more.
pub(super) const FIRST_SLOTS: usize = 32;
/// Such a table has at least so many times as many slots as are used: a search begins in the right slot mostly.
pub(super) const SPARSE: usize = 2;
/// Rows of steps behind the first, at first: 1 KiB and the width of a row. Most functions need no more.
pub(super) const FIRST_ROWS: usize = 32;
/// The distance of rows, in slots: a row that gets one more slot has to move mostly if rows begin at every slot.
pub(super) const ROW_STRIDE: usize = 2;
/// States of a function: 16 MiB of rows, which a last-level cache holds. Beyond it each path is a miss, of 20 to 80 times what the path itself takes.
pub(super) const MOST_STATES: usize = 1 << 18;
/// Bytes of all rows together.
pub(super) const MOST_BYTES: usize = 2 << 30;

/// Time between the ticks that bursts begin with.
pub(super) const TICK: Duration = Duration::from_millis(1);
/// Ticks between two bursts of paths, on average: a burst of a thousand and what it takes to begin and end it are some
/// tens of microseconds. A rate of sampling, which decides nothing.
pub(super) const TICKS_A_BURST: u64 = 4;
/// Ticks after which a burst is over, however few paths it has: its function does not run any more.
pub(super) const BURST_PATIENCE: u64 = 4;

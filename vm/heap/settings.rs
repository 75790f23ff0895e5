//! The constants of the heap, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

/// Bytes that may be allocated between two collections while hardly anything is live: what is used again is in the cache, and needs no fresh
/// pages of the system.
pub(super) const LEAST_TRIGGER: usize = 2 << 20;
/// Bytes that may be allocated for each byte that is live or a root, until it is [`FULL_TRIGGER`].
pub(super) const TRIGGER_PER_LIVE: usize = 8;
/// Bytes that may be allocated between two collections when more is live, and at least as much as is live. On binary trees of depth 16 (November
/// 2026, shared two-core x86-64; `holloway bench binarytrees` runs the like) collections take a third of the time with
/// 4 MiB, a quarter with 8, a seventh with 16; beyond that the rest gets slower, for the reused memory no longer fits
/// the cache.
pub(super) const FULL_TRIGGER: usize = 16 << 20;

/// Bytes of a block. 16, 32 and 64 KiB were tried on binary trees (November 2026, shared two-core x86-64): no
/// difference beyond the noise, and 32 KiB lets a small heap hold all size classes.
pub(super) const BLOCK_SIZE: usize = 32 * 1024;
/// Number of blocks made usable at a time: two megabytes, a huge page of x86-64, so that the system is seldom called.
pub(super) const COMMITTED_BLOCKS: usize = 64;
/// The largest limit: no machine has more memory, and an address space has room for several such ranges.
pub(super) const MOST_BYTES: usize = 1 << 44;

/// Number of elements of an array that are scanned before the objects they refer to: a bound for the marker's stack.
pub(super) const SCANNED_ELEMENTS: usize = 256;

/// Bytes of the least string for which [`super::buffer`] keeps room. Copying less takes no longer than what the room
/// costs, and most programs join strings that stay shorter.
pub(super) const LEAST_BUFFERED: usize = 256;

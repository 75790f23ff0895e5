//! The constants of path profiles of compiled code, each with its reason.
//!
//! In: nothing. Out: constants. Invariant: no other file of this folder has a threshold of its own.

/// Words in a buffer: 64 KiB, so that the one being filled and the one being read fit a second-level cache.
pub const BUFFER_WORDS: usize = 8192;
/// Buffers of a thread: one is filled, one read, and two even out their speeds.
pub const BUFFERS: usize = 4;

/// Slots of forests that are allocated together.
pub(super) const CHUNK: usize = 1 << 13;
/// A table of slots grows while it has less slots than this many times its symbols.
pub(super) const SPARSE: u32 = 8;
/// A step that has its slot aside makes the table grow each time it was asked for so often.
pub(super) const PATIENCE: u32 = 64;
/// Bytes of the slots of all tables together, and of what is beside them.
pub(super) const MOST_BYTES: usize = 2 << 30;

//! Ranges of memories and tables, and the word that says that there is no room.

use std::ops::Range;

/// Result of growing where there is no room: -1 in 32 bits.
pub const NO_ROOM: u32 = u32::MAX;

/// The range of so many items from `start`, if there are as many.
pub(super) fn range(start: u64, count: u64, len: usize) -> Option<Range<usize>> {
    let end = start.checked_add(count).filter(|end| *end <= len as u64)?;
    Some(start as usize..end as usize)
}

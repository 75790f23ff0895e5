//! Words that compiled code writes to in place.

use std::sync::atomic::AtomicU64;

/// Words at an address that does not change.
pub(super) type Words = Box<[AtomicU64]>;

/// So many words of 0.
pub(super) fn words(count: usize) -> Words {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

/// Their address.
pub(super) fn address(words: &[AtomicU64]) -> usize {
    words.as_ptr().expose_provenance()
}

//! State that the signal handler and the sampler's thread share.
//!
//! In: made when sampling begins. Out: the places that the handler looks at, and the ring that it writes to. Invariant: it stays where it is until
//! the timer is stopped.

use super::frames::Places;
use super::ring::Ring;
use std::sync::atomic::AtomicBool;

/// State that the handler and the sampler's thread share.
pub(super) struct Shared {
    pub(super) places: Places,
    pub(super) ring: Ring,
    pub(super) is_over: AtomicBool,
}

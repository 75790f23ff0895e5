//! Steps that analyses take, for tests of how they grow with a graph.
//!
//! In: looks at edges, orders and sets. Out: their number on this thread. Invariant: builds without debug assertions count
//! nothing.

use std::cell::Cell;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts some.
#[inline]
pub fn count(steps: usize) {
    if cfg!(debug_assertions) {
        TAKEN.set(TAKEN.get() + steps as u64);
    }
}

/// The number of steps that this thread has taken.
pub fn taken() -> u64 {
    TAKEN.get()
}

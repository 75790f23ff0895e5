//! Facts that remember whether somebody asked for them: what nobody relies on may change.
//!
//! In: what is known of a place. Out: the same, and an answer to whether it holds for another program.
//! Invariant: a fact that was given to anybody counts as relied on for good.

use std::sync::atomic::{AtomicBool, Ordering};

/// A fact, if one is known.
#[derive(Debug)]
pub(super) struct Asked<T> {
    known: Option<T>,
    is_asked_for: AtomicBool,
}

impl<T> Asked<T> {
    /// One that nobody has asked for.
    pub(super) fn new(known: Option<T>) -> Asked<T> {
        Asked { known, is_asked_for: AtomicBool::new(false) }
    }

    /// The fact, for somebody who relies on it.
    pub(super) fn get(&self) -> Option<&T> {
        self.is_asked_for.store(true, Ordering::Relaxed);
        self.known.as_ref()
    }

    /// True iff the fact of another program implies this one, or nobody relies on it.
    pub(super) fn holds(&self, other: Option<&Asked<T>>, implies: impl Fn(&T, &T) -> bool) -> bool {
        match &self.known {
            Some(old) if self.is_asked_for.load(Ordering::Relaxed) => {
                other.and_then(|other| other.known.as_ref()).is_some_and(|new| implies(new, old))
            }
            Some(_) | None => true,
        }
    }
}

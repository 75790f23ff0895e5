//! The part of a profile that is shown.
//!
//! In: what a user asked for. Out: how many rows, and in which order. Invariant: it changes nothing that is counted.

use std::cmp::Ordering;
use std::num::NonZeroUsize;

/// The rows of a profile that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Their number; `None` shows all.
    pub top: Option<NonZeroUsize>,
    /// The end of the profile that they are taken from.
    pub first: First,
}

/// The end of a profile that is shown first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// Most taken first.
    Hottest,
    /// Least taken first.
    Coldest,
}

impl Shown {
    /// The `top` hottest rows.
    pub fn hottest(top: Option<NonZeroUsize>) -> Shown {
        Shown { top, first: First::Hottest }
    }

    /// The order of two rows with these heats.
    pub fn order(self, a: u64, b: u64) -> Ordering {
        match self.first {
            First::Hottest => b.cmp(&a),
            First::Coldest => a.cmp(&b),
        }
    }
}

//! A bound on what lists of parameters and results become.
//!
//! In: the length of each list, wherever code names a type. Out: whether all together are too many. Invariant: a few bytes name a list of hundreds of
//! values, each of which becomes a local or an instruction; no module makes more of them than [`MOST`], beyond some of each list.

/// Values of a list that are not counted: about as many as code of compilers has.
const UNCOUNTED: usize = 8;
/// The most values that are counted.
pub(crate) const MOST: usize = 1 << 22;

/// The values that were made.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    spent: usize,
}

impl Budget {
    /// Counts a list of so many values. Returns whether they may be made.
    pub(crate) fn spend(&mut self, values: usize) -> bool {
        self.spent = self.spent.saturating_add(values.saturating_sub(UNCOUNTED));
        !self.is_exceeded()
    }

    /// Returns whether there were too many.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.spent > MOST
    }
}

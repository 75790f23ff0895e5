//! The amounts that the REPL shows and keeps. In: nothing. Out: constants.

use std::num::NonZeroUsize;

/// Number of rows of a profile that are shown by default, as on the command line.
pub(super) const TOP: usize = 10;
/// Edges that are shown unless one function is asked for.
pub(super) const MOST_EDGES: NonZeroUsize = NonZeroUsize::new(8).expect("not zero");
/// Number of definitions that are listed one by one.
pub(super) const MOST_LINES: usize = 12;

/// Number of inputs that the history keeps.
pub(super) const MOST_INPUTS: usize = 10_000;

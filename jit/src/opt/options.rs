//! The options of the optimizer, and the names by which they call its parts.
//!
//! In: names, as users give them. Out: which passes run, and which facts of recorded runs they have.
//! Invariant: passes that copy loops are rows of the table in `pipeline.rs`.

use crate::observed::redundant::RedundantLoads;

/// The name under which inlining, which is no pass of its own, is left out.
pub const INLINE: &str = "inline";

/// The name under which inlining by what was observed is left out: of indirect calls, and by how hot a call is.
pub const INLINE_OBSERVED: &str = "inline-observed";

/// The name under which what the program shows of its arrays is left out.
pub const ARRAYS: &str = "arrays";

/// The passes that copy loops for speed.
pub(crate) const COPYING: [&str; 5] =
    ["unroll-and-jam", "loop-versioning", "unroll", "state-threading", "dispatch-replication"];

/// The name under which the function is known before any pass, for [`Options::until`].
pub const BUILD: &str = "build";

/// The optimizer's options: passes to leave out, the one to stop after, and facts of recorded runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Passes that do not run.
    pub disabled: Vec<String>,
    /// The pass after which the function is wanted as it is then, or `build`; all passes if none.
    pub until: Option<String>,
    /// Loads that recorded runs found to be redundant.
    pub redundant: RedundantLoads,
}

impl Options {
    /// True iff a pass, or what is named like one, is left out.
    pub fn leaves_out(&self, pass: &str) -> bool {
        self.disabled.iter().any(|name| name == pass)
    }

    /// Leaves out the passes that copy loops, for code that runs for some milliseconds: they cost more than they gain there.
    pub fn leave_out_copies(&mut self) {
        self.disabled.extend(COPYING.map(str::to_owned));
    }
}

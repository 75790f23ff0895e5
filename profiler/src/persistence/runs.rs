//! Executions of a region that code folded itself, run by run.
//!
//! In: what code keeps for a region with a register of one word. Out: a [`Window`] as if each execution had been recorded by itself.
//!
//! A *run* is a number of consecutive executions with equal bits. Code folds a run when it ends: into OR of the window
//! (`[NGF03]` 3.2), the least and the greatest run (section 3, list), and the executions of its path (3.6). Everything else follows from
//! these. AND is not needed: AND and OR of a window are equal iff it has one run. The number of places that such a window passed is that
//! of its path, so that code counts the places of other windows only.
//!
//! Invariant: only fixed windows ([`Ending::Fixed`](super::Ending)) are folded by code. Which edges were ever taken is known, and which places were
//! always passed, but not in which window.

/// State of a region between two executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Executions of the current window in runs that ended.
    pub executions: u64,
    /// The bits that any of them set.
    pub or: u64,
    /// The shortest run that ended, and the longest; `None` if none did.
    pub bounds: Option<(u64, u64)>,
    /// Bits of OR, summed over the windows that ended and had several paths.
    pub taken: u64,
    /// The paths of runs that ended, each once.
    pub paths: Vec<RunPath>,
    /// The present run: its bits, and the executions so far.
    pub present: (u64, u64),
}

/// Executions of one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPath {
    /// Its bits.
    pub bits: u64,
    /// Its executions.
    pub executions: u64,
    /// Those of them in persistent windows.
    pub persistent: u64,
}

impl Runs {
    /// Executions in runs that ended.
    pub fn ended(&self) -> u64 {
        self.paths.iter().map(|path| path.executions).sum()
    }
}

//! TFP: time-sensitive, flow-specific profiling, with one bit for each block of a region.
//!
//! In: a reducible graph. Out: its [`Regions`], the plan that sets their bits, and in [`Persistence`] the flow
//! properties that held for K consecutive executions of each region; on request also the frequency of each path (3.6).
//!
//! `[NGF03]` S. Nandy, X. Gao, J. Ferrante, "TFP: Time-sensitive, Flow-specific Profiling at Runtime", LCPC 2003.
//! Section numbers below are from it.
//!
//! ```text
//!        A <------+     A loop is a region, and so is the function's body. The region's head (A) always runs and has
//!       / \       |     no bit; the other blocks have bits in topological order (3.3), so that neighbours in a path
//!      B-->C      |     are 1s with no 1 between them.
//!       \  | \    |     An inner loop is one place of the region around it and has a register of its own (4.2).
//!        v v  D   |
//!         E   |   |     The register is cleared on the way in, set by each block, and folded at the back edge:
//!          \  v   |     that is one execution. An iteration that leaves the loop, or fails, is none.
//!            F ---+
//! ```
//!
//! Above 64 places a register has several words. Places are assigned in depth-first order, so a path touches few words
//! (4.1). A failure edge is an ordinary edge here: a block whose failure is caught has its bit set, and so has its
//! handler.
//!
//! Invariant (Theorem 1): two executions of a region have equal bits iff they passed the same places in the same order.

pub mod frequencies;
pub mod path_index;
mod paths;
pub mod region;
pub mod runs;
pub mod window;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::graph::{EdgeId, Graph};
use crate::machine::Sink;
use crate::plan::BitRegister;

pub use frequencies::PathFrequencies;
pub use path_index::PathIndex;
pub use region::{Irreducible, Place, Region, Regions};
pub use runs::{RunPath, Runs};
pub use window::{Ending, Findings, Keep, Overall, Summary, Window};

/// Bookkeeping of one function's regions. It outlives activations, so persistence across calls counts (4.2).
#[derive(Clone, Debug)]
pub struct Persistence {
    regions: Regions,
    windows: PrimaryMap<BitRegister, Window>,
    /// `None` if paths are not counted.
    frequencies: Option<PrimaryMap<BitRegister, PathFrequencies>>,
    keep: Keep,
    finished: Vec<Findings>,
    last: SecondaryMap<BitRegister, Option<Findings>>,
}

/// An edge that a register's bits do not distinguish from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotMonitorable(pub EdgeId);

impl std::fmt::Display for NotMonitorable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the edge {} cannot be told from another by the blocks passed", self.0)
    }
}

impl std::error::Error for NotMonitorable {}

impl Persistence {
    /// Bookkeeping for windows of `k` executions that keeps every window's findings.
    pub fn new(regions: Regions, k: u64, ending: Ending) -> Persistence {
        Persistence::keeping(Keep::Findings, regions, k, ending)
    }

    /// Bookkeeping for windows of `k` executions.
    pub fn keeping(keep: Keep, regions: Regions, k: u64, ending: Ending) -> Persistence {
        let windows = regions.iter().map(|(register, _)| Window::new(register, regions.words(register), k, ending));
        let (windows, last) = (windows.collect(), SecondaryMap::new());
        Persistence { windows, regions, frequencies: None, keep, finished: Vec::new(), last }
    }

    /// Counts each path of each region from now on (3.6).
    pub fn count_paths(&mut self) {
        let tables = self.regions.iter().map(|(register, _)| PathFrequencies::new(self.regions.words(register)));
        self.frequencies = Some(tables.collect());
    }

    /// Monitors every edge that the bits distinguish from others.
    pub fn monitor_all(&mut self, graph: &Graph) {
        for (edge, (register, ends)) in self.regions.monitorable(graph) {
            self.windows[register].monitor(edge, ends);
        }
    }

    /// Monitors whether an edge is ever taken (3.5).
    pub fn monitor(&mut self, graph: &Graph, edge: EdgeId) -> Result<(), NotMonitorable> {
        let (register, ends) = self.regions.edge_bits(graph, edge).ok_or(NotMonitorable(edge))?;
        self.windows[register].monitor(edge, ends);
        Ok(())
    }

    /// Takes over executions that code folded itself, of a region that has none yet.
    pub fn resume(&mut self, register: BitRegister, runs: &Runs) {
        if let Some(frequencies) = &mut self.frequencies {
            runs.paths.iter().for_each(|path| frequencies[register].add(&[path.bits], path.executions));
        }
        self.windows[register].resume(runs, &self.regions);
        let (bits, count) = runs.present;
        self.folds(register, &[bits], count);
    }

    /// Executions are left out here: no persistence goes on across them.
    pub fn interrupt(&mut self) {
        self.windows.values_mut().for_each(Window::interrupt);
    }

    /// The regions.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Findings of the windows that ended since the last call.
    pub fn take_finished(&mut self) -> Vec<Findings> {
        std::mem::take(&mut self.finished)
    }

    /// Findings of the last window of a region that ended, if it had a persistent path and [`Keep::Last`] was asked for.
    pub fn persistent(&self, register: BitRegister) -> Option<&Findings> {
        self.last[register].as_ref().filter(|findings| findings.is_persistent())
    }

    /// Executions of a region.
    pub fn executions(&self, register: BitRegister) -> u64 {
        self.windows[register].all_executions()
    }

    /// Findings of the current window, over the executions so far.
    pub fn current(&self, register: BitRegister) -> Findings {
        self.windows[register].findings(&self.regions)
    }

    /// Places that none of the latest executions passed, and the number of these: those of the current window and of the last one that ended, so K
    /// at least once one has. [`Keep::Last`] is asked for.
    pub fn untaken(&self, register: BitRegister) -> (Vec<Place>, u64) {
        let Findings { mut untaken, executions, .. } = self.current(register);
        match &self.last[register] {
            None => (untaken, executions),
            Some(last) => {
                untaken.retain(|place| last.untaken.contains(place));
                // A window of less than K executions ends if they are like those before.
                (untaken, executions + last.executions.max(last.consecutive))
            }
        }
    }

    /// Summary of all ended windows of a region.
    pub fn summary(&self, register: BitRegister) -> &Summary {
        self.windows[register].summary()
    }

    /// Frequencies of a region's paths; `None` if paths are not counted.
    pub fn frequencies(&self, register: BitRegister) -> Option<&PathFrequencies> {
        Some(&self.frequencies.as_ref()?[register])
    }

    /// Properties of all executions of a region, independent of windows.
    pub fn overall(&self, register: BitRegister) -> Overall {
        self.windows[register].overall(&self.regions)
    }

    /// The bookkeeping of one region.
    pub fn window(&self, register: BitRegister) -> &Window {
        &self.windows[register]
    }
}

impl Sink for Persistence {
    fn fold(&mut self, register: BitRegister, bits: &[u64]) {
        self.folds(register, bits, 1);
    }

    fn folds(&mut self, register: BitRegister, bits: &[u64], count: u64) {
        if count == 0 {
            return;
        }
        if let Some(frequencies) = &mut self.frequencies {
            frequencies[register].add(bits, count);
        }
        let finished = match self.keep {
            Keep::Findings | Keep::Last => Some(&mut self.finished),
            Keep::Summary => None,
        };
        self.windows[register].folds(bits, count, &self.regions, finished);
        if self.keep == Keep::Last
            && let Some(last) = self.finished.pop()
        {
            self.last[register] = Some(last);
            self.finished.clear();
        }
    }
}

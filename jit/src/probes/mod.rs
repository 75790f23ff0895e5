//! Probes: what code carries of a profiling plan.
//!
//! In: a source that has the plan of each function. Out: path probes of optimized code, which are steps on values while
//! SSA is built: the path register, registers of bits and histories of branches are values like any other; reports
//! become [`Probe`](crate::opt::op::Probe)s. Baseline code counts edges ([`edge_probes`]). What code and the runtime
//! agree on is in a file for each kind of memory: tables of paths ([`path_table`]), of their steps in a forest
//! ([`step_table`]), cells for bursts ([`burst_cell`]) and for executions of regions ([`run_cell`]). A version counts the
//! iterations of one of its loops ([`progress`]).
//!
//! ```text
//!   steps of the plan --+-- a path --------------+
//!                       +-- an activation's last +--> report --> Probe::Paths(sink, extent)   counted: array, table, steps, bursts
//!                       +-- a loop with one path +                                            events: words, or Probe::Emit
//! ```
//!
//! A loop with one path is treated once, ahead of all sinks: its iterations are a register, and the ids of the first and of
//! the others are reported with their number where the loop is left. A sink only knows how to take that many. Where bursts
//! end depends on each path as it ends, and reading them back later would cost the program a word for each path in a gap
//! too, so that they are neither counters nor events.
//!
//! Invariant: a plan names blocks of the function's own body; copies of blocks carry their origin's steps.

pub(crate) mod across;
pub mod burst_cell;
pub mod edge_probes;
pub mod path_table;
pub mod progress;
pub mod run_cell;
pub mod step_table;

use burst_cell::BurstCell;
use holloway_lang::ir::FuncRef;
use holloway_profiler::event::FunctionId;
use holloway_profiler::graph::Graph;
use holloway_profiler::persistence::PathIndex;
use holloway_profiler::plan::Plan;
use holloway_profiler::repeat::Repeats;
use holloway_profiler::scheme::Framing;
use path_table::PathTable;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use step_table::StepTable;

/// The probes of one function.
#[derive(Clone, Debug)]
pub struct PathProbes {
    /// The function's graph, which the plan is for.
    pub graph: Arc<Graph>,
    /// The actions and their places.
    pub plan: Arc<Plan>,
    /// The function's number in the event buffer.
    pub function: FunctionId,
    /// The destination of complete paths.
    pub report: Report,
    /// The memory of each register of bits.
    pub regions: Vec<RegionMemory>,
    /// The cells of branch histories, one behind the other by start block: the address of the first; see
    /// [`crate::probes::run_cell`].
    pub histories: Option<usize>,
    /// The switch without which no events are written; `None` if they always are.
    pub switch: Option<Switch>,
    /// Loops whose iterations are counted and reported together; none where a stream is to have each.
    pub repeats: Repeats,
}

impl PathProbes {
    /// Returns whether a path that a failure cuts short names its function, and activations need no markers.
    pub fn is_lone(&self) -> bool {
        match self.report {
            Report::Array(_) | Report::Table(_) | Report::Steps(_) => true,
            Report::Bursts(_) | Report::Events(Framing::Lone) => true,
            Report::Events(Framing::Activations(_)) => false,
        }
    }

    /// Returns whether nothing is to be reported any more.
    pub fn is_silent(&self) -> bool {
        self.switch.as_ref().is_some_and(|switch| !switch.is_on())
    }

    /// Returns whether executions of regions are folded in place, so that the plan numbers no paths.
    pub fn folds_in_place(&self) -> bool {
        self.regions.iter().any(|memory| match memory {
            RegionMemory::Counter(_) | RegionMemory::Cell(..) => true,
            RegionMemory::Events(_) => false,
        })
    }

    /// Returns whether code of all tiers reports, as the order of all paths is recorded.
    pub(crate) fn records_order(&self) -> bool {
        matches!(self.report, Report::Events(_)) && self.regions.is_empty() && self.histories.is_none()
    }
}

/// The switch that code tests before it reports: once it is off, the probes are disabled. Paths may pause before, while
/// markers go on to say which activation the paths to come belong to.
#[derive(Clone, Debug)]
pub struct Switch(Arc<Wanted>);

/// A word for each kind of report, not 0 as long as it is wanted.
#[derive(Debug)]
struct Wanted {
    markers: AtomicU64,
    paths: AtomicU64,
}

impl Default for Switch {
    fn default() -> Switch {
        Switch(Arc::new(Wanted { markers: AtomicU64::new(1), paths: AtomicU64::new(1) }))
    }
}

impl Switch {
    /// Ends all reports.
    pub fn turn_off(&self) {
        self.0.paths.store(0, Ordering::Relaxed);
        self.0.markers.store(0, Ordering::Relaxed);
    }

    /// Reports no paths for a while.
    pub fn pause(&self) {
        self.0.paths.store(0, Ordering::Relaxed);
    }

    /// Reports paths again, unless it is off.
    pub fn resume(&self) {
        self.0.paths.store(u64::from(self.is_on()), Ordering::Relaxed);
    }

    /// Returns whether there are reports.
    pub fn is_on(&self) -> bool {
        self.0.markers.load(Ordering::Relaxed) != 0
    }

    /// Returns whether paths are reported.
    pub fn reports_paths(&self) -> bool {
        self.0.paths.load(Ordering::Relaxed) != 0
    }

    /// Returns the address of the word that says whether paths are reported, or markers too.
    pub fn address(&self, has_markers: bool) -> usize {
        let word = if has_markers { &self.0.markers } else { &self.0.paths };
        word.as_ptr().expose_provenance()
    }
}

/// The destination of complete paths: what a plan's [`Stream`](holloway_profiler::scheme::Stream) is in memory.
#[derive(Clone, Copy, Debug)]
pub enum Report {
    /// A path adds one to a counter: the address of the array of 64-bit counters, by id. The word before it is that address.
    Array(usize),
    /// A path adds one to a counter in a table; see [`crate::probes::path_table`].
    Table(PathTable),
    /// A path is a step in the forest of sequences, which adds one to its counter; see [`crate::probes::step_table`].
    Steps(StepTable),
    /// Bursts of paths are recorded, and the others counted down; see [`crate::probes::burst_cell`].
    Bursts(BurstCell),
    /// Words are written to the event buffer.
    Events(Framing),
}

impl Report {
    /// Returns whether activations keep a word between their paths: ids that are not reported yet, the state behind the last path,
    /// or of bursts the number of paths.
    pub fn keeps_word(&self) -> bool {
        match self {
            Report::Steps(_) | Report::Bursts(_) | Report::Events(Framing::Activations(Some(_))) => true,
            Report::Array(_) | Report::Table(_) => false,
            Report::Events(Framing::Lone | Framing::Activations(None)) => false,
        }
    }
}

/// Memory in which executions of one region are folded, by its address.
#[derive(Clone, Debug)]
pub enum RegionMemory {
    /// Of a region with a single path: a counter of its executions.
    Counter(usize),
    /// Of a register of one word: a cell, with slots behind it if the register has an index of the path beside the
    /// bits; see [`crate::probes::run_cell`].
    Cell(usize, Option<Arc<PathIndex>>),
    /// Of any register: the address of its [`FOLD_WORDS`] and its own words, which say how often the bits were seen in
    /// a row. Runs are written to the event buffer.
    Events(usize),
}

/// Words of what is pending in a frame: the path register, or where a branch history starts; the history; or in a loop
/// that has one path the iterations since the entry, and the path register at the entry. Then the ids that are not
/// reported yet, or in such a loop the state at the entry; or the number of the activation's paths, and its tag. Where
/// paths span several iterations, and not in a loop that has one, these and further words are the accumulators. Of a
/// path across calls the path register, the place in the block, the completions where the number cannot be told without
/// them, and 1 if the path is detached, where it may be. In a loop that has one path of these kinds, the path register
/// is that at the entry, and what paths go on from and the iterations are at [`PENDING_CONTEXT`] and [`PENDING_TIMES`].
pub const PENDING: usize = 5;
/// The register that paths across calls, or with a context, go on from in a loop that has one path.
pub const PENDING_CONTEXT: usize = 3;
/// The iterations of such a loop since its entry, of paths across calls.
pub const PENDING_TIMES: usize = 4;
/// The word that an activation keeps between its paths.
pub const PENDING_WORD: usize = 3;
/// The tag of an activation of which bursts are recorded, which code keeps there all the time.
pub const PENDING_TAG: usize = 4;

/// The place of the word that holds the address of an array of counters, from there.
pub const ARRAY_ADDRESS: i32 = -8;

const _: () = assert!(burst_cell::LENGTHS_ADDRESS - burst_cell::LENGTHS == ARRAY_ADDRESS);

/// Words of a fold cell before the bits: the count.
pub const FOLD_WORDS: usize = 1;

/// The cell in which executions of a region are folded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fold {
    /// The address of the fold cell.
    pub cell: usize,
    /// The word that announces the cell's content in the event buffer.
    pub announce: u64,
    /// The address of the switch, if there is one.
    pub switch: Option<usize>,
}

/// Gives the probes of functions, on any thread.
pub trait ProbeSource: Send + Sync {
    /// The probes of a function; none if it is not profiled.
    fn probes(&self, func: FuncRef) -> Option<Arc<PathProbes>>;
}

/// The source of a request; none if nothing is profiled.
#[derive(Clone, Default)]
pub struct Paths(pub Option<Arc<dyn ProbeSource>>);

impl Paths {
    /// The probes of a function.
    pub fn of(&self, func: FuncRef) -> Option<Arc<PathProbes>> {
        self.0.as_ref().and_then(|source| source.probes(func))
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Paths(some)" } else { "Paths(none)" })
    }
}

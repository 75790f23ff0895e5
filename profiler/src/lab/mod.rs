//! The lab: any scheme on graphs and traces from elsewhere.
//!
//! In: a [`Lab`], with procedures and traces in names of blocks. Out: a [`LabResult`], in names as well. The caller
//! reads and writes JSON; no text format is known here.
//!
//! Phases: 1. graphs (`procedure`); 2. traces to steps (`trace`); 3. the scheme, with the edge scheme for the edge
//! counts (`evaluate`); 4. results in names (`rows`).
//!
//! Successor order is numbering order; back edges are found by depth-first search in that order. A call block with a
//! return site has an edge to it. A trace that stops before the exit is an activation that failed in its last block:
//! its last path is a prefix.
//!
//! Invariant: an invalid input gives a [`LabError`] that names the fault; no input causes a panic.

mod evaluate;
mod procedure;
mod rows;
mod trace;

use std::fmt;

use crate::scheme::Scheme;

pub use evaluate::evaluate;

/// Most static paths that are listed.
pub const PATH_LIST_MAX: u64 = 10_000;

/// The input.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The scheme to evaluate.
    pub scheme: Scheme,
    /// Every procedure by name.
    pub procedures: Vec<(String, Procedure)>,
    /// The procedure that each trace activates.
    pub main: String,
    /// Blocks in execution order; `procedure:block` if there are several procedures.
    pub traces: Vec<Vec<String>>,
}

/// One procedure.
#[derive(Clone, Debug, Default)]
pub struct Procedure {
    /// The block at which activations start.
    pub entry: String,
    /// The block at which they return.
    pub exit: String,
    /// Each block's successors in numbering order.
    pub successors: Vec<(String, Vec<String>)>,
    /// The blocks that end with a call.
    pub calls: Vec<(String, Call)>,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The procedure called.
    pub callee: String,
    /// The caller's block after the call.
    pub return_site: String,
}

/// Output of the lab.
#[derive(Clone, Debug, PartialEq)]
pub struct LabResult {
    /// The scheme that was evaluated.
    pub scheme: Scheme,
    /// Each procedure, in the order of the input.
    pub functions: Vec<FunctionResult>,
}

/// A scheme's results for one procedure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionResult {
    /// The procedure.
    pub name: String,
    /// Its blocks.
    pub blocks: Vec<String>,
    /// Every edge with its count.
    pub edges: Vec<(String, String, u64)>,
    /// Every edge on paths with its value: `bl` and `k-bl`.
    pub values: Vec<(String, String, u64)>,
    /// Every edge with its `(val, cval)` in each iteration: `k-iter`.
    pub iteration_values: Vec<IterationValues>,
    /// Number of acyclic paths, or for `k-iter` of k-iteration paths; `None` if ids do not fit, for schemes that need
    /// no ids.
    pub num_paths: Option<u64>,
    /// Complete paths with their counts: `bl`, `k-iter` and `bala`.
    pub paths: Vec<PathRow>,
    /// Prefixes with their counts: all path schemes.
    pub prefixes: Vec<PathRow>,
    /// Every static path, if there are at most [`PATH_LIST_MAX`]: `bl`, `k-bl` and `k-iter`.
    pub path_list: Option<Vec<StaticPath>>,
    /// The sizes of the forests: `k-bl`.
    pub forest: Option<ForestSize>,
    /// Every sequence of 1..k ids with its count: `k-bl`.
    pub sequences: Vec<(Vec<u64>, u64)>,
    /// Every region: `tfp`.
    pub regions: Vec<RegionRow>,
}

/// Values of one edge in each iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationValues {
    /// The source.
    pub from: String,
    /// The target.
    pub to: String,
    /// `(val, cval)` for each iteration 1, 2, ... in which paths contain the edge.
    pub values: Vec<(u64, u64)>,
}

/// A path with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRow {
    /// The path's id: `start:bits` for `bala`, else decimal.
    pub id: String,
    /// Its blocks.
    pub blocks: Vec<String>,
    /// Number of executions.
    pub count: u64,
}

/// A possible path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticPath {
    /// Its id.
    pub id: u64,
    /// Its blocks.
    pub blocks: Vec<String>,
}

/// Sizes of the forests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestSize {
    /// Length of the longest sequences.
    pub k: u32,
    /// Nodes of the k-slab forest.
    pub slab_nodes: usize,
    /// Nodes of the k-IPF.
    pub ipf_nodes: usize,
}

/// A region of `tfp`.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRow {
    /// The header of the loop; `None` for the body.
    pub header: Option<String>,
    /// The places in bit order; an inner loop is listed by its header.
    pub places: Vec<String>,
    /// Each window of k executions.
    pub windows: Vec<WindowRow>,
    /// The executions after the last complete window, if any.
    pub rest: Option<WindowRow>,
}

/// Findings of one window of `tfp`.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowRow {
    /// Number of executions.
    pub executions: u64,
    /// Set if K consecutive executions took one path.
    pub persistent: bool,
    /// The register's bits that every execution set, highest first.
    pub and: String,
    /// The bits that any execution set.
    pub or: String,
    /// The path of all executions, if they took one.
    pub path: Option<Vec<String>>,
    /// Places that no execution took.
    pub untaken: Vec<String>,
    /// Segments that every execution took.
    pub segments: Vec<Vec<String>>,
    /// Monitored edges, each with a flag that is set if any execution took it.
    pub edges: Vec<(String, String, bool)>,
    /// The least number of consecutive executions along one path.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
}

/// Errors of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabError {
    /// No procedure has this name.
    UnknownProcedure(String),
    /// Two procedures have this name.
    DuplicateProcedure(String),
    /// No block has this name.
    UnknownBlock(String),
    /// A block has a successor twice.
    DuplicateEdge(String, String),
    /// A block's successors are given twice.
    DuplicateBlock(String),
    /// The exit has a successor.
    ExitHasSuccessor(String, String),
    /// A trace is empty.
    EmptyTrace(usize),
    /// A trace does not start at the entry of `main`.
    WrongStart(String),
    /// A step of a trace is no edge, call or return.
    NoEdge(String, String),
    /// A trace continues after its activation has returned.
    AfterReturn(String),
    /// The scheme needs a reducible graph, and this back edge enters a loop beside its header.
    Irreducible(String, String),
    /// The ids of this procedure's paths do not fit 63 bits.
    TooManyPaths(String),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::UnknownProcedure(name) => write!(f, "there is no procedure `{name}`"),
            LabError::DuplicateProcedure(name) => write!(f, "the procedure `{name}` is given twice"),
            LabError::UnknownBlock(name) => write!(f, "there is no block `{name}`"),
            LabError::DuplicateEdge(from, to) => write!(f, "the edge `{from}` -> `{to}` is given twice"),
            LabError::DuplicateBlock(name) => write!(f, "the successors of block `{name}` are given twice"),
            LabError::ExitHasSuccessor(exit, to) => write!(f, "the exit `{exit}` has a successor, `{to}`"),
            LabError::EmptyTrace(index) => write!(f, "trace {index} has no block"),
            LabError::WrongStart(block) => {
                write!(f, "a trace starts at `{block}`, which is not the entry of the main procedure")
            }
            LabError::NoEdge(from, to) => write!(f, "a trace steps from `{from}` to `{to}`, which is no edge"),
            LabError::AfterReturn(block) => write!(f, "a trace goes on to `{block}` after it has returned"),
            LabError::Irreducible(from, to) => {
                write!(f, "the scheme needs a reducible graph: the loop closed by `{from}` -> `{to}` has another entry")
            }
            LabError::TooManyPaths(name) => write!(f, "the procedure `{name}` has more paths than ids fit 63 bits"),
        }
    }
}

impl std::error::Error for LabError {}

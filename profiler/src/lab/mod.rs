//! The lab: any scheme on graphs and traces from elsewhere.
//!
//! In: a [`Lab`], procedures and traces by the names of their blocks. Out: a [`LabResult`], names again. No text format is known here: the
//! caller reads and writes JSON.
//!
//! Phases: 1. graphs (`procedure`); 2. traces to steps (`trace`); 3. the scheme, with the edge scheme beside it for the edge counts
//! (`evaluate`); 4. names again (`rows`).
//!
//! Successor order is numbering order; back edges are found by depth-first search in that order. A call block that names a return site has
//! an edge there. A trace that stops short of the exit is an activation that failed in its last block: its last path is a prefix.
//!
//! Invariant: what no graph allows is a [`LabError`] that names it; nothing in the input causes a panic.

mod evaluate;
mod procedure;
mod rows;
mod trace;

use std::fmt;

use crate::scheme::Scheme;

pub use evaluate::evaluate;

/// Static paths are listed up to so many.
pub const PATH_LIST_MAX: u64 = 10_000;

/// The input.
#[derive(Clone, Debug)]
pub struct Lab {
    /// What to evaluate.
    pub scheme: Scheme,
    /// Every procedure by name.
    pub procedures: Vec<(String, Procedure)>,
    /// The procedure that each trace is an activation of.
    pub main: String,
    /// Blocks in the order in which they ran, `procedure:block` where there are several procedures.
    pub traces: Vec<Vec<String>>,
}

/// One procedure.
#[derive(Clone, Debug, Default)]
pub struct Procedure {
    /// Where activations start.
    pub entry: String,
    /// Where they return.
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
    /// Where the caller goes on.
    pub return_site: String,
}

/// The output.
#[derive(Clone, Debug, PartialEq)]
pub struct LabResult {
    /// What was evaluated.
    pub scheme: Scheme,
    /// Each procedure, in the order of the input.
    pub functions: Vec<FunctionResult>,
}

/// What a scheme says of one procedure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionResult {
    /// The procedure.
    pub name: String,
    /// Its blocks.
    pub blocks: Vec<String>,
    /// Every edge with its count.
    pub edges: Vec<(String, String, u64)>,
    /// Every edge that paths run along with its value: `bl` and `k-bl`.
    pub values: Vec<(String, String, u64)>,
    /// Every edge with its `(val, cval)` in each iteration: `k-iter`.
    pub iteration_values: Vec<IterationValues>,
    /// Number of acyclic paths, for `k-iter` of k-iteration paths; `None` if ids do not fit, which only schemes that need no ids allow.
    pub num_paths: Option<u64>,
    /// Complete paths with their counts: `bl`, `k-iter` and `bala`.
    pub paths: Vec<PathRow>,
    /// Paths that stopped short, counted apart: of all path schemes.
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

/// An edge's values in each iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationValues {
    /// Where the edge leaves.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// `(val, cval)` for iterations 1, 2, ... in which paths run along it.
    pub values: Vec<(u64, u64)>,
}

/// A path with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRow {
    /// The path's id: `start:bits` for `bala`, else decimal.
    pub id: String,
    /// Its blocks.
    pub blocks: Vec<String>,
    /// How often it was taken.
    pub count: u64,
}

/// A path there could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticPath {
    /// Its id.
    pub id: u64,
    /// Its blocks.
    pub blocks: Vec<String>,
}

/// Nodes of the forests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForestSize {
    /// The longest sequences.
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
    /// The places in bit order; an inner loop stands by its header.
    pub places: Vec<String>,
    /// Each window of k executions.
    pub windows: Vec<WindowRow>,
    /// The executions after the last whole window, if there are any.
    pub rest: Option<WindowRow>,
}

/// What held in a window of `tfp`.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowRow {
    /// Executions.
    pub executions: u64,
    /// Whether k executions in a row took one path.
    pub persistent: bool,
    /// The register's bits that every execution set, highest first.
    pub and: String,
    /// The bits that any execution set.
    pub or: String,
    /// The one path, if there was but one.
    pub path: Option<Vec<String>>,
    /// Places never taken.
    pub untaken: Vec<String>,
    /// Segments always taken.
    pub segments: Vec<Vec<String>>,
    /// Edges of the region that bits can tell, and whether they were taken.
    pub edges: Vec<(String, String, bool)>,
    /// The shortest row of executions along one path.
    pub least: u64,
    /// The longest.
    pub greatest: u64,
}

/// What no graph, or no scheme, allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabError {
    /// A procedure of this name is not there.
    UnknownProcedure(String),
    /// A procedure of this name is there twice.
    DuplicateProcedure(String),
    /// A block of this name is not there.
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
    /// A trace takes a step that is no edge, call or return.
    NoEdge(String, String),
    /// A trace goes on after its activation has returned.
    AfterReturn(String),
    /// The scheme needs a reducible graph, and this back edge enters a loop past its header.
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

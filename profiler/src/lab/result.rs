//! Output of the lab.
//!
//! In: nothing. Out: [`LabResult`], all in names of blocks. Invariant: a list that a scheme does not fill is empty.

use crate::scheme::Scheme;
pub use crate::settings::lab::PATH_LIST_MAX;

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

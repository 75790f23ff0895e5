//! Output of the lab.
//!
//! In: nothing. Out: [`LabResult`], all in names of blocks. Invariant: a list that a scheme does not fill is empty.

use super::error::LabError;
use super::scheme::LabScheme;
pub use crate::settings::lab::PATH_LIST_MAX;

/// Output of the lab.
#[derive(Clone, Debug, PartialEq)]
pub struct LabResult {
    /// The scheme that was evaluated.
    pub scheme: LabScheme,
    /// Each procedure, in the order of the input.
    pub functions: Vec<FunctionResult>,
    /// The paths across procedures: interprocedural schemes.
    pub across: Option<AcrossResult>,
    /// Calling contexts, in the order in which they were entered first: `cct`.
    pub contexts: Vec<ContextRow>,
}

/// A calling context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextRow {
    /// Its number.
    pub id: u32,
    /// The context that calls it; `None` for main.
    pub parent: Option<u32>,
    /// The call block of that.
    pub site: Option<String>,
    /// The procedure.
    pub procedure: String,
    /// Activations in it.
    pub calls: u64,
    /// Those that recursive calls lead back to it.
    pub recursive: u64,
}

/// The results of an interprocedural scheme for the whole program. Blocks are `procedure:block`, vertices such as `Entry_main`
/// and `GEntry_main` as in the paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcrossResult {
    /// Number of paths.
    pub num_paths: u128,
    /// The bits of a number.
    pub bits: u32,
    /// The call blocks of recursive calls.
    pub recursive: Vec<String>,
    /// The call blocks of the other calls that paths do not cross.
    pub cut: Vec<String>,
    /// Each edge from `Entry_global`, by its target, with its value.
    pub entry_values: Vec<(String, u128)>,
    /// Each edge from an exit to a caller, with its value on paths without open calls: piecewise paths.
    pub return_values: Vec<ReturnValue>,
    /// Complete paths with their counts.
    pub paths: Vec<PathRow>,
    /// Prefixes with their counts.
    pub prefixes: Vec<PathRow>,
    /// Every static path, if there are at most [`PATH_LIST_MAX`] and they are not too long.
    pub path_list: Option<Vec<StaticPath>>,
}

/// The value of an edge from an exit to a return site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnValue {
    /// The callee's exit.
    pub exit: String,
    /// The call block.
    pub call: String,
    /// The return site.
    pub return_site: String,
    /// The value.
    pub value: u128,
}

/// A linear function: `(a, b)` for `lambda x. a * x + b`.
pub type Function = (u128, u128);

/// The functions of a procedure for interprocedural paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearFunctions {
    /// `psi` of each block; that of the entry is that of `Entry_P`, which leads to the surrogates as well.
    pub psi: Vec<(String, Function)>,
    /// `rho` of each edge within the procedure.
    pub rho: Vec<(String, String, Function)>,
    /// `rho` of each surrogate edge, from the entry or `GEntry_P`, and to `GExit_P`.
    pub surrogates: Vec<(String, String, Function)>,
    /// An upper bound on how often a path enters the procedure.
    pub max_enters: u128,
    /// `numUnbalRLPaths` of the exit: piecewise paths.
    pub unbalanced_paths_from_exit: Option<u128>,
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
    /// Every edge on paths with its value: `bl`, `k-bl` and `context`.
    pub values: Vec<(String, String, u128)>,
    /// Every header with the value of its surrogate edge: `context`.
    pub surrogate_values: Vec<(String, u128)>,
    /// The reason for which the scheme has no paths of this procedure. Without a stream such a reason is the error of the whole input.
    pub refused: Option<LabError>,
    /// Its functions: interprocedural schemes.
    pub linear: Option<LinearFunctions>,
    /// Every edge with its `(val, cval)` in each iteration: `k-iter`.
    pub iteration_values: Vec<IterationValues>,
    /// Weights of unrolled nests: `k-iter`, where all loops have iterations at once.
    pub unrolled: Option<UnrolledFindings>,
    /// Number of acyclic paths, or for `k-iter` of k-iteration paths and for `context` of context paths; `None` if ids do not
    /// fit, for schemes that need no ids, and for interprocedural schemes.
    pub num_paths: Option<u128>,
    /// Complete paths with their counts: `bl`, `k-iter`, `context` and `bala`.
    pub paths: Vec<PathRow>,
    /// Prefixes with their counts: all path schemes.
    pub prefixes: Vec<PathRow>,
    /// Every static path, if there are at most [`PATH_LIST_MAX`]: `bl`, `k-bl`, `k-iter` and `context`.
    pub path_list: Option<Vec<StaticPath>>,
    /// The sizes of the forests: `k-bl`.
    pub forest: Option<ForestSize>,
    /// Every sequence of 1..k ids with its count: `k-bl`.
    pub sequences: Vec<(Vec<u64>, u64)>,
    /// Every region: `tfp`.
    pub regions: Vec<RegionRow>,
    /// Every unique path trace, most called first: `wpp`, but not of a stream.
    pub traces: Vec<TraceRow>,
}

/// A unique path trace, and its compacted form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceRow {
    /// Activations that took it.
    pub calls: u64,
    /// Its blocks.
    pub blocks: Vec<String>,
    /// Its dynamic basic blocks of more than one block.
    pub dictionary: Vec<Vec<String>>,
    /// Its dynamic basic blocks, each by its first block.
    pub trace: Vec<String>,
    /// The timestamps of each of these, as sign-terminated series.
    pub timestamps: Vec<(String, Vec<i64>)>,
    /// The timestamps of each block, where each block of the trace takes one.
    pub of_blocks: Vec<(String, Vec<i64>)>,
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

/// The weights of a procedure whose nests of loops are unrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnrolledFindings {
    /// Number of copies of blocks.
    pub copies: usize,
    /// The most paths that were under way at once.
    pub most_accumulators: usize,
    /// The weights of each edge.
    pub values: Vec<UnrolledValues>,
}

/// Weights of one edge, in each copy of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnrolledValues {
    /// The source.
    pub from: String,
    /// The target.
    pub to: String,
    /// The iterations of the loops around, outer first; the head of the loop of which the path owes iterations; and the weight.
    pub values: Vec<(Vec<u32>, Option<String>, u64)>,
}

/// A path with its count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathRow {
    /// The path's id: `start:bits` for `bala`, else decimal.
    pub id: String,
    /// Its context prefix; empty where the scheme has none.
    pub context: Vec<String>,
    /// Its blocks behind the context prefix.
    pub blocks: Vec<String>,
    /// The positions, in `context` followed by `blocks`, that the path reaches by a surrogate edge.
    pub surrogates: Vec<usize>,
    /// The call blocks of the calls that the path returns from without having entered them, in order.
    pub returns_to: Vec<String>,
    /// Number of executions.
    pub count: u64,
}

/// A possible path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaticPath {
    /// Its id.
    pub id: u128,
    /// Its context prefix, as in [`PathRow`].
    pub context: Vec<String>,
    /// Its blocks behind the context prefix.
    pub blocks: Vec<String>,
    /// As in [`PathRow`].
    pub surrogates: Vec<usize>,
    /// As in [`PathRow`].
    pub returns_to: Vec<String>,
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

//! The lab: any scheme on graphs and traces from elsewhere.
//!
//! In: a [`Lab`], with procedures and traces in names of blocks. Out: a [`LabResult`], in names as well. The caller
//! reads and writes JSON; no text format is known here.
//!
//! Phases: 1. graphs (`procedure`); 2. traces to steps (`trace`, `executions`); 3. edge counts (`edges`); 4. the scheme: one of the registry
//! (`registered`, with `rows`), paths of iterations in unrolled nests (`unrolled`), intraprocedural context paths (`contexts`), or paths across calls
//! (`interprocedural`).
//!
//! Successor order is numbering order; back edges are found by depth-first search in that order. A call block with a
//! return site has an edge to it. A trace that stops before the exit is an activation that failed in its last block:
//! its last path is a prefix.
//!
//! Invariant: an invalid input gives a [`LabError`] that names the fault; no input causes a panic.

mod across;
mod calling_contexts;
mod contexts;
mod edges;
mod error;
mod evaluate;
mod executions;
mod input;
mod interprocedural;
mod path_traces;
mod procedure;
mod registered;
mod result;
mod rows;
mod scheme;
mod trace;
mod unrolled;

pub use error::{LabError, Remedy};
pub use evaluate::{evaluate, evaluate_stream};
pub use input::{BlockEvent, BlockStream, Call, Lab, Procedure};
pub use result::{
    AcrossResult, ContextRow, ForestSize, Function, FunctionResult, IterationValues, LabResult, LinearFunctions,
    PATH_LIST_MAX, PathRow, RegionRow, ReturnValue, StaticPath, TraceRow, UnrolledFindings, UnrolledValues, WindowRow,
};
pub use scheme::{CutSites, LabScheme};

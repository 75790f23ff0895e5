//! The figures of one program's whole path, and the sizes of runs that have all of them.
//!
//! In: nothing. Out: [`WholePathFigures`]. Sizes are in bytes, times in seconds.

use serde::{Deserialize, Serialize};

/// Most ids of a run whose raw trace is written.
pub const MOST_RAW: u64 = 1 << 29;

/// Most ids of a run that Sequitur and zstd get.
pub const MOST_IDS: u64 = 1 << 26;

/// Figures of one program's whole path. Sizes are in bytes, times in seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WholePathFigures {
    /// The blocks that were entered, 4 bytes each.
    pub blocks: u64,
    /// The activations, 4 bytes each.
    pub calls: u64,
    /// Unique path traces.
    pub unique: u64,
    /// Unique traces of dynamic basic blocks.
    pub compacted: u64,
    /// Unique dictionaries.
    pub dictionaries: u64,
    /// The compacted traces as series of timestamps.
    pub series: u64,
    /// The call graph with equal subtrees as one, after LZW.
    pub calls_lzw: u64,
    /// The recording's file, with the program's text.
    pub file: u64,
    /// The bytes of it that store the program.
    pub program: u64,
    /// Nodes and edges of the control-flow graphs of all functions.
    pub static_size: (u64, u64),
    /// Nodes, edges, timestamps and numbers of series of the dynamic graphs of all unique traces.
    pub dynamic_size: [u64; 4],
    /// The functions that were called.
    pub functions: Vec<CalledFunction>,
    /// Sequitur and zstd; none if the run has more than [`MOST_IDS`].
    pub rivals: Option<RivalFigures>,
}

/// Figures of one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CalledFunction {
    /// Its activations.
    pub calls: u64,
    /// Its unique path traces.
    pub unique_traces: u32,
    /// Time of its extraction by index, compacted as questions need it.
    pub compacted: f64,
    /// The same with every block.
    pub expanded: f64,
    /// Time of its extraction from the raw trace.
    pub raw: Option<f64>,
    /// The same from the raw trace after zstd.
    pub zstd: Option<f64>,
    /// Time that its subgrammar took, after the grammar was read.
    pub sequitur: Option<f64>,
}

/// Figures of the rivals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RivalFigures {
    /// The raw trace after zstd.
    pub zstd: u64,
    /// The grammar that Sequitur infers.
    pub sequitur: u64,
    /// Time of reading it.
    pub sequitur_read: f64,
}

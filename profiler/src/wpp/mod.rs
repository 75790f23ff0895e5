//! Timestamped whole program paths: the complete control flow of a run, compacted so that it can be asked [ZG01].
//!
//! In: the path events of a thread. Out: the unique path traces of each function, and the dynamic call graph that puts
//! them together to the run.
//!
//! [ZG01]: Y. Zhang and R. Gupta, "Timestamped whole program path representation and its applications", PLDI 2001.
//!
//! Notation: a *block* is a node of a function's graph. A *path trace* is the sequence of blocks of one activation. A
//! *step* is a position in a path trace, a *timestamp* one in a trace of dynamic basic blocks; both count from 1.
//!
//! 1. [`recorder`]: from events to a [`WholePath`]; duplicate traces are dropped as they end.
//! 2. [`dictionary`]: dynamic basic blocks of a trace, and their timestamps as [`series`].
//! 3. [`compact`]: the sizes of these stages.
//! 4. [`file`]: the file, from which one function is read without the rest.
//! 5. [`replay`] and [`find`]: the path in order, forward and backward, and search in it; [`replay_check`]: an execution
//!    beside it.
//!
//! Questions are asked about one path trace at a time: [`dynamic_graph`] gives it as a graph, over which [`query`] and
//! [`calls`] propagate facts, [`slice`] finds dependences and [`currency`] the values of moved assignments. [`sequitur`]
//! is what all this is compared with.

pub mod call_graph;
pub mod calls;
pub mod compact;
pub mod currency;
pub mod dictionary;
pub mod dynamic_graph;
pub mod file;
pub mod find;
pub mod function_traces;
pub mod path_blocks;
pub mod program;
pub mod query;
pub mod recorder;
pub mod replay;
pub mod replay_check;
pub mod rolling;
pub mod sequence;
pub mod sequitur;
pub mod series;
pub mod slice;
pub mod whole_path;

mod activation_cache;
mod function_recorder;
mod live_activation;
mod node_table;
mod piece_sums;
mod sequence_cursor;
mod sequence_piece;

pub use call_graph::{CUT, CallGraph, CallNode, TraceNumber};
pub use compact::{FunctionSizes, StageSizes, stages};
pub use dictionary::{Dictionary, TimestampedTrace};
pub use file::{Checks, CompactedFile, Effort, ExtractedTrace, FileError, TwppFile, write};
pub use find::{Occurrence, Occurrences, find};
pub use function_traces::{FunctionTraces, PieceNumber};
pub use path_blocks::{NumberedPaths, PathBlocks};
pub use program::{BlockShape, FunctionShape, Program, RecordedModule, SourceLines, SourceText};
pub use recorder::Recorder;
pub use replay::{BlockEvent, Replay};
pub use replay_check::{CheckedBlock, ReplayCheck};
pub use series::{BadSeries, Series, SeriesEntry, Timestamp};
pub use whole_path::{TraceCounts, WholePath};

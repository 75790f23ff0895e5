//! Whole paths of runs: recorded while a program runs, and asked afterwards.
//!
//! The road: code with the plans of `--scheme wpp` -> words of events -> a [`PathListener`](holloway_machine::profile::PathListener), such as [`Recording`] -> a file -> questions.
//! The recorded path, its compaction and its file are those of `holloway_profiler::wpp`; here is the part that knows the IR.
//!
//! The path of a run is in its file; what it read and wrote is not. A run is deterministic but for its inputs, so [`execute`] executes the
//! program again ([`reload`]) under an observer, which keeps the addresses of accesses to memory; a module of WebAssembly is in its file, too. The engines that answer are those of
//! `holloway_profiler::wpp`; `facts` tells them what instructions define, use and decide. Answers are in terms of the source [ZG01
//! section 4].

pub mod answer_error;
pub mod currency;
pub mod execution;
pub mod facts;
pub mod last_paths;
pub mod program;
pub mod query;
pub mod recording;
pub mod reload;
pub mod settings;
pub mod slice;

pub use answer_error::AnswerError;
pub use execution::{ProgramExecution, RecordedPath, Rerun, execute, execute_path};
pub use facts::place::{PlaceError, SourceLine};
pub use last_paths::LastPaths;
pub use query::{
    Fact, FactAnswer, FactPart, FactQuestion, HotFact, LoadFacts, Optimized, hottest, query, query_forward,
};
pub use recording::{End, State, record};
pub use reload::{Reloaded, reload};
pub use slice::{SliceLine, SliceQuestion, SourceSlice, slice, slice_forward};

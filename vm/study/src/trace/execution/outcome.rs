//! The result of executing a recorded run again.
//!
//! In: nothing. Out: [`ProgramExecution`], or an [`ExecutionError`]; and [`RecordedPath`], which an execution is compared
//! with.

use super::memory::MemoryAccesses;
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::wpp::ReplayCheck;
use holloway_profiler::wpp::slice::Execution;
use std::fmt;

/// A recording that an execution is compared with.
pub enum RecordedPath<'a> {
    /// Blocks, in order of execution.
    Blocks(&'a mut dyn Iterator<Item = (FuncRef, Block)>),
    /// A recording that may have been cut short.
    Activations(ReplayCheck<'a>),
}

/// A program and an execution of it.
#[derive(Clone, Debug, Default)]
pub struct ProgramExecution {
    /// The functions, path traces and activations.
    pub execution: Execution,
    /// The accesses to memory.
    pub memory: MemoryAccesses,
    /// Number of blocks executed.
    pub blocks: u64,
}

/// Reasons for which a recorded run cannot be executed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutionError {
    /// Another block is executed than was recorded.
    Differs {
        /// The number of blocks before it.
        after: u64,
        /// The name and number of the recorded block; `None` if none was recorded here.
        recorded: Option<(String, u32)>,
        /// Those of the executed block; `None` if the program ends.
        found: Option<(String, u32)>,
    },
    /// More dependences than there is room for.
    TooLarge,
    /// More blocks than an execution is kept of.
    TooLong {
        /// The limit.
        most: u64,
    },
}

impl fmt::Display for ExecutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |(function, block): &(String, u32)| format!("{function}:block{block}");
        match self {
            ExecutionError::Differs { after, recorded, found } => {
                let found = found.as_ref().map_or_else(|| "the program ends".to_owned(), name);
                let recorded = recorded.as_ref().map_or_else(|| "a return".to_owned(), name);
                write!(f, "the run cannot be repeated: after {after} blocks {recorded} was recorded, but now ")?;
                write!(f, "{found}; its inputs or the program have changed")
            }
            ExecutionError::TooLarge => write!(f, "its values depend on more than can be told apart"),
            ExecutionError::TooLong { most } => write!(
                f,
                "the run has more than {most} blocks, too many to keep; `query`, and `slice` by approach 3, answer about longer ones"
            ),
        }
    }
}

impl std::error::Error for ExecutionError {}

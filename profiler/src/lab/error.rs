//! Errors of the lab's input.
//!
//! In: nothing. Out: [`LabError`]. Invariant: each names the block, edge or procedure at fault.

use std::fmt;

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
    /// A stream of blocks is empty.
    EmptyStream,
    /// A stream of blocks starts with a cut.
    CutBeforeStart,
    /// A trace does not start at the entry of `main`.
    WrongStart(String),
    /// A stream of blocks cannot be read.
    Stream(String),
    /// A stream of blocks has the number of no block.
    NoSuchBlock(u32),
    /// A stream of blocks cuts the activation of `main`, which has no caller.
    CutMain(String),
    /// A step of a trace is no edge, call or return.
    NoEdge(String, String),
    /// A trace passes over a call that the scheme follows.
    CallLeftOut(String, String),
    /// The scheme follows calls, and this call block leads elsewhere than to its return site.
    CallBranches(String),
    /// A call site to be cut is no call block.
    NoCall(String),
    /// A trace continues after its activation has returned.
    AfterReturn(String),
    /// The scheme needs a reducible graph, and this back edge enters a loop beside its header.
    Irreducible(String, String),
    /// The ids of this procedure's paths do not fit 63 bits.
    TooManyPaths(String),
    /// A block is no header of a loop, or iterations of its loop cannot be told apart.
    NoLoop(String),
    /// The numbers of a procedure's paths have more bits.
    PastNumbers {
        /// The procedure.
        of: String,
        /// The bits that they may have.
        bits: u32,
    },
    /// The numbers of the program's paths have more bits, though those of no procedure do.
    ProgramPastNumbers {
        /// The bits that they may have.
        bits: u32,
        /// The calls that paths cross.
        crossed: Crossed,
    },
}

/// The calls that paths cross, but for the recursive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// All.
    All,
    /// Those that the input does not list.
    Unlisted,
    /// None.
    Nothing,
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
            LabError::EmptyStream => f.write_str("the trace has no block"),
            LabError::CutBeforeStart => f.write_str("the trace cuts an activation before its first block"),
            LabError::WrongStart(block) => {
                write!(f, "a trace starts at `{block}`, which is not the entry of the main procedure")
            }
            LabError::Stream(message) => f.write_str(message),
            LabError::NoSuchBlock(number) => {
                write!(f, "the trace has block number {number}, and the graphs have fewer")
            }
            LabError::CutMain(block) => write!(f, "the trace cuts the first activation in `{block}` and goes on"),
            LabError::NoEdge(from, to) => write!(f, "a trace steps from `{from}` to `{to}`, which is no edge"),
            LabError::CallLeftOut(call, site) => {
                write!(f, "a trace passes over the call in `{call}` to `{site}`; the scheme needs the callee's blocks")
            }
            LabError::CallBranches(call) => {
                write!(f, "the call block `{call}` has another successor than its return site")
            }
            LabError::NoCall(block) => write!(f, "the block `{block}` calls nothing, so it is no call site to cut"),
            LabError::AfterReturn(block) => write!(f, "a trace goes on to `{block}` after it has returned"),
            LabError::Irreducible(from, to) => {
                write!(f, "the scheme needs a reducible graph: the loop closed by `{from}` -> `{to}` has another entry")
            }
            LabError::NoLoop(name) => {
                write!(
                    f,
                    "the block `{name}` is not the header of a loop with iterations, so that no k can be set for it"
                )
            }
            LabError::TooManyPaths(name) => write!(f, "the procedure `{name}` has more paths than ids fit 63 bits"),
            LabError::PastNumbers { of, bits } => {
                write!(f, "the procedure `{of}` has more paths than numbers of {bits} bits")
            }
            LabError::ProgramPastNumbers { bits, crossed } => {
                let further = match crossed {
                    Crossed::All => "; cut call sites with ip-hybrid",
                    Crossed::Unlisted => "; cut further call sites, or leave `cut` out",
                    Crossed::Nothing => ", even where paths cross no call",
                };
                write!(f, "the program has more interprocedural paths than numbers of {bits} bits{further}")
            }
        }
    }
}

impl std::error::Error for LabError {}

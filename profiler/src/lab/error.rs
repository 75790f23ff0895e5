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
    /// A stream of blocks cuts an activation in this block, and the scheme has no path for its caller.
    Cut(String),
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
    /// The numbers of the program's paths, or of a procedure's, have more bits.
    PastNumbers {
        /// The procedure.
        of: Option<String>,
        /// The bits that they may have.
        bits: u32,
        /// A change of the input by which they would have fewer, or be allowed more.
        remedy: Option<Remedy>,
    },
}

/// A change of the input by which numbers of paths fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Another scheme, which cuts call sites.
    Hybrid,
    /// More call sites to cut.
    CutMore,
    /// More bits, at most as many as these.
    MoreBits(u32),
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remedy::Hybrid => f.write_str("; cut call sites with ip-hybrid"),
            Remedy::CutMore => f.write_str("; cut further call sites"),
            Remedy::MoreBits(most) => {
                write!(f, " even where no path crosses a call; allow them more `bits`, at most {most}")
            }
        }
    }
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
            LabError::Cut(block) => {
                write!(
                    f,
                    "the trace cuts an activation in `{block}` and goes on in its caller; paths across calls have no such step"
                )
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
            LabError::PastNumbers { of, bits, remedy } => {
                match of {
                    Some(name) => write!(f, "the procedure `{name}` has more paths than numbers of {bits} bits")?,
                    None => write!(f, "the program has more interprocedural paths than numbers of {bits} bits")?,
                }
                remedy.iter().try_for_each(|remedy| remedy.fmt(f))
            }
        }
    }
}

impl std::error::Error for LabError {}

//! Directives of the controller. The machine carries them out and reports back.
//!
//! In: the controller's decisions. Out: plain data, in the order in which it is to be done.
//! Invariant: every [`CompilationId`] is answered: `compiled` (then `installed` or nothing, as the controller directs) or `refused`.

use holloway_jit::trace::Source;
use holloway_jit::{Tier, VersionId};
use holloway_lang::ir::{Block, FuncRef, Local};
use serde::{Deserialize, Serialize};

/// Numbers the compilations that were asked for, in that order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct CompilationId(pub u32);

/// One thing to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Directive {
    /// Compile; answer with `compiled`.
    Compile(CompilationRequest),
    /// Make what was compiled the code of its entry, at the next poll, instead of what is there; answer with `installed`.
    /// Entry `Call`: new calls run it. Entry `Header`: activations of any other version of the function go there when
    /// they come by that header.
    Install(CompilationId),
    /// Forget what was compiled: it is not wanted any more.
    Discard(CompilationId),
    /// No entry leads to this version any more, but its code is kept: it may be reinstalled. Activations leave it as for `Drop`.
    Retire(VersionId),
    /// Make a version that was retired the code of its entry again; answer with `reinstalled`.
    Reinstall(VersionId),
    /// Tell what the profiled version has gathered, with `profile`; also to be told unasked when its window is full.
    ReadProfile {
        /// The function.
        func: FuncRef,
        /// Its profiled version.
        version: VersionId,
    },
    /// Compile functions in this tier at their first call from now on.
    StartIn(Tier),
    /// Tell how the guards of a version did, with `guards`; also to be told unasked when they fail too often.
    ReadGuards(VersionId),
    /// No entry leads to this version any more. Its running activations leave at the next loop header that has code
    /// of another version; its memory is freed when no frame is in it; then answer with `dropped`.
    Drop(VersionId),
}

/// One compilation.
#[derive(Clone, PartialEq, Debug)]
pub struct CompilationRequest {
    /// Its number.
    pub ticket: CompilationId,
    /// The function.
    pub func: FuncRef,
    /// Way into the code.
    pub entry: Entry,
    /// Kind of code.
    pub plan: CodePlan,
    /// Choices left to chance: how traces are formed, which of their guards fail, and where none is given, their walks.
    pub chance: Option<Chance>,
}

/// Data that chance depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// The seed.
    pub seed: u64,
    /// The header of the loop that surely gets a trace.
    pub near: Option<Block>,
}

/// Way into a version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Entry {
    /// By calls.
    Call,
    /// By on-stack replacement at this loop header.
    Header(Block),
}

impl Entry {
    /// The loop header, if it is one.
    pub fn header(self) -> Option<Block> {
        match self {
            Entry::Call => None,
            Entry::Header(header) => Some(header),
        }
    }
}

/// Kind of code.
#[derive(Clone, PartialEq, Debug)]
pub enum CodePlan {
    /// Optimized, with nothing to watch.
    Optimized,
    /// Optimized, with path probes and TFP registers.
    Profiled(Window),
    /// Optimized, with traces. Not empty, but where walks are left to chance.
    Specialized(Vec<TracePlan>),
}

/// Span for which a profiled version watches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// K of TFP: how many executions of a loop must be alike.
    pub k: u64,
    /// The window of a loop is full after so many executions, alike or not.
    pub executions: u64,
}

/// A trace to form.
#[derive(Clone, PartialEq, Debug)]
pub struct TracePlan {
    /// The header of its loop.
    pub header: Block,
    /// The acyclic paths of one turn of the trace, as in the `TraceSpec` of the crate `jit`: the first starts at the header.
    pub paths: Vec<Vec<Block>>,
    /// Integer locals with the value they are expected to have each time a turn starts.
    pub constants: Vec<(Local, i64)>,
    /// Evidence that it was found by.
    pub source: TraceSource,
    /// The part of begun iterations that may fail before the trace costs more than it gains. The controller sets it;
    /// code reports by itself when it is exceeded over a stretch of iterations.
    pub break_even: f64,
}

impl TracePlan {
    /// The blocks of one turn, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.paths.iter().flatten().copied()
    }
}

/// Evidence that a trace was found by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceSource {
    /// A persistent path, or blocks persistently not taken.
    Tfp,
    /// A sequence of paths that repeats.
    Forest,
    /// Edges that are nearly always taken.
    Edges,
    /// Paths that leave a local as they found it, which says what state the loop is in. The constants are its values; the only path is
    /// the header.
    States,
}

impl From<Source> for TraceSource {
    fn from(source: Source) -> TraceSource {
        match source {
            Source::Tfp => TraceSource::Tfp,
            Source::Forest => TraceSource::Forest,
            Source::Edges => TraceSource::Edges,
            Source::States => TraceSource::States,
        }
    }
}

impl From<TraceSource> for Source {
    fn from(source: TraceSource) -> Source {
        match source {
            TraceSource::Tfp => Source::Tfp,
            TraceSource::Forest => Source::Forest,
            TraceSource::Edges => Source::Edges,
            TraceSource::States => Source::States,
        }
    }
}

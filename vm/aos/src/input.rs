//! Inputs of the controller: everything it knows about the running program comes in as one of these.
//!
//! In: made by the machine (ticks, compilations, reports) and by [`FunctionInfo::of`] from the IR. Out: plain data.
//! Invariant: nothing here refers to live code; numbers that are counts are since a version was installed, and exact.

use std::sync::Arc;

use holloway_ir::{Block, FuncRef};
use holloway_jit::trace::choose::NoRoom;
use holloway_jit::{Leaving, Tier, VersionId};
use serde::{Deserialize, Serialize};

use crate::loop_key::LoopKey;
pub use crate::micros::Micros;
use crate::proposal::Proposal;

pub use crate::function_info::{BodyHash, FunctionInfo, LoopInfo};

/// A tick of the timer, taken at a poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The function whose code polled: the one that was compiled, not one inlined into it.
    pub func: FuncRef,
    /// The version that polled.
    pub version: VersionId,
    /// Its tier.
    pub tier: Tier,
    /// The header of the function's own loop that the poll is in; of the innermost around the call in an inlined function; `None` at a prologue.
    pub loop_header: Option<Block>,
    /// The innermost loop around the poll that is one of an inlined function.
    pub inlined: Option<InlinedLoop>,
    /// Caller of the function, where known.
    pub caller: Option<FuncRef>,
    /// Executions that baseline code has counted, where the tick fell on it.
    pub counted: Option<Executions>,
}

/// Executions that baseline code has counted of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executions {
    /// Calls.
    pub calls: u64,
    /// Back edges taken, of all loops.
    pub back_edges: u64,
}

/// A loop of an inlined function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlinedLoop {
    /// The inlined function, which was declared.
    pub callee: FuncRef,
    /// The header of its loop.
    pub header: Block,
    /// The line of the call that it is inlined at, in the function that was compiled.
    pub call_line: u32,
}

impl Tick {
    /// The innermost loop around the poll.
    pub fn innermost(&self) -> Option<LoopKey> {
        match self.inlined {
            Some(inlined) => Some(LoopKey { callee: Some(inlined.callee), header: inlined.header }),
            None => self.loop_header.map(LoopKey::own),
        }
    }
}

/// Outcome of a compilation.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct CompileOutcome {
    /// Time it took.
    pub micros: Micros,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Instructions of the IR it started from.
    pub ir_size: u64,
    /// Calls that were replaced by the bodies of their callees.
    pub inlined: u32,
    /// Those of them that are indirect calls, inlined behind a test.
    pub guarded: u32,
    /// The time of each part of the compiler.
    pub parts: Vec<PartTime>,
    /// The specialized loops in it, one for each that was asked for and could be formed.
    pub loops: Vec<TraceSummary>,
    /// True iff it counts iterations, so that its speed can be compared.
    pub counts: bool,
    /// Places at which it can be left while it runs.
    pub leaving: Leaving,
    /// Inner loops, of the function and of those that may be inlined into it, that come round the same few times whenever they are entered.
    pub few_trips: Vec<LoopKey>,
}

/// The time that a part of the compiler took: a pass of the optimizer, translation, or something that Cranelift does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PartTime {
    /// Its name.
    pub part: String,
    /// Its own time, in microseconds.
    pub micros: f64,
}

/// A trace as it was formed.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceSummary {
    /// Its loop.
    pub at: LoopKey,
    /// Blocks that were cloned.
    pub blocks: u32,
    /// Branches that became guards, and tests in front of inner loops.
    pub guards: u32,
    /// The loop's traces.
    pub traces: u32,
    /// Iterations of the loop in one of each trace, together.
    pub unrolled: u32,
}

/// Progress of versions up to one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// CPU time of the program's thread, in nanoseconds.
    pub nanos: u64,
    /// Iterations that each version counted since it was compiled.
    pub iterations: Vec<(VersionId, u64)>,
}

/// Findings of a profiled version, whose window is full or which was looked at often enough.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileFindings {
    /// Time that looking through it took.
    pub micros: Micros,
    /// Each loop of the function that ran, and of those that are inlined into it and were watched.
    pub loops: Vec<LoopFindings>,
}

/// Findings about one loop.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopFindings {
    /// The loop.
    pub at: LoopKey,
    /// Iterations that were seen.
    pub iterations: u64,
    /// The path that the last K executions all took, if they did.
    pub persistent: Option<PersistentPath>,
    /// Lines of blocks that none of the last K executions passed.
    pub untaken: Vec<u32>,
    /// The sequence of paths that repeats, if the forest shows one, or the usual way through the loop.
    pub sequence: Option<RepeatingSequence>,
    /// Those that repeat enough, and for which the traces of the loop have no room.
    pub no_room: NoRoom,
    /// The best proposal for it, or why there is none.
    pub proposal: Result<Arc<Proposal>, NoProposal>,
}

/// Reasons for which a loop that was profiled cannot be specialized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoProposal {
    /// No path or sequence of paths repeats enough.
    NothingRepeats,
    /// A path repeats, in activations or rounds that are each too short for a trace.
    ShortRuns,
    /// Traces of what repeats would be too large.
    TooLarge,
    /// They would be too many.
    TooMany,
    /// Too few of its iterations are covered by what repeats in it.
    LittleCovered,
    /// The run does without what was found in it (`--without`).
    LeftOut,
    /// Others, which cover more iterations, were tried instead.
    NotTried,
    /// The path that repeats is all of the loop: a trace would leave nothing out.
    OnePath,
    /// A trace of what repeats could not be formed.
    NotFormed,
    /// Its usual way calls functions whose loops run, and would be copied for each call.
    CallsLoops,
    /// A trace of a loop around it passes it.
    Unrolled,
    /// Another loop of the function gains more, and the two cannot be specialized in one version.
    AnotherLoop,
}

impl NoProposal {
    /// The reason in words, said of a loop.
    pub fn words(self) -> &'static str {
        match self {
            Self::NothingRepeats => "no path of it repeats enough to be worth a trace",
            Self::ShortRuns => "its path repeats for too few iterations at a time to be worth a trace",
            Self::TooLarge => "traces of all that repeats in it would be too large",
            Self::TooMany => "traces of all that repeats in it would be too many",
            Self::LittleCovered => "what repeats in it covers too few of its iterations to be worth a trace",
            Self::LeftOut => "this run does without the traces that it could have",
            Self::NotTried => "the traces that cover most iterations were tried, and these are of other loops",
            Self::OnePath => "its blocks lead nowhere else but out of the loop, so a trace would leave nothing out",
            Self::NotFormed => "what repeats in it could not be formed as a trace",
            Self::CallsLoops => {
                "its usual way calls functions with loops that run, which a trace would copy for each call"
            }
            Self::Unrolled => {
                "its iterations are in line in a trace of the loop around it, which was considered instead"
            }
            Self::AnotherLoop => "another loop should gain more, and one version cannot have both",
        }
    }
}

/// A K-persistent path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersistentPath {
    /// The K that was asked for.
    pub k: u64,
    /// Number of consecutive executions that took it; at least K.
    pub executions: u64,
    /// The lines it passes.
    pub lines: Vec<u32>,
}

/// A sequence of paths that a loop repeats.
#[derive(Clone, PartialEq, Debug)]
pub struct RepeatingSequence {
    /// The ids of its paths, in order, as decimal text.
    pub ids: Vec<String>,
    /// After how many paths it repeats, or is over.
    pub period: u32,
    /// True iff it is a way through the loop, which is left behind it.
    pub goes_through: bool,
    /// Sequences that the loop repeats in turn, or usual ways, of which this is the first.
    pub alternatives: u32,
    /// The part of iterations that match one of them.
    pub coverage: f64,
}

/// Report on how the guards of a specialized version did, since it was installed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GuardReport {
    /// Each loop that has a trace.
    pub loops: Vec<LoopGuards>,
}

/// Report on how the guards of one trace did.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopGuards {
    /// Its loop.
    pub at: LoopKey,
    /// Iterations of the loop that were begun on the trace.
    pub iterations: u64,
    /// Number of them that left it through a guard, or were made behind one, off a way through the loop.
    pub failures: u64,
    /// The guards that failed.
    pub per_guard: Vec<GuardCount>,
}

/// Number of times one guard failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GuardCount {
    /// The line of its condition.
    pub line: u32,
    /// Number of times it failed.
    pub failures: u64,
}

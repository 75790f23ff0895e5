//! Reasons: why something was decided, refused, or went from one phase to another.
//!
//! In: the figures of whoever decides. Out: plain data; its words are in `event/words.rs`. Invariant: a reason carries the
//! figures that it goes by, so that it can be told without looking anything up.

use serde::{Deserialize, Serialize};

use crate::event::{Choice, DropReason, Inlined};
use crate::input::Micros;
use crate::settings::Clock;

/// A reason.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each variant tells of its figures")]
pub enum Reason {
    /// No decision: the function was called first.
    FirstCall,
    /// The choice has the least total of cost and future, in microseconds; the next is the one after it.
    Least { choice: Choice, total: f64, next: Choice, next_total: f64, clock: Clock },
    /// There is one candidate.
    NothingElse,
    /// Ticks at prologues alone, of which fewer than some may be chance.
    MayBeChance { ticks: u64, sure: u64 },
    /// A tick fell on the function, which is enough for the strategy.
    TickFell,
    /// The strategy does not use paths.
    PathsUnused,
    /// Executions that baseline code has counted.
    Counted { calls: u64, back_edges: u64 },
    /// The same, below the thresholds.
    CountedFew { calls: u64, back_edges: u64 },
    /// Ticks on the function's loops.
    LoopTicks(u64),
    /// The same, below the threshold.
    FewLoopTicks(u64),

    /// Probes, traces or optimized code of the function could not be compiled before.
    Impossible,
    /// A profile promises this part of the function's time, which is too little.
    SmallPromise(f64),
    /// Profiles and what they found have taken what they may.
    BudgetSpent,
    /// The function has no loop.
    NoLoop,
    /// No loop of it has had a tick.
    NoHotLoop,
    /// A reason that is about one loop.
    OfLoop(LoopName, Box<Reason>),
    /// All iterations take one path.
    OneWay,
    /// The loop stays general: its versions were invalidated too often.
    Settled,
    /// The loop rests until then.
    Rests(Micros),
    /// The loop has too little of its function's time, or is profiled elsewhere.
    LittleTime,

    /// A specialization should save this part of the function's time.
    Saves(f64),
    /// The same, below the least that is tried.
    SavesLittle { gain: f64, least: f64 },
    /// It should save nothing.
    SavesNothing,
    /// Its estimate says that it costs more than it saves.
    GainsNothing { coverage: f64, cost: f64, general: f64 },
    /// Its loops have this part of the function's time, below the least.
    SmallShare { share: f64, least: f64 },
    /// One that promised as much measured no gain.
    Vain(f64),
    /// None of the function's loops ran in the window.
    NothingRan,
    /// The profile led to no proposal.
    NoProposal(NoProposal),

    /// A version to compare another with.
    Comparison,
    /// General code in the place of probes or traces.
    General,
    /// Calls that the profile kept from being inlined took so long, in microseconds.
    Outdated { lost: f64, clock: Clock },
    /// The advice says so.
    Advice,

    /// The first version of the code that was compiled is installed.
    Installed,
    /// The window of the profile is full, or its time is over.
    WindowFull,
    /// A loop may be profiled again.
    Rested,
    /// The version was measured, and saves this part of the program's time.
    Gained(f64),
    /// The code in use was dropped.
    Dropped(DropReason),

    /// The compilation is not needed any more.
    NotNeeded,
    /// No trace could be formed.
    NothingFormed,
    /// The plan is about a function that the program does not have.
    NoFunction,
    /// The function is too large to be optimized.
    TooLarge,
    /// No loop of it comes round often enough to be counted.
    NoProgress,
    /// Too many locals are live at the entry.
    LargeState,
    /// Too many loops are around the entry.
    DeepNest,
    /// Another function's profile has it, inlined.
    WatchedElsewhere,
    /// Its paths cannot be numbered.
    NoProbes,
    /// There is no memory for the code.
    NoCodeMemory,
    /// In words: the compiler's, or those of a file that has no more.
    Said(String),
}

/// A loop as people know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopName {
    /// The line it starts on.
    pub line: u32,
    /// The function in whose code it is.
    pub function: String,
    /// The inlined function whose loop it is; `None` if it is the function's own.
    pub callee: Option<Inlined>,
}

/// Reasons for which a loop that was profiled has no proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

impl From<String> for Reason {
    fn from(words: String) -> Reason {
        Reason::Said(words)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Reason {
        Reason::Said(words.to_owned())
    }
}

//! Events of the adaptive system: one typed value for each thing considered, done or refused.
//!
//! In: made by the controller, and by replay. Out: `explain`, `--events`, the REPL and tests read the same type.
//! `docs/events.md` describes every event and field for readers of the files; a test keeps the two together.
//! Invariant: an event carries all figures that it was decided on; nothing has to be looked up elsewhere but source text.

mod subject;

use holloway_jit::trace::Layout;
use serde::{Deserialize, Serialize};

use crate::action::CompilationId;
use crate::input::{GuardCount, Micros, PartTime};
pub use subject::{Inlined, Kind, Subject};

/// The version of the schema in `docs/events.md`; rises when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 3;

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// When.
    pub time: Micros,
    /// On which thread.
    pub thread: Thread,
    /// To what.
    #[serde(flatten)]
    pub subject: Subject,
    /// The event itself.
    #[serde(flatten)]
    pub what: What,
}

/// The threads of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thread {
    /// The one that runs the program.
    Program,
    /// The one that compiles.
    Compiler,
}

/// Kinds of events, with their fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum What {
    /// Distribution of the time since the last of these.
    TickSummary(TickSummary),
    /// A decision, whether it changes anything or not.
    Considered(Considered),
    /// A compilation was asked for.
    CompileStart(CompileStart),
    /// A compilation ended well.
    CompileEnd(CompileEnd),
    /// A version is entered from now on.
    Installed(Installed),
    /// On-stack replacement of a running activation.
    Osr(Osr),
    /// A profile found that a loop repeats itself.
    Persistent(Persistent),
    /// A trace was formed.
    TraceFormed(TraceFormed),
    /// A report on how guards do.
    GuardReport(GuardSummary),
    /// A version was invalidated.
    Dropped(Dropped),
    /// Gain of a version, measured beside another one.
    Gain(Gain),
    /// Something that was wanted could not be.
    Refused(Refused),
    /// The program's run is over.
    RunEnd(RunEnd),
}

/// Of `tick-summary`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TickSummary {
    /// Number of ticks.
    pub ticks: u64,
    /// In how long.
    pub micros: Micros,
    /// The functions they fell on, hottest first.
    pub functions: Vec<Share>,
}

/// A function's part of the ticks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Share {
    /// Its name.
    pub function: String,
    /// The line of its hottest loop.
    pub loop_line: Option<u32>,
    /// Its ticks.
    pub ticks: u64,
}

/// Of `considered`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Considered {
    /// Trigger of the decision.
    pub trigger: Trigger,
    /// Ticks in the function since the program started.
    pub ticks: u64,
    /// T: how long the function is expected to run on, as long as it did so far, in its present version; in microseconds.
    pub expected: f64,
    /// Choices that could be made, the one in force first.
    pub candidates: Vec<Candidate>,
    /// Choice that is made.
    pub choice: Choice,
    /// Why, in words.
    pub reason: String,
}

/// Reasons for a decision to be due.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// A tick fell on the function.
    Tick,
    /// Its profile is complete, or took as long as it may.
    WindowFull,
}

/// A choice that could be made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// It.
    pub choice: Choice,
    /// C: what it costs once, in microseconds.
    pub cost: f64,
    /// F: how long the function would then run on, in microseconds.
    pub future: f64,
}

impl Candidate {
    /// C + F.
    pub fn total(&self) -> f64 {
        self.cost + self.future
    }
}

/// Things that can be done with a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Nothing.
    Stay,
    /// Optimize it.
    Optimize,
    /// Profile its paths, then see.
    Profile,
    /// Specialize its loops.
    Specialize,
}

impl Choice {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Optimize => "optimize",
            Self::Profile => "profile",
            Self::Specialize => "specialize",
        }
    }
}

/// Of `compile-start`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileStart {
    /// The compilation.
    pub compilation: CompilationId,
    /// Kind of code.
    pub plan: Kind,
    /// Entry of the code: `None` by calls, else at the header of the loop on this line.
    pub entry_line: Option<u32>,
    /// Why it is compiled.
    pub why: String,
    /// Instructions of the IR.
    pub ir_size: u64,
    /// Time it is expected to take, in microseconds.
    pub estimate: f64,
}

/// Of `compile-end`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileEnd {
    /// The compilation.
    pub compilation: CompilationId,
    /// Kind of code.
    pub plan: Kind,
    /// As in `compile-start`.
    pub entry_line: Option<u32>,
    /// Time it took.
    pub micros: Micros,
    /// Time it was expected to take.
    pub estimate: f64,
    /// Instructions of the IR.
    pub ir_size: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Calls that were replaced by the bodies of their callees.
    #[serde(default)]
    pub inlined: u32,
    /// Those of them that are indirect calls, inlined behind a test.
    #[serde(default)]
    pub guarded: u32,
    /// The time of each part of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartTime>,
}

/// Of `installed`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Installed {
    /// The compilation it comes from; `None` if it was in use before.
    pub compilation: Option<CompilationId>,
    /// As in `compile-start`.
    pub entry_line: Option<u32>,
    /// The time since it was asked for.
    pub waited: Micros,
}

/// Of `osr`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Osr {
    /// The version that was left; the event's own is the one that was entered.
    pub from: u32,
    /// Its kind.
    pub from_tier: Kind,
    /// Number of activations that went from the one to the other so far.
    pub count: u64,
}

/// Of `persistent`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Persistent {
    /// Iterations that were seen.
    pub iterations: u64,
    /// K, if a path was K-persistent.
    pub k: Option<u64>,
    /// Number of consecutive executions that took the path.
    pub executions: Option<u64>,
    /// The lines of the path or sequence.
    pub lines: Vec<u32>,
    /// Lines that were never passed.
    pub untaken: Vec<u32>,
    /// The path ids of the sequence that repeats.
    pub ids: Vec<String>,
    /// After how many paths the sequence repeats.
    pub period: Option<u32>,
    /// Iterations of the usual way through the loop, from where it is entered to where it is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<u32>,
    /// Sequences that the loop repeats in turn, or usual ways, if it is several. The lines and ids are those of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Further ones with which its traces would be too large, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_large: Option<u32>,
    /// Further ones with which its traces would be too many, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_many: Option<u32>,
    /// The part of iterations that match one of the sequences, or stay on such ways.
    pub coverage: Option<f64>,
    /// Reason for which the loop is not specialized; `None` if it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
}

/// Of `trace-formed`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceFormed {
    /// Blocks that were cloned.
    pub blocks: u32,
    /// Branches that became guards, and tests in front of inner loops.
    pub guards: u32,
    /// The loop's traces.
    #[serde(default)]
    pub traces: u32,
    /// Arrangement of them.
    #[serde(default)]
    pub layout: Layout,
    /// Iterations of the loop in one of each trace, together.
    pub unrolled: u32,
    /// The lines it passes.
    pub lines: Vec<u32>,
    /// The part of iterations that should stay on it.
    pub coverage: f64,
    /// Weighted cost of an iteration on the trace.
    pub trace_cost: f64,
    /// Weighted cost of an iteration in the general loop.
    pub general_cost: f64,
    /// The part of the loop's time that it should save.
    pub estimated_gain: f64,
    /// The part of iterations that may fail before it costs more than it gains.
    pub break_even: f64,
}

impl TraceFormed {
    /// Form of the loop, in words.
    pub fn form(&self) -> String {
        crate::proposal::form(self.layout, self.traces)
    }
}

/// Of `guard-report`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GuardSummary {
    /// Iterations begun on the trace since its counters were read before.
    pub iterations: u64,
    /// Number of them that failed.
    pub failures: u64,
    /// The part that failed.
    pub rate: f64,
    /// The part that may.
    pub break_even: f64,
    /// The guards that failed most, since installation.
    pub worst: Vec<GuardCount>,
}

/// Of `dropped`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// Why.
    pub reason: DropReason,
    /// Time it was in use.
    pub lived: Micros,
    /// Ticks that fell on it.
    pub ticks: u64,
    /// Iterations begun on its traces.
    pub iterations: u64,
    /// Number of them that failed.
    pub failures: u64,
    /// Time it saved, in microseconds, as far as can be told.
    pub saved: f64,
    /// Cost of it: its compilation and the profile before it, in microseconds.
    pub cost: f64,
    /// Number of times its very trace was dropped so far, this time included.
    pub times: u32,
    /// The K of the next profile of the loop; `None` if there is to be none.
    pub next_k: Option<u64>,
}

/// Why a version is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// Its guards failed more often than pays.
    GuardsFail,
    /// It measured no faster than general code.
    NoGain,
    /// It was there to be compared with.
    Compared,
    /// A newer version took its place.
    Replaced,
    /// Its profile is complete.
    ProfileDone,
    /// Abandoned: the function now runs inlined in its caller.
    Abandoned,
    /// Its function has a new body.
    Redefined,
}

impl DropReason {
    /// True iff a specialization was a mistake.
    pub fn is_failure(self) -> bool {
        match self {
            DropReason::GuardsFail | DropReason::NoGain => true,
            DropReason::Replaced
            | DropReason::ProfileDone
            | DropReason::Abandoned
            | DropReason::Redefined
            | DropReason::Compared => false,
        }
    }
}

/// Of `gain`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// The part of time that should be saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<f64>,
    /// The part of CPU time that was saved while it and other code took turns, in the median of pairs; `None` if they could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    /// Bounds of the median with a confidence of 96%.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Nanoseconds of CPU time for an iteration of the loop that both counted, in the specialized version.
    pub specialized: f64,
    /// The same in the general version.
    pub general: f64,
    /// Pairs that the figures are from.
    pub pairs: u64,
}

/// Of `refused`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// Kind of the code that could not be had.
    pub plan: Kind,
    /// Why not, or why it is not tried.
    pub reason: String,
}

/// Of `run-end`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunEnd {
    /// CPU time of the run: of all threads.
    pub cpu: Micros,
    /// The part of it that compilation took, with looking through profiles.
    pub compiling: Micros,
    /// The part of that on the thread that runs the program.
    pub on_program_thread: Micros,
    /// `compiling` divided by `cpu`.
    pub share: f64,
}

impl What {
    /// The name of the event.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TickSummary(_) => "tick-summary",
            Self::Considered(_) => "considered",
            Self::CompileStart(_) => "compile-start",
            Self::CompileEnd(_) => "compile-end",
            Self::Installed(_) => "installed",
            Self::Osr(_) => "osr",
            Self::Persistent(_) => "persistent",
            Self::TraceFormed(_) => "trace-formed",
            Self::GuardReport(_) => "guard-report",
            Self::Dropped(_) => "dropped",
            Self::Gain(_) => "gain",
            Self::Refused(_) => "refused",
            Self::RunEnd(_) => "run-end",
        }
    }
}

#[cfg(test)]
mod documented;
mod examples;
pub use examples::examples;

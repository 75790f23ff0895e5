//! Events of the adaptive system: one typed value for each thing considered, done or refused.
//!
//! In: made by the controller, and by replay. Out: `explain`, `--events`, the REPL and tests read the same type. The
//! record of what became of each function is its [`Transition`]s: reports render them, and reconstruct nothing.
//! `docs/events.md` describes every event and field for readers of the files; a test keeps the two together.
//! Invariant: an event carries all figures that it was decided on; nothing has to be looked up elsewhere but source text.

mod choice;
mod persistent;
mod subject;
mod transition;
mod version;
mod words;

use serde::{Deserialize, Serialize};

use crate::{CompilationId, CompileFigures, GuardCount, Micros, Reason};
pub use choice::{Candidate, Choice, DropReason};
pub use persistent::Persistent;
pub use subject::{Inlined, Kind, Subject};
pub use transition::{Episode, PhaseKind, Transition};
pub use version::{Dropped, Gain, TraceFormed};

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
    /// A function went from one phase to another.
    Transition(Transition),
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
    /// Why.
    #[serde(flatten, with = "words::reason")]
    pub reason: Reason,
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
    #[serde(flatten, with = "words::why")]
    pub why: Reason,
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
    /// Time it was expected to take.
    pub estimate: f64,
    /// What it took, and what it made.
    #[serde(flatten)]
    pub figures: CompileFigures,
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

/// Of `refused`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// Kind of the code that could not be had.
    pub plan: Kind,
    /// Why not, or why it is not tried.
    #[serde(flatten, with = "words::reason")]
    pub reason: Reason,
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

/// The episodes of a run in the order in which they began, each as the last transition about it tells it.
pub fn episodes<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<(Subject, &'a Episode)> {
    let mut all: Vec<(Subject, &Episode)> = Vec::new();
    for event in events {
        let What::Transition(transition) = &event.what else { continue };
        for episode in &transition.loops {
            let subject = episode.subject(&Subject { version: None, tier: None, ..event.subject.clone() });
            let known = all.iter_mut().find(|(of, known)| known.profile == episode.profile && *of == subject);
            match known {
                Some((_, known)) => *known = episode,
                None => all.push((subject, episode)),
            }
        }
    }
    all
}

mod examples;
pub use examples::examples;
#[cfg(test)]
mod tests;

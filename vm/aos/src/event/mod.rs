//! Events of the adaptive system, which `explain`, `--events`, the REPL and tests read as the same type. The record of
//! what became of each function is its [`Transition`]s: reports render them, and reconstruct nothing. Invariant: an
//! event carries all figures that it was decided on; `docs/events.md` has every event and field, as a test checks.
#![expect(missing_docs, reason = "`docs/events.md` describes every field")]

mod choice;
mod persistent;
mod subject;
mod transition;
mod version;
mod words;

use serde::{Deserialize, Serialize};

use crate::{CompilationId, CompileFigures, GuardCount, Micros, Reason};
pub use choice::{Candidate, Choice, DropReason, is_least};
pub use persistent::Persistent;
pub use subject::{Inlined, Kind, Subject};
pub use transition::{Episode, PhaseKind, Transition};
pub use version::{Dropped, Gain, TraceFormed};

/// The version of the schema in `docs/events.md`; rises when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 3;

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    pub time: Micros,
    pub thread: Thread,
    #[serde(flatten)]
    pub subject: Subject,
    #[serde(flatten)]
    pub what: What,
}

/// The threads of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thread {
    Program,
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
    CompileStart(CompileStart),
    CompileEnd(CompileEnd),
    /// A version is entered from now on.
    Installed(Installed),
    Osr(Osr),
    /// A profile found that a loop repeats itself.
    Persistent(Persistent),
    TraceFormed(TraceFormed),
    GuardReport(GuardSummary),
    Dropped(Dropped),
    /// Gain of a version, measured beside another one.
    Gain(Gain),
    /// Something that was wanted could not be.
    Refused(Refused),
    RunEnd(RunEnd),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TickSummary {
    pub ticks: u64,
    pub micros: Micros,
    pub functions: Vec<Share>,
}

/// A function's part of the ticks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Share {
    pub function: String,
    pub loop_line: Option<u32>,
    pub ticks: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Considered {
    pub trigger: Trigger,
    pub ticks: u64,
    pub expected: f64,
    pub candidates: Vec<Candidate>,
    pub choice: Choice,
    #[serde(flatten, with = "words::reason")]
    pub reason: Reason,
}

/// Reasons for a decision to be due.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    Tick,
    /// Its profile is complete, or took as long as it may.
    WindowFull,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileStart {
    pub compilation: CompilationId,
    pub plan: Kind,
    pub entry_line: Option<u32>,
    #[serde(flatten, with = "words::why")]
    pub why: Reason,
    pub ir_size: u64,
    pub estimate: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompileEnd {
    pub compilation: CompilationId,
    pub plan: Kind,
    pub entry_line: Option<u32>,
    pub estimate: f64,
    #[serde(flatten)]
    pub figures: CompileFigures,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Installed {
    pub compilation: Option<CompilationId>,
    pub entry_line: Option<u32>,
    pub waited: Micros,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Osr {
    pub from: u32,
    pub from_tier: Kind,
    pub count: u64,
    #[serde(default)]
    pub took: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GuardSummary {
    pub iterations: u64,
    pub failures: u64,
    pub rate: f64,
    pub break_even: f64,
    pub worst: Vec<GuardCount>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refused {
    pub plan: Kind,
    #[serde(flatten, with = "words::reason")]
    pub reason: Reason,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunEnd {
    pub cpu: Micros,
    #[serde(default)]
    pub program: Micros,
    pub compiling: Micros,
    pub on_program_thread: Micros,
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

//! The adaptive system: which function is compiled again, how, and when that is taken back.
//!
//! In: [`Observation`]s: ticks, compilations, profiles and guard counts. Out: [`Directive`]s for the machine, and an [`event`] for each
//! thing that was considered, done or refused. The road: a tick is folded into a sample; [`decide`] compares what
//! each plan costs and saves by the [`cost_model`]; the [`history`] keeps what came of it; the [`Controller`] holds them together.
//! Invariant: nothing here touches the machine, a clock or a thread. The same inputs give the same directives and events.

pub mod advice;
mod advice_check;
pub mod calibration;
pub mod controller;
pub mod cost_model;
pub mod decide;
#[cfg(test)]
mod demonstration;
pub mod directive;
pub mod event;
pub mod event_file;
mod function_info;
pub mod history;
pub mod input;
mod loop_key;
pub mod observation;
pub mod part;
pub mod replay;
mod sample;
pub mod session;
pub mod settings;
#[cfg(test)]
mod simulation;
pub mod specialization;
mod state_advice;
pub mod stress;

pub use advice::Advice;
pub use calibration::Calibration;
pub use controller::Controller;
pub use decide::gain_at;
pub use directive::{
    CalleeChoice, Chance, CodePlan, CompilationId, CompilationRequest, Directive, Entry, ProgressRequest, Window,
};
pub use event::Event;
pub use input::{
    CompileOutcome, FunctionInfo, GuardCount, GuardReport, InlinedLoop, LoopCandidate, LoopFindings, LoopGuards,
    LoopSummary, Micros, NoCandidate, PartTime, PersistentPath, ProfileFindings, Reading, RepeatingSequence, Tick,
    TraceSummary, WindowState,
};
pub use loop_key::LoopKey;
pub use observation::{Observation, Observed, Policy};
pub use part::{Part, Parts};
pub use replay::ReplayController;
pub use session::Session;
pub use settings::{Clock, Settings};
pub use specialization::{FormedBody, LoopPlan, Specialization, TracePlan};
pub use stress::StressController;
#[cfg(test)]
pub use stress::Stressed;

/// The program of `explain` without a file: a loop that changes phase.
pub const DEMO: &str = include_str!("demo.hw");

//! The adaptive system: which function is compiled again, how, and when that is taken back.
//!
//! ```text
//!   poll -> exec -> Session -> Policy: the controller, or a schedule (replay, random)
//!                    Controller: step (phase, observation) -> Strategy (view -> decision) -> Action -> exec
//!                    exec: compile thread | propose (profile -> proposals) -> Observation
//! ```
//!
//! [`phase`] has the life of a function as one value; `controller` what follows from each [`Observation`];
//! [`strategies`] who decides; [`propose`] what is proposed of a profile; [`exec`] touches the machine, clocks and
//! threads. Invariant: everything else is pure: the same inputs give the same [`Action`]s and [`event`]s.
#![expect(unreachable_pub, reason = "modules are private; `pub` says what other modules may use")]

pub mod action;
pub mod advice;
mod advice_check;
mod advice_without;
pub mod calibration;
mod controller;
mod cost_model;
pub mod event;
pub mod event_file;
pub mod exec;
mod function;
mod function_info;
mod gain;
pub mod input;
mod log;
mod loop_history;
mod loop_key;
mod micros;
pub mod observation;
pub mod part;
mod phase;
mod proposal;
mod propose;
pub mod reason;
mod sample;
pub mod session;
mod setting;
pub mod settings;
#[cfg(test)]
mod simulation;
pub mod strategies;
pub mod strategy;
#[cfg(test)]
mod test_bodies;
#[cfg(test)]
mod test_proposal;
mod trial;
pub mod version;

pub use action::{Action, Chance, CodePlan, CompilationId, CompilationRequest, Entry, ProgressRequest, Window};
pub use advice::Advice;
pub use calibration::Calibration;
pub use controller::Controller;
pub use event::Event;
pub use function_info::differs_by_trips;
pub use gain::{Estimate, Measured};
pub use input::{
    CompileFigures, CompileOutcome, Executions, FunctionInfo, GuardCount, InlinedLoop, LoopGuards, Micros, PartTime,
    ProfileFindings, Reading, Tick,
};
pub use loop_key::LoopKey;
pub use observation::{Observation, Observed, Policy};
pub use part::{Part, Parts};
pub use proposal::Proposal;
pub use reason::{NoProposal, Reason};
pub use session::Session;
pub use settings::{Clock, Settings};
pub use strategies::random::{StressController, Stressed};
pub use strategies::replay::ReplayController;

/// The program of `explain` without a file: a loop that changes phase.
pub const DEMO: &str = include_str!("demo.hw");

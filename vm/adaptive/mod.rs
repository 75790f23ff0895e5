//! The adaptive system: which function is compiled again, how, and when that is taken back.
//!
//! In: ticks, compilations, profiles and guard counts, as [`input`] types. Out: [`Directive`]s for the machine and an
//! [`Event`](event::Event) for each thing that was considered, done or refused. The road: a tick is folded into a `sample`; `decide`
//! compares what each plan costs and saves by the `cost_model`; the `history` keeps what came of it.
//! Invariant: nothing here touches the machine, a clock or a thread. The same inputs give the same directives and events.

pub mod directive;
mod function_info;
pub mod input;

pub use directive::{CodePlan, Directive, Entry, Order, TracePlan, TraceSource, Window};
pub use input::{
    BodyHash, CompileOutcome, FunctionInfo, GuardCount, GuardReport, LoopFindings, LoopGuards, LoopInfo, Micros,
    PersistentPath, ProfileFindings, RepeatingSequence, Tick, Ticket, TraceCandidate, TraceSummary, WindowState,
};

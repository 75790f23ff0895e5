//! Everything that a policy is told of a run, as plain data: a log of it is a recording, which any policy can decide
//! again. Invariant: a policy depends on nothing but its settings and what it has observed, in that order.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use holloway_ir::{Block, FuncRef};
use holloway_jit::VersionId;

use crate::event::Event;
use crate::{
    Action, CompilationId, CompileOutcome, FunctionInfo, LoopGuards, Micros, ProfileFindings, Reading, Reason, Tick,
};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Observation {
    /// A function, before its first tick; or one that has a new body: with its present body.
    Declared(FuncRef, FunctionInfo),
    /// A timer tick was taken at a poll, in a function that was declared.
    Tick(Tick),
    /// A compilation ended: with its outcome, or why there is none. Answers [`Action::Compile`].
    Compiled(CompilationId, Result<CompileOutcome, Reason>),
    /// A version is in use. Answers [`Action::Install`].
    Installed(CompilationId, VersionId),
    /// A version could not be installed. Answers [`Action::Install`].
    Refused(CompilationId, Reason),
    /// A retired version was reinstated. Answers [`Action::Reinstall`].
    Reinstalled(VersionId),
    /// On-stack replacement of a running activation, which took so many nanoseconds; 0 where polls are the clock.
    Osr { from: VersionId, to: VersionId, header: Block, nanos: u64 },
    /// The profiled version of a function has gathered enough; its profile will follow.
    WindowFull(FuncRef),
    /// The profile of a function. Answers [`Action::ReadProfile`], or comes by itself.
    Profile(FuncRef, ProfileFindings),
    /// Guard counts of each loop of a version that has a trace. Answers [`Action::ReadGuards`], or comes by itself.
    Guards(VersionId, Vec<LoopGuards>),
    /// Time taken since the last look by calls that a version makes often, which its profile kept it from inlining.
    Missed(VersionId, Micros),
    /// Progress of versions that are compared. Answers [`Action::ReadProgress`].
    Progress(Reading),
}

/// Decides by what it observes.
pub trait Policy {
    /// Takes an observation; gives what is to be done.
    fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Action>;

    /// The events since the last call, in order.
    fn take_events(&mut self) -> Vec<Event> {
        Vec::new()
    }
}

/// One entry of a recording.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    pub now: Micros,
    pub observation: Observation,
    /// Answer of the run's policy to it.
    pub actions: Vec<Action>,
}

/// Shows a recording to a policy; gives its actions for each observation. Nothing is carried out: the recording goes on as it went.
pub fn decide_again(policy: &mut dyn Policy, recording: &[Observed]) -> Vec<Vec<Action>> {
    recording.iter().map(|observed| policy.observe(observed.now, observed.observation.clone())).collect()
}

//! The controller: told what happens, it says what to do.
//!
//! In: [`Observation`]s, each with the time. Out: [`Action`]s, [`Event`]s, version records.
//!
//! ```text
//!   observe -> step: one match over phase and observation -> tick     what a function should run as: asks the strategy
//!                                                         -> profile  what follows from its profile: asks the strategy
//!                                                         -> guards   what follows from failing guards
//!                                                         -> compare  two versions take turns
//!                                                         -> entry, install   versions are requested and come into use
//! ```
//!
//! Invariant: a function that is [`Compiling`](crate::phase::Phase::Compiling) has one plan under way; what else is asked
//! about it waits until that is installed or refused.

mod compare;
mod entry;
mod guards;
mod install;
mod leaving;
mod outdated;
mod profile;
mod step;
mod tick;

use std::collections::BTreeMap;

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use crate::advice::{Change, Step};
use crate::cost_model::CostModel;
use crate::event::{Candidate, DropReason, Episode, Event, PhaseKind, Transition, What};
use crate::function::Function;
use crate::log::Log;
use crate::phase::{Code, Phase};
use crate::strategy::{Decision, Strategy};
use crate::trial::Trial;
use crate::version::{Generation, VersionRecord, VersionState};
use crate::{
    Action, Advice, Calibration, Clock, CodePlan, CompilationId, CompileOutcome, Entry, FunctionInfo, LoopKey, Micros,
    Observation, Policy, Reason, Settings,
};

/// Carries out what a strategy decides about each function.
#[derive(Clone, Debug)]
pub struct Controller {
    settings: Settings,
    strategy: &'static Strategy,
    model: CostModel,
    log: Log,
    /// Compilations that were asked for and are not installed yet.
    orders: BTreeMap<CompilationId, Order>,
    /// Time of compilations for profiles and what they found, and of looking through these, less what versions are measured to have saved
    /// while ticks fell on them, and what traces without a measurement saved that paid by what their guards let through.
    overhead: f64,
    trial: Option<Trial>,
    compilations: u32,
    generations: u32,
    profiles: u32,
    ticks: u64,
    last_tick: Micros,
    last_summary: (u64, Micros),
    steps: Vec<Step>,
}

/// A compilation that was asked for.
#[derive(Clone, Debug)]
struct Order {
    func: FuncRef,
    generation: Generation,
    entry: Entry,
    plan: CodePlan,
    asked: Micros,
    estimate: f64,
    outcome: Option<CompileOutcome>,
}

/// Cause of a transition: its reason, the choices of the decision that led to it, and the loops that it is about.
struct Cause {
    reason: Reason,
    candidates: Vec<Candidate>,
    loops: Vec<LoopKey>,
}

impl Cause {
    fn of_loops(reason: Reason, loops: Vec<LoopKey>) -> Cause {
        Cause { reason, candidates: Vec::new(), loops }
    }
}

impl From<Reason> for Cause {
    fn from(reason: Reason) -> Cause {
        Cause::of_loops(reason, Vec::new())
    }
}

impl From<Decision> for Cause {
    fn from(Decision { candidates, reason, .. }: Decision) -> Cause {
        Cause { reason, candidates, loops: Vec::new() }
    }
}

impl Policy for Controller {
    fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Action> {
        self.log.now = now;
        let actions = self.step(observation);
        self.record(&actions);
        actions
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.log.events)
    }
}

impl Controller {
    /// A controller that knows of no function yet.
    pub fn new(settings: Settings, strategy: &'static Strategy, calibration: fn() -> &'static Calibration) -> Self {
        Self {
            settings,
            strategy,
            model: CostModel::new(calibration, settings.clock),
            log: Log { compiles_apart: settings.clock == Clock::Real, ..Log::default() },
            orders: BTreeMap::new(),
            overhead: 0.0,
            trial: None,
            compilations: 0,
            generations: 0,
            profiles: 0,
            ticks: 0,
            last_tick: Micros(0),
            last_summary: (0, Micros(0)),
            steps: Vec::new(),
        }
    }

    /// Settings that it decides by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The strategy that decides.
    pub fn strategy(&self) -> &'static Strategy {
        self.strategy
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.log.functions.contains_key(&func)
    }

    /// Every version of every function, in the order of the functions and of the versions.
    pub fn records(&self) -> impl Iterator<Item = (FuncRef, &FunctionInfo, &VersionRecord)> {
        self.log
            .functions
            .iter()
            .flat_map(|(func, function)| function.versions.iter().map(move |record| (*func, &function.info, record)))
    }

    /// Ticks so far.
    #[cfg(test)]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The time of the last tick.
    pub fn last_tick(&self) -> Micros {
        self.last_tick
    }

    /// Steps that were taken, for taking them again.
    pub fn advice(&self) -> Advice {
        Advice::new(self.steps.clone())
    }

    /// A function before its first tick, or with a new body: what was known of it, and its versions, are gone.
    fn declare(&mut self, func: FuncRef, info: FunctionInfo) {
        let generation = self.new_generation();
        self.orders.retain(|_, order| order.func != func);
        self.trial.take_if(|trial| trial.func == func);
        for other in self.log.functions.values_mut() {
            other.callees.remove(&func);
            other.loops.retain(|at, _| at.callee != Some(func));
        }
        let phase = self.log.functions.get(&func).map(|function| function.phase.kind());
        if phase.is_some_and(|phase| phase != PhaseKind::Baseline) {
            let first = Code::new(generation, None, Reason::FirstCall);
            self.enter(func, Reason::Dropped(DropReason::Redefined), |_| Phase::Baseline(first));
        }
        match self.log.functions.get_mut(&func) {
            Some(function) => function.redefine(info, generation),
            None => drop(self.log.functions.insert(func, Function::new(info, generation))),
        }
    }

    /// Changes the phase of a function, or what it holds: the one place where a transition is made.
    fn enter(&mut self, func: FuncRef, cause: impl Into<Cause>, change: impl FnOnce(Phase) -> Phase) {
        let Cause { reason, candidates, loops } = cause.into();
        let now = self.log.now;
        let function = self.log.function_mut(func);
        let (from, since) = (function.phase.kind(), function.entered);
        let phase = Phase::Baseline(function.phase.code().clone());
        let phase = std::mem::replace(&mut function.phase, phase);
        function.phase = change(phase);
        function.entered = now;
        let (code, next) = (function.phase.code(), function.phase.next());
        let episodes = loops.iter().filter_map(|at| function.loops.get(at)?.episode.clone());
        let transition = Transition {
            from,
            to: function.phase.kind(),
            since,
            generation: code.generation.0,
            code: code.kind,
            next_generation: next.map(|next| next.generation.0),
            next_code: next.map(|next| next.kind),
            reason,
            candidates,
            loops: episodes.collect(),
        };
        // A new body is no decision, and advice is about one body.
        if transition.reason != Reason::Dropped(DropReason::Redefined) {
            self.advise(func, None, Change::Enter(Box::new(transition.clone())));
        }
        self.log.emit(func, None, None, What::Transition(transition));
    }

    fn new_generation(&mut self) -> Generation {
        self.generations += 1;
        Generation(self.generations)
    }

    fn advise(&mut self, func: FuncRef, reason: Option<DropReason>, change: Change) {
        let step = Step::new(self.ticks, &self.log.function(func).info, change);
        self.steps.push(Step { reason, ..step });
    }

    /// Notes something in the episode of a loop, if it has one.
    fn note_episode(&mut self, func: FuncRef, at: LoopKey, note: impl FnOnce(&mut Episode)) {
        self.log.function_mut(func).loop_mut(at).episode.as_mut().map(note);
    }

    /// Records the actions about existing versions as advice, with an event for each version that was replaced.
    fn record(&mut self, actions: &[Action]) {
        for action in actions {
            let (version, change): (VersionId, fn(_) -> Change) = match action {
                Action::Drop(version) => (*version, Change::Drop),
                Action::Retire(version) => (*version, Change::Retire),
                Action::Reinstall(version) => (*version, Change::Reinstall),
                Action::Compile(_)
                | Action::Install(_)
                | Action::Discard(_)
                | Action::StartIn(_)
                | Action::ReadProfile(..)
                | Action::ReadGuards(_)
                | Action::ReadProgress(_)
                | Action::SetAside(_)
                | Action::TakeUp(_) => continue,
            };
            let func = self.log.owners[&version];
            let function = self.log.function(func);
            let record = function.record(version).expect("owners know their versions");
            if record.state == VersionState::Dropped(DropReason::Compared) {
                continue;
            }
            let reason = match record.state {
                VersionState::Dropped(reason) => Some(reason),
                VersionState::Live | VersionState::Retired => None,
            };
            let compilation = record.compilation;
            self.advise(func, reason, change(compilation));
            if let Some(reason) = reason {
                self.log.dropped(func, version, reason);
            }
        }
    }
}

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

use holloway_ir::{Block, FuncRef};
use holloway_jit::VersionId;

use crate::advice::{Change, Step};
use crate::cost_model::CostModel;
use crate::event::{Candidate, DropReason, Dropped, Episode, Event, PhaseKind, Thread, Transition, What};
use crate::function::Function;
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
    strategy: &'static dyn Strategy,
    model: CostModel,
    functions: BTreeMap<FuncRef, Function>,
    /// Whose code each version is.
    owners: BTreeMap<VersionId, FuncRef>,
    /// Compilations that were asked for and are not installed yet.
    orders: BTreeMap<CompilationId, Order>,
    /// Time of compilations for profiles and what they found, and of looking through these, less what versions are measured to have saved
    /// while ticks fell on them, and what traces without a measurement saved that paid by what their guards let through.
    overhead: f64,
    trial: Option<Trial>,
    compilations: u32,
    generations: u32,
    /// Profiles that were looked through.
    profiles: u32,
    ticks: u64,
    /// The time of the observation at hand.
    now: Micros,
    last_tick: Micros,
    last_summary: (u64, Micros),
    events: Vec<Event>,
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
        self.now = now;
        let actions = self.step(observation);
        self.record(&actions);
        actions
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}

impl Controller {
    /// A controller that knows of no function yet.
    pub fn new(settings: Settings, strategy: &'static dyn Strategy, calibration: fn() -> &'static Calibration) -> Self {
        Self {
            settings,
            strategy,
            model: CostModel::new(calibration, settings.clock),
            functions: BTreeMap::new(),
            owners: BTreeMap::new(),
            orders: BTreeMap::new(),
            overhead: 0.0,
            trial: None,
            compilations: 0,
            generations: 0,
            profiles: 0,
            ticks: 0,
            now: Micros(0),
            last_tick: Micros(0),
            last_summary: (0, Micros(0)),
            events: Vec::new(),
            steps: Vec::new(),
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn strategy(&self) -> &'static dyn Strategy {
        self.strategy
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.functions.contains_key(&func)
    }

    /// Every version of every function, in the order of the functions and of the versions.
    pub fn records(&self) -> impl Iterator<Item = (FuncRef, &FunctionInfo, &VersionRecord)> {
        self.functions
            .iter()
            .flat_map(|(func, function)| function.versions.iter().map(move |record| (*func, &function.info, record)))
    }

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

    /// A function, before its first tick; or one that has a new body. What was known of it is discarded, and what is being compiled for it
    /// will be; its versions are gone, which needs no action.
    fn declare(&mut self, func: FuncRef, info: FunctionInfo) {
        let generation = self.new_generation();
        self.orders.retain(|_, order| order.func != func);
        self.trial.take_if(|trial| trial.func == func);
        for other in self.functions.values_mut() {
            other.forget_function(func);
        }
        let phase = self.functions.get(&func).map(|function| function.phase.kind());
        if phase.is_some_and(|phase| phase != PhaseKind::Baseline) {
            let first = Code::new(generation, None, Reason::FirstCall);
            self.enter(func, Reason::Dropped(DropReason::Redefined), |_| Phase::Baseline(first));
        }
        match self.functions.get_mut(&func) {
            Some(function) => function.redefine(info, generation),
            None => drop(self.functions.insert(func, Function::new(info, generation))),
        }
    }

    /// Changes the phase of a function, or what it holds: the one place where a transition is made.
    fn enter(&mut self, func: FuncRef, cause: impl Into<Cause>, change: impl FnOnce(Phase) -> Phase) {
        let Cause { reason, candidates, loops } = cause.into();
        let now = self.now;
        let function = self.function_mut(func);
        let (from, since) = (function.phase.kind(), function.entered);
        let phase = function.take_phase();
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
        self.emit(func, None, None, What::Transition(transition));
    }

    /// On-stack replacement of a running activation, at the header of a loop of the function.
    fn osr(&mut self, from: VersionId, to: VersionId, header: Block) {
        let Some(func) = self.owners.get(&to).copied().filter(|_| !self.take_turns(from, to)) else { return };
        if let Some(what) = self.function_mut(func).arrived(from, to) {
            self.emit(func, Some(to), Some(header.into()), what);
        }
    }

    fn new_generation(&mut self) -> Generation {
        self.generations += 1;
        Generation(self.generations)
    }

    fn function(&self, func: FuncRef) -> &Function {
        self.functions.get(&func).unwrap_or_else(|| panic!("{func} was not declared to the controller"))
    }

    fn function_mut(&mut self, func: FuncRef) -> &mut Function {
        self.functions.get_mut(&func).unwrap_or_else(|| panic!("{func} was not declared to the controller"))
    }

    /// Adds a step to the advice.
    fn advise(&mut self, func: FuncRef, reason: Option<DropReason>, change: Change) {
        let step = Step::new(self.ticks, &self.function(func).info, change);
        self.steps.push(Step { reason, ..step });
    }

    /// Notes something in the episode of a loop, if it has one.
    fn note_episode(&mut self, func: FuncRef, at: LoopKey, note: impl FnOnce(&mut Episode)) {
        self.function_mut(func).loop_mut(at).episode.as_mut().map(note);
    }

    fn emit(&mut self, func: FuncRef, version: Option<VersionId>, at: Option<LoopKey>, what: What) {
        let subject = self.function(func).subject(version, at);
        let thread = match what {
            What::CompileStart(_) | What::CompileEnd(_) if self.settings.clock == Clock::Real => Thread::Compiler,
            _ => Thread::Program,
        };
        self.events.push(Event { time: self.now, thread, subject, what });
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
            let func = self.owners[&version];
            let function = self.function(func);
            let record = function.record(version).expect("owners know their versions");
            if record.state == VersionState::Dropped(DropReason::Compared) {
                continue;
            }
            let reason = match record.state {
                VersionState::Dropped(reason) => Some(reason),
                VersionState::Live | VersionState::Retired => None,
            };
            let replaced = reason.filter(|reason| reason.is_of_version());
            let replaced = replaced.map(|reason| Dropped::of(record, reason, self.now));
            let (entry, compilation) = (record.entry, record.compilation);
            self.advise(func, reason, change(compilation));
            if let Some(dropped) = replaced {
                self.emit(func, Some(version), entry.header().map(LoopKey::own), What::Dropped(dropped));
            }
        }
    }
}

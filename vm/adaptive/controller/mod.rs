//! The controller: told what happens, it says what to do.
//!
//! In: [`Observation`]s, each with the time. Out: [`Directive`]s, [`Event`]s, records.
//! The road of a tick: `ticking` folds it into the sample and asks `decide`; `entering` requests, installs and replaces versions;
//! `profiling` makes a choice of a profile; `guarding` watches what was specialized and takes it back; `comparing` measures what it gains,
//! `inlining` what code that runs by OSR gains over code that calls.
//!
//! ```text
//!   baseline --> optimized <--> profiled --> specialized      A generation is one plan for a function; its versions are the
//!       |            ^              ^             |           same code entered by calls or at loop headers. `current` is
//!       |            +--------------|-------------+           what runs, `next` what was requested and is not in use yet.
//!       +---------------------------+
//! ```
//! Invariant: a function has at most one `next`; directives about it wait until that is installed or refused.

mod comparing;
mod comparison;
mod entering;
mod growing;
mod guarding;
mod inlining;
mod leaving;
mod outdated;
mod profiling;
mod second;
mod specialized_loop;
mod ticking;
mod watched;

use std::collections::BTreeMap;

use holloway_jit::VersionId;
use holloway_lang::ir::{Block, FuncRef};

use super::advice::{Action, Advice, Step};
use super::calibration::Calibration;
use super::cost_model::CostModel;
use super::directive::{CalleeChoice, CodePlan, CompilationId, Directive, Entry};
use super::event::{DropReason, Dropped, Event, Kind, Osr, Subject, Thread, What};
use super::history::{Generation, VersionRecord, VersionState};
use super::input::{CompileOutcome, FunctionInfo, GuardReport, Micros, ProfileFindings, Reading, Tick};
use super::loop_key::LoopKey;
use super::observation::{Observation, Policy};
use super::settings::{Clock, Settings};
use comparison::Comparison;
use watched::Watched;

/// Decides by the cost-benefit model.
#[derive(Clone, Debug)]
pub struct Controller {
    settings: Settings,
    model: CostModel,
    functions: BTreeMap<FuncRef, Watched>,
    /// Whose code each version is.
    owners: BTreeMap<VersionId, FuncRef>,
    pending: BTreeMap<CompilationId, Pending>,
    /// Time of compilations for profiles and what they found, and of looking through these, less what versions are measured to have saved
    /// while ticks fell on them, and what traces without a measurement saved that paid by what their guards let through.
    overhead: f64,
    /// Versions that take turns.
    comparison: Option<Comparison>,
    compilations: u32,
    generations: u32,
    ticks: u64,
    last_tick: Micros,
    last_summary: (u64, Micros),
    events: Vec<Event>,
    steps: Vec<Step>,
}

impl Policy for Controller {
    fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Directive> {
        match observation {
            Observation::Declared { func, info } => self.declare(func, info),
            Observation::Tick(tick) => return self.tick(now, tick),
            Observation::Compiled { compilation, result } => return self.compiled(now, compilation, result),
            Observation::Installed { compilation, version } => return self.installed(now, compilation, version),
            Observation::Refused { compilation, reason } => return self.refused(now, compilation, &reason),
            Observation::Reinstalled(version) => self.reinstalled(now, version),
            Observation::Osr { from, to, header } => self.osr(now, from, to, header),
            Observation::WindowFull(func) => return self.window_full(now, func),
            Observation::Profile { func, findings } => return self.profile(now, func, &findings),
            Observation::Guards { version, report } => return self.guards(now, version, &report),
            Observation::Missed { version, lost } => return self.missed(now, version, lost),
            Observation::Progress(reading) => return self.progress_read(now, reading),
            Observation::Freed(version) => self.dropped(version),
        }
        Vec::new()
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}

/// A compilation that was asked for and is not installed yet.
#[derive(Clone, Debug)]
struct Pending {
    func: FuncRef,
    generation: Generation,
    entry: Entry,
    plan: CodePlan,
    callees: CalleeChoice,
    why: String,
    asked: Micros,
    estimate: f64,
    outcome: Option<CompileOutcome>,
}

impl Controller {
    /// A controller that knows of no function yet.
    pub fn new(settings: Settings, calibration: fn() -> &'static Calibration) -> Self {
        Self {
            settings,
            model: CostModel::new(calibration, settings.clock),
            functions: BTreeMap::new(),
            owners: BTreeMap::new(),
            pending: BTreeMap::new(),
            overhead: 0.0,
            comparison: None,
            compilations: 0,
            generations: 0,
            ticks: 0,
            last_tick: Micros(0),
            last_summary: (0, Micros(0)),
            events: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Settings that it decides by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.functions.contains_key(&func)
    }

    /// A function, before its first tick; or one that has a new body. Of that what was is forgotten, and what is being compiled for it
    /// will be discarded; its versions are gone, which needs no directive.
    fn declare(&mut self, func: FuncRef, info: FunctionInfo) {
        let generation = self.new_generation();
        self.pending.retain(|_, pending| pending.func != func);
        self.comparison.take_if(|comparison| comparison.func == func);
        for other in self.functions.values_mut() {
            other.forget_function(func);
        }
        match self.functions.get_mut(&func) {
            Some(watched) => watched.redefine(info, generation),
            None => drop(self.functions.insert(func, Watched::new(info, generation))),
        }
    }

    /// A timer tick was taken at a poll. The function must have been declared.
    fn tick(&mut self, now: Micros, tick: Tick) -> Vec<Directive> {
        let work = self.weigh(now);
        self.summarize(now);
        let mut directives = self.ticked(now, tick, work);
        directives.extend(self.ask_progress());
        self.noted(now, directives)
    }

    /// A compilation ended. Answers [`Directive::Compile`].
    fn compiled(
        &mut self,
        now: Micros,
        compilation: CompilationId,
        result: Result<CompileOutcome, String>,
    ) -> Vec<Directive> {
        let directives = match result {
            Ok(outcome) => self.compiled_well(now, compilation, outcome),
            Err(reason) => self.turned_down(now, compilation, &reason),
        };
        self.noted(now, directives)
    }

    /// A version is in use. Answers [`Directive::Install`].
    fn installed(&mut self, now: Micros, compilation: CompilationId, version: VersionId) -> Vec<Directive> {
        let directives = self.entered(now, compilation, version);
        self.noted(now, directives)
    }

    /// Takes note that compiled code could not be installed. Answers [`Directive::Install`].
    fn refused(&mut self, now: Micros, compilation: CompilationId, reason: &str) -> Vec<Directive> {
        let directives = self.turned_down(now, compilation, reason);
        self.noted(now, directives)
    }

    /// A retired version was reinstated. Answers [`Directive::Reinstall`].
    fn reinstalled(&mut self, now: Micros, version: VersionId) {
        self.reinstated(now, version);
    }

    /// On-stack replacement of a running activation, at the header of a loop of the function.
    fn osr(&mut self, now: Micros, from: VersionId, to: VersionId, header: Block) {
        let Some(func) = self.owners.get(&to).copied().filter(|_| !self.take_turns(from, to)) else { return };
        let watched = self.functions.get_mut(&func).expect("owners are declared");
        let from_tier = watched.record(from).map_or(Kind::Baseline, |record| record.kind);
        let Some(record) = watched.record_mut(to) else { return };
        record.arrivals += 1;
        let count = record.arrivals;
        // The first few, then each doubling: a loop that is entered often would fill the log.
        if count <= 4 || count.is_power_of_two() {
            let what = What::Osr(Osr { from: from.0, from_tier, count });
            self.tell(now, func, Some(to), Some(header.into()), what);
        }
    }

    /// The profiled version of a function has gathered enough, and its profile will follow.
    fn window_full(&mut self, now: Micros, func: FuncRef) -> Vec<Directive> {
        let directives = self.leave_probes(now, func);
        self.noted(now, directives)
    }

    /// Takes the findings of a function's profiled version. Answers [`Directive::ReadProfile`], or comes by itself.
    fn profile(&mut self, now: Micros, func: FuncRef, findings: &ProfileFindings) -> Vec<Directive> {
        let directives = self.profiled(now, func, findings);
        self.noted(now, directives)
    }

    /// Takes the report on how the guards of a version did. Answers [`Directive::ReadGuards`], or comes by itself.
    fn guards(&mut self, now: Micros, version: VersionId, report: &GuardReport) -> Vec<Directive> {
        let directives = self.guarded(now, version, report);
        self.noted(now, directives)
    }

    /// A version makes calls that its profile kept it from inlining.
    fn missed(&mut self, now: Micros, version: VersionId, lost: Micros) -> Vec<Directive> {
        let directives = self.lost_by_calls(now, version, lost);
        self.noted(now, directives)
    }

    /// Takes a reading of versions that are compared. Answers [`Directive::ReadProgress`].
    fn progress_read(&mut self, now: Micros, reading: Reading) -> Vec<Directive> {
        let directives = self.progress(now, reading);
        self.noted(now, directives)
    }

    /// The code of a version is gone. Answers [`Directive::Drop`].
    fn dropped(&mut self, version: VersionId) {
        let Some(func) = self.owners.get(&version) else { return };
        let record = self.functions.get_mut(func).and_then(|watched| watched.record_mut(version));
        if let Some(record) = record
            && let VersionState::Dropped(reason) = record.state
        {
            record.state = VersionState::Freed(reason);
        }
    }

    /// Every version of every function, in the order of the functions and of the versions.
    pub fn records(&self) -> impl Iterator<Item = (FuncRef, &FunctionInfo, &VersionRecord)> {
        self.functions
            .iter()
            .flat_map(|(func, watched)| watched.records.iter().map(move |record| (*func, &watched.info, record)))
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

    fn new_generation(&mut self) -> Generation {
        self.generations += 1;
        Generation(self.generations)
    }

    fn watched(&self, func: FuncRef) -> &Watched {
        self.functions.get(&func).unwrap_or_else(|| panic!("{func} was not declared to the controller"))
    }

    fn watched_mut(&mut self, func: FuncRef) -> &mut Watched {
        self.functions.get_mut(&func).unwrap_or_else(|| panic!("{func} was not declared to the controller"))
    }

    /// Adds an event.
    fn tell(&mut self, now: Micros, func: FuncRef, version: Option<VersionId>, at: Option<LoopKey>, what: What) {
        let watched = self.watched(func);
        let info = &watched.info;
        let subject = Subject {
            function: Some(info.name.clone()),
            file: Some(info.file.clone()),
            line: Some(info.line),
            loop_line: at.and_then(|at| watched.loop_at(at)).map(|found| found.line),
            callee: at.and_then(|at| watched.inlined(at)).map(|callee| callee.subject.clone()),
            version: version.map(|version| version.0),
            tier: version.and_then(|version| watched.record(version)).map(|record| record.kind),
        };
        let thread = match what {
            What::CompileStart(_) | What::CompileEnd(_) if self.settings.clock == Clock::Real => Thread::Compiler,
            _ => Thread::Program,
        };
        self.events.push(Event { time: now, thread, subject, what });
    }

    /// Records the directives about existing versions as advice, with an event for each version that was replaced.
    fn noted(&mut self, now: Micros, directives: Vec<Directive>) -> Vec<Directive> {
        for directive in &directives {
            let (version, action): (VersionId, fn(_) -> Action) = match directive {
                Directive::Drop(version) => (*version, Action::Drop),
                Directive::Retire(version) => (*version, Action::Retire),
                Directive::Reinstall(version) => (*version, Action::Reinstall),
                Directive::Compile(_)
                | Directive::Install(_)
                | Directive::Discard(_)
                | Directive::StartIn(_)
                | Directive::ReadProfile { .. }
                | Directive::ReadGuards(_)
                | Directive::ReadProgress(_)
                | Directive::SetAside(_)
                | Directive::TakeUp(_) => continue,
            };
            let func = self.owners[&version];
            let watched = self.watched(func);
            if watched.record(version).is_some_and(|record| record.state == VersionState::Dropped(DropReason::Compared))
            {
                continue;
            }
            let record = watched.record(version).expect("owners know their versions");
            let step = Step::new(self.ticks, &watched.info, action(record.compilation));
            let replaced = match record.state {
                VersionState::Dropped(
                    reason @ (DropReason::Replaced
                    | DropReason::ProfileDone
                    | DropReason::Abandoned
                    | DropReason::Slower),
                ) => Some(Dropped {
                    reason,
                    lived: now.since(record.installed),
                    ticks: record.ticks,
                    iterations: record.iterations,
                    failures: record.failures,
                    saved: 0.0,
                    cost: record.compile.as_f64(),
                    times: 0,
                    next_k: None,
                }),
                VersionState::Dropped(
                    DropReason::GuardsFail
                    | DropReason::ExitHot
                    | DropReason::NoGain
                    | DropReason::Redefined
                    | DropReason::Compared,
                )
                | VersionState::Live
                | VersionState::Retired
                | VersionState::Freed(_) => None,
            };
            let entry = record.entry;
            self.steps.push(step);
            if let Some(dropped) = replaced {
                self.tell(now, func, Some(version), entry.header().map(LoopKey::own), What::Dropped(dropped));
            }
        }
        directives
    }
}

//! `--replay`: the versions and transitions of [`Advice`] at the same points; no sampling, no deciding. A step is due
//! at its tick, once its function was declared; steps keep their order, and those about other bodies or unknown
//! functions are left out. Invariants: a compilation means the same one as in the advice; a transition is told in the
//! phase that it ends.

use std::collections::{BTreeMap, BTreeSet};

use holloway_ir::FuncRef;
use holloway_jit::{Tier, VersionId};

use crate::advice::{AdviceError, Change, CompiledVersion, Step};
use crate::advice_check::check_functions;
use crate::event::{CompileStart, DropReason, Dropped, Event, Kind, PhaseKind, Refused, Thread, Transition, What};
use crate::function::{Function, note_inlined};
use crate::input::BodyHash;
use crate::log::Log;
use crate::version::{Generation, VersionRecord};
use crate::{
    Action, Advice, CompilationId, CompilationRequest, CompileOutcome, Entry, FunctionInfo, Micros, Observation,
    Policy, Reason, Settings, Tick,
};

/// The phase of a function, by its advice.
#[derive(Clone, Copy, Debug)]
struct Followed {
    phase: PhaseKind,
    /// The phase that it left to have code compiled.
    before: PhaseKind,
    /// The generation and the kind of the code in use.
    in_use: (u32, Kind),
}

/// Follows advice.
#[derive(Clone, Debug, Default)]
pub struct ReplayController {
    steps: Vec<Step>,
    next: usize,
    ticks: u64,
    log: Log,
    phases: BTreeMap<FuncRef, Followed>,
    by_body: BTreeMap<(String, BodyHash), FuncRef>,
    /// The versions of the advice, by their compilations.
    versions: BTreeMap<CompilationId, VersionId>,
    /// The version of its first call, of each function.
    first: BTreeMap<FuncRef, VersionId>,
    /// Time that the compilation under way took: nothing else is done before it is in use.
    waiting: Option<(CompilationId, CompileOutcome)>,
    /// Functions that the advice is about and that have another body in this program, by their names.
    unfit: BTreeMap<String, FuncRef>,
    /// Functions that the advice is about and that this program does not have.
    missing: BTreeSet<String>,
}

impl Policy for ReplayController {
    fn observe(&mut self, now: Micros, observation: Observation) -> Vec<Action> {
        self.log.now = now;
        match observation {
            Observation::Tick(tick) => return self.tick(tick),
            Observation::Compiled(compilation, result) => return self.on_compiled(compilation, result),
            Observation::Installed(compilation, version) => return self.installed(compilation, version),
            Observation::Refused(compilation, reason) => return self.refused(compilation, reason),
            Observation::Declared(func, info) => self.declare(func, info),
            Observation::Osr { from, to, header, nanos } => self.log.osr((from, to), header, nanos),
            Observation::Guards(version, loops) => {
                self.log.record_mut(version).into_iter().for_each(|record| record.count(&loops));
            }
            Observation::Reinstalled(version) => self.log.reinstalled(version),
            Observation::WindowFull(_)
            | Observation::Profile(..)
            | Observation::Missed(..)
            | Observation::Progress(_) => {}
        }
        Vec::new()
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.log.events)
    }
}

impl ReplayController {
    /// Follows that advice.
    pub fn new(advice: Advice) -> Self {
        Self { steps: advice.steps, ..Self::default() }
    }

    /// Why steps could not be followed: functions with another body, or that the program does not have.
    pub fn unfit(&self) -> Vec<AdviceError> {
        let missing = self.missing.iter().map(|name| AdviceError::NoFunction(name.clone(), self.steps_about(name)));
        let others = self.unfit.keys().map(|name| AdviceError::OtherBody(name.clone(), self.steps_about(name)));
        others.chain(missing).collect()
    }

    fn steps_about(&self, name: &str) -> usize {
        self.steps.iter().filter(|step| step.function == name && !matches!(step.change, Change::Enter(_))).count()
    }

    /// Takes the names of the program's functions. Refuses advice about numbers of functions that it does not have.
    pub fn take_program(&mut self, names: &[String]) -> Result<(), AdviceError> {
        let has: BTreeSet<&String> = names.iter().collect();
        self.missing =
            self.steps.iter().map(|step| &step.function).filter(|name| !has.contains(name)).cloned().collect();
        check_functions(&self.steps, names.len())
    }

    /// True iff a function was declared.
    pub fn knows(&self, func: FuncRef) -> bool {
        self.log.functions.contains_key(&func) || self.unfit.values().any(|unfit| *unfit == func)
    }

    /// A function, before its first tick. Advice about one of that name with another body is no advice for this program.
    fn declare(&mut self, func: FuncRef, info: FunctionInfo) {
        self.unfit.retain(|_, unfit| *unfit != func);
        let mut named = self.steps.iter().filter(|step| step.function == info.name).peekable();
        if named.peek().is_some() && !named.any(|step| step.hash == info.hash) {
            self.unfit.insert(info.name, func);
            return;
        }
        self.by_body.insert((info.name.clone(), info.hash), func);
        self.log.functions.insert(func, Function::new(info, Generation(0)));
        let phase = PhaseKind::Baseline;
        self.phases.insert(func, Followed { phase, before: phase, in_use: (0, Kind::Baseline) });
    }

    fn tick(&mut self, tick: Tick) -> Vec<Action> {
        self.ticks += 1;
        if tick.tier == Tier::Baseline {
            self.first.entry(tick.func).or_insert(tick.version);
        }
        note_inlined(&mut self.log.functions, tick);
        let reads = self.fold(tick);
        let mut actions = self.go_on();
        actions.extend(reads.then_some(Action::ReadGuards(tick.version)));
        actions
    }

    /// Adds a tick to its version; true iff the version's guards are to be read, as often as they were in the run.
    fn fold(&mut self, tick: Tick) -> bool {
        let Some(function) = self.log.functions.get(&tick.func) else { return false };
        if function.record(tick.version).is_none() {
            let (kind, now) = (Kind::first(tick.tier), self.log.now);
            self.log.add(tick.func, VersionRecord::new(tick.version, kind, Entry::Call, Generation(0), now));
        }
        let record = self.log.function_mut(tick.func).record_mut(tick.version).expect("it is there by now");
        record.ticks += 1;
        record.kind == Kind::Specialized && record.ticks.is_multiple_of(Settings::default().guard_ticks)
    }

    fn on_compiled(&mut self, compilation: CompilationId, result: Result<CompileOutcome, Reason>) -> Vec<Action> {
        let Some((func, compiled)) = self.subject_of(compilation) else {
            return vec![Action::Discard(compilation)];
        };
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(reason) => return self.refused(compilation, reason),
        };
        let estimate = outcome.figures.micros.as_f64();
        self.log.compiled((func, compiled.entry(), &compiled.plan), (compilation, estimate), &outcome);
        for (at, traces) in &outcome.loops {
            self.log.emit(func, None, Some(*at), What::TraceFormed(traces.clone()));
        }
        self.waiting = Some((compilation, outcome));
        vec![Action::Install(compilation)]
    }

    fn installed(&mut self, compilation: CompilationId, version: VersionId) -> Vec<Action> {
        self.versions.insert(compilation, version);
        let outcome = self.waiting.take().map(|(_, outcome)| outcome).unwrap_or_default();
        if let Some((func, compiled)) = self.subject_of(compilation) {
            let kind = Kind::of(&compiled.plan);
            let record = VersionRecord {
                compilation: Some(compilation),
                compile: outcome.figures.micros,
                code_bytes: outcome.figures.code_bytes,
                ..VersionRecord::new(version, kind, compiled.entry(), Generation(0), self.log.now)
            };
            self.log.add(func, record);
            self.log.installed(version, Some(compilation), Micros(0));
        }
        self.go_on()
    }

    /// Takes note that what the advice says cannot be had. The rest is followed, but for what depends on it.
    fn refused(&mut self, compilation: CompilationId, reason: Reason) -> Vec<Action> {
        self.waiting = None;
        if let Some((func, compiled)) = self.subject_of(compilation) {
            let plan = Kind::of(&compiled.plan);
            self.log.emit(func, None, None, What::Refused(Refused { plan, reason: reason.clone() }));
            let Followed { phase: from, before: to, in_use: (generation, code) } = self.phases[&func];
            if from == PhaseKind::Compiling {
                let back = Transition {
                    from,
                    to,
                    since: self.log.now,
                    generation,
                    code,
                    next_generation: None,
                    next_code: None,
                    reason,
                    candidates: Vec::new(),
                    loops: Vec::new(),
                };
                self.enter(func, back);
            }
        }
        self.go_on()
    }

    /// True iff nothing is left to be done: polls need not be counted any more.
    pub fn has_ended(&self) -> bool {
        self.next == self.steps.len() && self.waiting.is_none()
    }

    /// Number of steps of the advice that are still to be done.
    #[cfg(test)]
    pub fn steps_left(&self) -> usize {
        self.steps.len() - self.next
    }

    fn go_on(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        while self.waiting.is_none()
            && let Some(step) = self.steps.get(self.next)
            && step.tick <= self.ticks
        {
            match self.by_body.get(&(step.function.clone(), step.hash)).copied() {
                Some(func) => {
                    let step = step.clone();
                    actions.extend(self.follow(func, step));
                }
                None if self.unfit.contains_key(&step.function) || self.missing.contains(&step.function) => {}
                None => break,
            }
            self.next += 1;
        }
        actions
    }

    fn follow(&mut self, func: FuncRef, step: Step) -> Option<Action> {
        let version = |compilation: Option<CompilationId>| match compilation {
            Some(compilation) => self.versions.get(&compilation).copied(),
            None => self.first.get(&func).copied(),
        };
        match step.change {
            Change::Drop(compilation) => {
                let version = version(compilation)?;
                self.log.dropped(func, version, step.reason.unwrap_or(DropReason::Replaced));
                Some(Action::Drop(version))
            }
            Change::Retire(compilation) => version(compilation).map(Action::Retire),
            Change::Reinstall(compilation) => version(compilation).map(Action::Reinstall),
            Change::Enter(transition) => {
                if self.phases[&func].phase == transition.from {
                    self.enter(func, *transition);
                }
                None
            }
            Change::Compile(compiled) => Some(self.compile(func, compiled)),
        }
    }

    fn compile(&mut self, func: FuncRef, compiled: CompiledVersion) -> Action {
        let compilation = compiled.compilation;
        self.waiting = Some((compilation, CompileOutcome::default()));
        let info = &self.log.functions[&func].info;
        let start = CompileStart {
            compilation,
            plan: Kind::of(&compiled.plan),
            entry_line: info.loop_line(compiled.header),
            why: Reason::Advice,
            ir_size: info.size,
            estimate: 0.0,
        };
        self.log.emit_entered(func, None, compiled.entry(), What::CompileStart(start));
        let (entry, plan, progress, chance) = (compiled.entry(), compiled.plan, None, None);
        Action::Compile(CompilationRequest { compilation, func, entry, plan, progress, chance })
    }

    /// Tells a transition, and the end of traces that it is about: with what is known of these from this run.
    fn enter(&mut self, func: FuncRef, transition: Transition) {
        let followed = self.phases.get_mut(&func).expect("it was declared");
        if followed.phase != PhaseKind::Compiling {
            followed.before = followed.phase;
        }
        (followed.phase, followed.in_use) = (transition.to, (transition.generation, transition.code));
        let now = self.log.now;
        let function = self.log.functions.get_mut(&func).expect("it was declared");
        let since = std::mem::replace(&mut function.entered, now);
        let specialized = function.versions.iter().rfind(|record| record.kind == Kind::Specialized);
        for episode in &transition.loops {
            let (Some(dropped), Some(record)) = (&episode.dropped, specialized) else { continue };
            let here = record.dropped(dropped.reason, now);
            let Dropped { saved, cost, times, next_k, .. } = *dropped;
            let what = What::Dropped(Dropped { saved, cost, times, next_k, ..here });
            let subject = episode.subject(&function.subject(Some(record.id), None));
            self.log.events.push(Event { time: now, thread: Thread::Program, subject, what });
        }
        self.log.emit(func, None, None, What::Transition(Transition { since, ..transition }));
    }

    /// The function of a compilation in the advice, and the version that it is.
    fn subject_of(&self, compilation: CompilationId) -> Option<(FuncRef, CompiledVersion)> {
        self.steps.iter().find_map(|step| match &step.change {
            Change::Compile(compiled) if compiled.compilation == compilation => {
                let func = self.by_body.get(&(step.function.clone(), step.hash)).copied()?;
                Some((func, compiled.clone()))
            }
            Change::Compile(_) | Change::Drop(_) | Change::Retire(_) | Change::Reinstall(_) | Change::Enter(_) => None,
        })
    }
}

#[cfg(test)]
mod tests;

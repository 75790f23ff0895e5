//! Versions come into use: requested, installed, put in the place of older ones, brought back.
//!
//! In: decisions, and the machine's answers. Out: directives. Which entry a plan needs is found by where ticks fall: by calls first,
//! then, where an activation stays in old code, at the header of its outermost loop, then at that of the next one
//! within. An outer header is tried first because code that is entered in the middle of a nest has loops that the optimizer sees less in.
//! Invariant: when a version of a new generation comes into use, no header leads to one of an older generation any more.

use holloway_jit::VersionId;
use holloway_lang::ir::{Block, FuncRef};

use super::leaving::left_at;
use super::specialized_loop::SpecializedLoop;
use super::watched::Plan;
use super::{Controller, Directive, Pending};
use crate::adaptive::advice::{Action, Step};
use crate::adaptive::directive::{CalleeChoice, CodePlan, CompilationId, CompilationRequest, Entry};
use crate::adaptive::event::{
    CompileEnd, CompileStart, DropReason, Installed, Kind, Refused, SplitFormed, TraceFormed, What,
};
use crate::adaptive::history::{Generation, VersionRecord, VersionState};
use crate::adaptive::input::{CompileOutcome, LoopSummary, Micros, Tick};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::part::Part;
use crate::adaptive::settings::{FEW_CALLS, PATIENCE, PATIENCE_OF_OPTIMIZED};
use crate::adaptive::specialization::{LoopPlan, Specialization};

impl Controller {
    /// Orders a new plan, entered from where the last tick fell.
    pub(super) fn request_next(&mut self, now: Micros, tick: Tick, plan: CodePlan, why: String) -> Directive {
        let generation = self.new_generation();
        let next = Plan::new(generation, Some(plan.clone()), why.clone());
        self.request_plan(now, tick, next)
    }

    /// The same, for a plan that has more to it.
    pub(super) fn request_plan(&mut self, now: Micros, tick: Tick, next: Plan) -> Directive {
        let generation = next.generation;
        let plan = next.plan.clone().expect("what is requested has a plan");
        let entry = self.running_entry(tick, &plan).or_else(|| self.missing_entry(now, tick, generation));
        let entry = entry.unwrap_or(Entry::Call);
        let why = next.why.clone();
        self.watched_mut(tick.func).next = Some(next);
        self.request(now, tick.func, generation, entry, plan, why)
    }

    /// Requests one version of a plan.
    pub(super) fn request(
        &mut self,
        now: Micros,
        func: FuncRef,
        generation: Generation,
        entry: Entry,
        plan: CodePlan,
        why: String,
    ) -> Directive {
        let callees = CalleeChoice { called: self.watched(func).called.clone(), inlined: Vec::new() };
        self.request_choosing(now, (func, generation, entry), plan, callees, why)
    }

    /// The same, with a choice of callees.
    pub(super) fn request_choosing(
        &mut self,
        now: Micros,
        (func, generation, entry): (FuncRef, Generation, Entry),
        plan: CodePlan,
        callees: CalleeChoice,
        why: String,
    ) -> Directive {
        let compilation = CompilationId(self.compilations);
        self.compilations += 1;
        let kind = Kind::of(&plan);
        let ir_size = self.watched(func).info.size;
        let estimate = self.model.compile_micros(func, kind, self.watched(func).compiled_size(kind));
        let entry_line = self.entry_line(func, entry);
        let start = CompileStart { compilation, plan: kind, entry_line, why: why.clone(), ir_size, estimate };
        self.tell(now, func, None, entry.header().map(LoopKey::own), What::CompileStart(start));
        let progress = self.progress_loop(func, generation, &plan);
        let pending = Pending {
            func,
            generation,
            entry,
            plan: plan.clone(),
            callees: callees.clone(),
            why,
            asked: now,
            estimate,
            outcome: None,
        };
        self.pending.insert(compilation, pending);
        Directive::Compile(CompilationRequest { compilation, func, entry, plan, callees, progress, chance: None })
    }

    pub(super) fn entry_line(&self, func: FuncRef, entry: Entry) -> Option<u32> {
        self.watched(func).info.loop_line(entry.header())
    }

    /// The loop around the calls that inlined functions are watched at. Activations of a function that has such a loop are long, so that a window
    /// which always began with one would see the same part of them each time; this one begins where ticks fall.
    fn running_entry(&self, tick: Tick, plan: &CodePlan) -> Option<Entry> {
        let watches = matches!(plan, CodePlan::Profiled(window) if !window.callees.is_empty());
        let header = tick.loop_header.filter(|_| watches && !self.settings.without.has(Part::Osr))?;
        Some(Entry::Header(*self.watched(tick.func).nest(header).first()?))
    }

    /// The entry that code of `generation` lacks to be reached from where the tick fell; `None` if all it takes is patience.
    pub(super) fn missing_entry(&self, now: Micros, tick: Tick, generation: Generation) -> Option<Entry> {
        let watched = self.watched(tick.func);
        let enters_loops = !self.settings.without.has(Part::Osr);
        let header = tick.loop_header.filter(|_| enters_loops);
        let mut headers = header.map(|header| watched.nest(header)).unwrap_or_default();
        let running = watched.record(tick.version);
        headers.truncate(running.map_or(usize::MAX, |running| left_at(watched, running, &headers)));
        let by_call = running.is_none_or(|running| running.entry == Entry::Call);
        // Where the outermost loop has its code, a second activation leaves there before long, and the third should not begin in old code.
        let outermost = headers.first().and_then(|header| watched.live(generation, Entry::Header(*header)));
        let few = if outermost.is_some() { 1 } else { FEW_CALLS };
        let is_called = headers.is_empty() || tick.calls.is_none_or(|calls| calls > few);
        let call = (by_call && is_called).then_some(Entry::Call);
        let entries = call.into_iter().chain(headers.into_iter().map(Entry::Header));
        let patience = self.patience(tick);
        // A window needs one entry: where there is one, patience comes before another.
        let of_profile = watched.of(generation).filter(|record| record.kind == Kind::Profiled && record.is_live());
        let mut tried = of_profile.map(|record| record.installed).max();
        for entry in entries.filter(|entry| !watched.failed.contains(&(generation, *entry))) {
            if let Some(record) = watched.live(generation, entry) {
                tried = tried.max(Some(record.installed));
                continue;
            }
            let is_it =
                |pending: &Pending| (pending.func, pending.generation, pending.entry) == (tick.func, generation, entry);
            let waits = self.pending.values().any(is_it) || tried.is_some_and(|tried| now.since(tried) < patience);
            return (!waits).then_some(entry);
        }
        None
    }

    /// The time that an activation may stay in the code that a tick fell on before another entry is tried.
    fn patience(&self, tick: Tick) -> Micros {
        let ticks = match self.watched(tick.func).record(tick.version).map(|record| record.kind) {
            Some(Kind::Baseline) | None => PATIENCE,
            Some(Kind::Optimized | Kind::Profiled | Kind::Specialized) => PATIENCE_OF_OPTIMIZED,
        };
        Micros(ticks * self.settings.tick.0)
    }

    /// True iff a generation is one that the function goes by, or will.
    fn is_wanted(&self, func: FuncRef, generation: Generation) -> bool {
        let watched = self.watched(func);
        watched.current.generation == generation
            || self.is_compared(func, generation)
            || watched.next.as_ref().is_some_and(|next| next.generation == generation)
    }

    pub(super) fn compiled_well(
        &mut self,
        now: Micros,
        compilation: CompilationId,
        outcome: CompileOutcome,
    ) -> Vec<Directive> {
        // Its function got a new body meanwhile.
        let Some(pending) = self.pending.get(&compilation).cloned() else {
            return vec![Directive::Discard(compilation)];
        };
        let (func, kind) = (pending.func, Kind::of(&pending.plan));
        self.watched_mut(func).few_trips.clone_from(&outcome.few_trips);
        self.model.measured(func, kind, self.watched(func).compiled_size(kind), outcome.micros.as_f64());
        let end = CompileEnd {
            compilation,
            plan: kind,
            entry_line: self.entry_line(func, pending.entry),
            micros: outcome.micros,
            estimate: pending.estimate,
            ir_size: outcome.ir_size,
            code_bytes: outcome.code_bytes,
            inlined: outcome.inlined,
            guarded: outcome.guarded,
            parts: outcome.parts.clone(),
        };
        self.tell(now, func, None, pending.entry.header().map(LoopKey::own), What::CompileEnd(end));
        if kind != Kind::Optimized || self.is_of_specialized(func, pending.generation) {
            self.overhead += self.cost(&pending, &outcome);
        }
        if !self.is_wanted(func, pending.generation) {
            self.pending.remove(&compilation);
            return vec![Directive::Discard(compilation)];
        }
        if kind == Kind::Specialized && outcome.loops.is_empty() {
            let mut directives = self.turned_down(now, compilation, "none of its loops could be specialized");
            directives.insert(0, Directive::Discard(compilation));
            return directives;
        }
        self.tell_loops(now, &pending, &outcome);
        self.pending.get_mut(&compilation).expect("it is there").outcome = Some(outcome);
        if self.is_compared(func, pending.generation) {
            return self.compared_compiled(compilation);
        }
        vec![Directive::Install(compilation)]
    }

    fn tell_loops(&mut self, now: Micros, pending: &Pending, outcome: &CompileOutcome) {
        let watched = self.watched(pending.func);
        let current = Some(&watched.current);
        let mut plans = watched.next.iter().chain(current);
        let Some(plan) = plans.find(|plan| plan.generation == pending.generation) else { return };
        let penalty = self.settings.guard_penalty;
        let told: Vec<_> = outcome
            .loops
            .iter()
            .filter_map(|formed| {
                let specialized = plan.loops.iter().find(|one| one.plan.at() == formed.at())?;
                Some((formed.at(), what_was_formed(formed, specialized, penalty)?))
            })
            .collect();
        for (at, what) in told {
            self.tell(now, pending.func, None, Some(at), what);
        }
    }

    /// Time that a compilation took: where polls are counted, as it was expected.
    fn cost(&self, pending: &Pending, outcome: &CompileOutcome) -> f64 {
        match self.settings.clock {
            super::Clock::Real => outcome.micros.as_f64(),
            super::Clock::Polls => pending.estimate,
        }
    }

    /// Takes note that requested code cannot be had.
    pub(super) fn turned_down(&mut self, now: Micros, compilation: CompilationId, reason: &str) -> Vec<Directive> {
        let Some(pending) = self.pending.remove(&compilation) else { return Vec::new() };
        let plan = Kind::of(&pending.plan);
        let refused = What::Refused(Refused { plan, reason: reason.to_owned() });
        self.tell(now, pending.func, None, pending.entry.header().map(LoopKey::own), refused);
        if self.is_compared(pending.func, pending.generation) {
            return self.abandon_comparison(pending.func);
        }
        let watched = self.watched_mut(pending.func);
        let was_next = watched.next.as_ref().is_some_and(|next| next.generation == pending.generation);
        if !was_next {
            watched.failed.push((pending.generation, pending.entry));
            return Vec::new();
        }
        watched.next = None;
        watched.impossible.push(plan);
        match watched.current.kind {
            // The probes must go, whatever becomes of the rest.
            Kind::Profiled => self.back_to_general(now, pending.func, DropReason::ProfileDone),
            Kind::Baseline | Kind::Optimized | Kind::Specialized => Vec::new(),
        }
    }

    pub(super) fn entered(&mut self, now: Micros, compilation: CompilationId, version: VersionId) -> Vec<Directive> {
        let Some(pending) = self.pending.remove(&compilation) else { return Vec::new() };
        let outcome = pending.outcome.as_ref().expect("what is installed was compiled");
        let (func, kind) = (pending.func, Kind::of(&pending.plan));
        let paid = self.cost(&pending, outcome);
        self.owners.insert(version, func);
        let ticks = self.ticks;
        let watched = self.watched_mut(func);
        watched.records.push(record_of(&pending, outcome, compilation, version, now));
        if self.is_compared(func, pending.generation) {
            self.watched_mut(func).current.cost += paid;
            return self.compared_entered(compilation, version);
        }
        let watched = self.watched_mut(func);
        let action = Action::compile(compilation, pending.entry, &pending.plan, &pending.callees.called);
        let step = Step::new(ticks, &watched.info, action);
        let replaced = match watched.next.take_if(|next| next.generation == pending.generation) {
            None => None,
            Some(next) => Some(std::mem::replace(&mut watched.current, Plan { since: now, ..next })),
        };
        watched.current.cost += paid;
        self.steps.push(step);
        let installed = Installed {
            compilation: Some(compilation),
            entry_line: self.entry_line(func, pending.entry),
            waited: now.since(pending.asked),
        };
        self.tell(now, func, Some(version), pending.entry.header().map(LoopKey::own), What::Installed(installed));
        if let Some(replaced) = replaced {
            self.replaced(func, replaced, kind);
        }
        let mut directives = self.clear_away(func, pending.entry);
        directives.extend(self.withdraw(now, func));
        directives
    }

    /// Withdraws compilations of a function for plans that it does not go by any more.
    fn withdraw(&mut self, now: Micros, func: FuncRef) -> Vec<Directive> {
        let is_vain = |pending: &Pending| {
            pending.func == func && pending.outcome.is_none() && !self.is_wanted(func, pending.generation)
        };
        let vain = self.pending.iter().filter(|(_, pending)| is_vain(pending)).map(|(compilation, _)| *compilation);
        let vain: Vec<CompilationId> = vain.collect();
        for compilation in &vain {
            let pending = self.pending.remove(compilation).expect("it was found there");
            let reason = "it is not needed any more".to_owned();
            let refused = What::Refused(Refused { plan: Kind::of(&pending.plan), reason });
            self.tell(now, func, None, pending.entry.header().map(LoopKey::own), refused);
        }
        vain.into_iter().map(Directive::Discard).collect()
    }

    /// Keeps a plan that may come back.
    fn replaced(&mut self, func: FuncRef, replaced: Plan, by: Kind) {
        let watched = self.watched_mut(func);
        match (replaced.kind, by) {
            (Kind::Optimized, Kind::Profiled | Kind::Specialized) => watched.retired = Some(replaced),
            (_, Kind::Optimized) => watched.retired = None,
            (Kind::Baseline | Kind::Profiled | Kind::Optimized | Kind::Specialized, _) => {}
        }
    }

    /// Takes older versions out of use, now that one of the current plan is entered at `entry`.
    fn clear_away(&mut self, func: FuncRef, entry: Entry) -> Vec<Directive> {
        let compared = self.comparison.as_ref().map(|comparison| comparison.generation);
        let watched = self.watched_mut(func);
        let current = watched.current.generation;
        let retired = watched.retired.as_ref().map(|plan| plan.generation);
        let mut directives = Vec::new();
        for record in &mut watched.records {
            let in_the_way = match record.entry {
                Entry::Header(_) => true,
                Entry::Call => entry == Entry::Call,
            };
            let kept = Some(record.generation) == retired;
            let over = match record.state {
                VersionState::Live => in_the_way,
                // Versions retired for a plan that is not kept any more go.
                VersionState::Retired => !kept,
                VersionState::Dropped(_) | VersionState::Freed(_) => false,
            };
            if record.generation == current || Some(record.generation) == compared || !over {
                continue;
            }
            if kept {
                record.state = VersionState::Retired;
                directives.push(Directive::Retire(record.id));
            } else {
                let reason = if record.kind == Kind::Profiled { DropReason::ProfileDone } else { DropReason::Replaced };
                record.state = VersionState::Dropped(reason);
                directives.push(Directive::Drop(record.id));
            }
        }
        directives
    }

    /// Leaves probes or traces for general code: what was retired, else what is compiled now.
    pub(super) fn back_to_general(&mut self, now: Micros, func: FuncRef, reason: DropReason) -> Vec<Directive> {
        let watched = self.watched_mut(func);
        watched.told = None;
        let Some(retired) = watched.retired.take() else {
            if watched.impossible.contains(&Kind::Optimized) {
                return Vec::new();
            }
            let Some(tick) = watched.last_tick else { return Vec::new() };
            let why = "general code for what ran with probes or traces".to_owned();
            return vec![self.request_next(now, tick, CodePlan::Optimized, why)];
        };
        let left = std::mem::replace(&mut watched.current, Plan { since: now, ..retired });
        let mut directives = Vec::new();
        for record in &mut watched.records {
            match record.state {
                VersionState::Retired if record.generation == watched.current.generation => {
                    record.state = VersionState::Live;
                    directives.push(Directive::Reinstall(record.id));
                }
                VersionState::Live if record.generation == left.generation => {
                    record.state = VersionState::Dropped(reason);
                    directives.push(Directive::Drop(record.id));
                }
                VersionState::Live | VersionState::Retired | VersionState::Dropped(_) | VersionState::Freed(_) => {}
            }
        }
        directives.extend(self.withdraw(now, func));
        directives
    }

    pub(super) fn reinstated(&mut self, now: Micros, version: VersionId) {
        let Some(func) = self.owners.get(&version).copied() else { return };
        let Some(record) = self.watched_mut(func).record_mut(version) else { return };
        record.installed = now;
        let entry = record.entry;
        let installed = Installed { compilation: None, entry_line: self.entry_line(func, entry), waited: Micros(0) };
        self.tell(now, func, Some(version), entry.header().map(LoopKey::own), What::Installed(installed));
    }
}

/// The event of a loop that was specialized as it was planned.
fn what_was_formed(formed: &LoopSummary, specialized: &SpecializedLoop, penalty: f64) -> Option<What> {
    let lines = specialized.lines.clone();
    let (cost, general_cost) = (specialized.cost, specialized.general_cost);
    let estimated_gain = specialized.gain(penalty);
    match (formed, &specialized.plan.specialization) {
        (LoopSummary::Trace(formed), Specialization::Trace(trace)) => Some(What::TraceFormed(TraceFormed {
            source: trace.source,
            blocks: formed.blocks,
            guards: formed.guards,
            traces: formed.traces,
            layout: trace.layout,
            unrolled: formed.unrolled,
            lines,
            coverage: specialized.coverage,
            trace_cost: cost,
            general_cost,
            estimated_gain,
            break_even: trace.break_even,
        })),
        (LoopSummary::Split { state, blocks, .. }, Specialization::Split(split)) => {
            Some(What::SplitFormed(SplitFormed {
                blocks: *blocks,
                state: state.clone(),
                states: split.values.clone(),
                lines,
                split_cost: cost,
                general_cost,
                estimated_gain,
            }))
        }
        (LoopSummary::Trace(_), Specialization::Split(_)) | (LoopSummary::Split { .. }, Specialization::Trace(_)) => {
            None
        }
    }
}

fn record_of(
    pending: &Pending,
    outcome: &CompileOutcome,
    compilation: CompilationId,
    version: VersionId,
    now: Micros,
) -> VersionRecord {
    VersionRecord {
        compilation: Some(compilation),
        estimate: pending.estimate,
        compile: outcome.micros,
        code_bytes: outcome.code_bytes,
        inlined: outcome.inlined_functions.clone(),
        counts: outcome.counts,
        leaving: outcome.leaving,
        specialized: specialized_headers(&pending.plan),
        ..VersionRecord::new(
            version,
            Kind::of(&pending.plan),
            pending.entry,
            pending.generation,
            pending.why.clone(),
            now,
        )
    }
}

/// The headers of the function's own loops that a plan specializes.
fn specialized_headers(plan: &CodePlan) -> Vec<Block> {
    match plan {
        CodePlan::Specialized(plans) => {
            plans.iter().map(LoopPlan::at).filter(|at| at.callee.is_none()).map(|at| at.header).collect()
        }
        CodePlan::Optimized | CodePlan::Profiled(_) => Vec::new(),
    }
}

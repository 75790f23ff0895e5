//! A tick: folded into the sample, then the question whether anything should change. A `considered` event tells a
//! decision that is new, acts, or is made on twice the time of the one before.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::Controller;
use crate::event::{Choice, Considered, DropReason, Event, Kind, Share, Subject, Thread, TickSummary, Trigger, What};
use crate::function::note_inlined;
use crate::phase::{Code, Phase};
use crate::settings::{LEAST_LEFT, LEAST_SAVING, LONGEST_TICK, TICK};
use crate::strategy::{Asked, CompileCosts, Decision, Prospect, View};
use crate::version::{Generation, VersionRecord};
use crate::{Action, CodePlan, Entry, LoopKey, Part, Reason, Tick, Window};

/// Ticks between two summaries. Nothing is decided by it.
const SUMMARY_TICKS: u64 = 250;
/// Number of functions that a summary names, at most: a table that is read at a glance. Nothing is decided by it.
const SUMMARY_FUNCTIONS: usize = 8;

impl Controller {
    pub(super) fn weigh(&mut self) -> f64 {
        let since = self.log.now.since(self.last_tick).as_f64();
        self.ticks += 1;
        self.last_tick = self.log.now;
        since.min((LONGEST_TICK * TICK.0) as f64)
    }

    /// Adds a tick to the samples and to its version.
    pub(super) fn fold(&mut self, tick: Tick, time: f64) {
        let (now, settings) = (self.log.now, self.settings);
        self.adopt(tick);
        note_inlined(&mut self.log.functions, tick);
        let kind = self.log.function(tick.func).record(tick.version).expect("it was adopted").kind;
        let work = time * self.model.speed(kind);
        let function = self.log.function_mut(tick.func);
        // What is known of it is of another time.
        if function.sample.ticks > 0 && now.since(function.sample.last) > settings.forget() {
            function.forget();
        }
        let loop_header = tick.loop_header.filter(|header| function.info.loop_at(*header).is_some());
        let innermost = tick.innermost().filter(|at| function.loops.contains_key(at));
        function.sample.add(now, settings.half_life, work, innermost);
        function.last_tick = Some(Tick { loop_header, ..tick });
        let record = function.record_mut(tick.version).expect("it was adopted");
        record.ticks += 1;
        record.time += time;
        let generation = record.generation;
        let code = function.phase.code();
        if let Some(gain) = code.gain.filter(|_| code.generation == generation) {
            self.overhead -= time * gain / (1.0 - gain).max(LEAST_LEFT);
        }
    }

    /// A version that was there first is the function's own beginning.
    fn adopt(&mut self, tick: Tick) {
        if self.log.owners.contains_key(&tick.version) {
            return;
        }
        let (now, function) = (self.log.now, self.log.function(tick.func));
        let kind = Kind::first(tick.tier);
        let current = function.phase.code().generation;
        let first = function.versions.iter().all(|record| record.generation < current);
        if first && kind == Kind::Optimized {
            let code = Code::new(current, Some(CodePlan::Optimized), Reason::FirstCall);
            self.enter(tick.func, Reason::FirstCall, |_| Phase::Optimized(code));
        }
        let generation = if first { current } else { Generation(0) };
        let record = VersionRecord::new(tick.version, kind, Entry::Call, generation, now);
        self.log.add(tick.func, record);
    }

    /// The tick fell on code that is out of date: a version of the present code must be entered from there, once that pays.
    pub(super) fn catch_up(&mut self, tick: Tick, time: f64) -> Vec<Action> {
        let code = self.log.function(tick.func).phase.code();
        let (generation, plan, why) = (code.generation, code.plan.clone(), code.why.clone());
        match (plan, self.missing_entry(tick, generation)) {
            (Some(plan), Some(entry)) if self.pays(tick, time, entry) => {
                vec![self.request(tick.func, generation, entry, plan, why)]
            }
            (Some(_) | None, _) => Vec::new(),
        }
    }

    /// True iff as much was lost by the lack of an entry as its version costs. Where an activation goes through long loops one after the other, each is
    /// over before its version comes.
    fn pays(&mut self, tick: Tick, time: f64, entry: Entry) -> bool {
        let function = self.log.function(tick.func);
        let kind = function.phase.code().kind;
        let running = function.record(tick.version).expect("the tick was folded into it").kind;
        let lost = time * (1.0 - self.model.speed(running) / self.model.speed(kind));
        let cost = self.compile_cost(tick.func, kind);
        let so_far = self.log.function_mut(tick.func).phase.code_mut().lacking.entry(entry).or_default();
        *so_far += lost;
        // A window needs its entry whatever that saves, and code of equal speed differs by more than the table knows.
        kind == Kind::Profiled || lost <= 0.0 || *so_far >= cost
    }

    /// Asks whether the function should run as something else.
    pub(super) fn consider(&mut self, tick: Tick) -> Vec<Action> {
        let mut actions = self.end_abandoned(tick.func);
        let is_ready = !self.worth_profiling(tick.func).is_empty();
        if let (Phase::Resting(code), true) = (&self.log.function(tick.func).phase, is_ready) {
            let code = code.clone();
            self.enter(tick.func, Reason::Rested, |_| Phase::Optimized(code));
        }
        let view = self.view(tick.func);
        let prospect = self.prospect(tick.func, &view);
        let prospect = prospect.as_ref().map(|prospect| *prospect);
        let decision = (self.strategy.choose)(&view, Asked::Tick(prospect));
        self.emit_decision(tick, view.time, &decision);
        let plan = match decision.choice {
            Choice::Optimize => CodePlan::Optimized,
            Choice::Profile => CodePlan::Profiled(self.window(tick.func)),
            Choice::Stay | Choice::Specialize => return actions,
        };
        actions.push(self.request_next(tick, plan, decision));
        actions
    }

    pub(super) fn view(&self, func: FuncRef) -> View {
        let function = self.log.function(func);
        let kind = function.phase.code().kind;
        let work = function.sample.work(self.log.now, self.settings.half_life);
        let counted = function.last_tick.and_then(|tick| tick.counted);
        View {
            kind,
            time: work / self.model.speed(kind),
            speedup: self.model.speed(Kind::Optimized) / self.model.speed(kind),
            compile: self.compile_costs(func),
            may_optimize: !function.impossible.contains(&Kind::Optimized),
            ticks: function.sample.ticks,
            loop_ticks: function.sample.loop_ticks,
            calls: counted.map_or(0, |counted| counted.calls),
            back_edges: counted.map_or(0, |counted| counted.back_edges),
            clock: self.settings.clock,
        }
    }

    pub(super) fn compile_costs(&self, func: FuncRef) -> CompileCosts {
        CompileCosts {
            optimized: self.compile_cost(func, Kind::Optimized),
            profiled: self.compile_cost(func, Kind::Profiled),
            specialized: self.compile_cost(func, Kind::Specialized),
        }
    }

    fn compile_cost(&self, func: FuncRef, kind: Kind) -> f64 {
        self.model.compile_micros(self.log.function(func).work(func, kind)) * self.settings.compile_weight.get()
    }

    /// Prospect of profiling a function now, or why it promises too little.
    fn prospect(&self, func: FuncRef, view: &View) -> Result<Prospect, Reason> {
        let function = self.log.function(func);
        let needed = [Kind::Profiled, Kind::Specialized, Kind::Optimized];
        if self.settings.without.has(Part::Traces) {
            return Err(Reason::NothingElse);
        }
        if needed.iter().any(|kind| function.impossible.contains(kind)) {
            return Err(Reason::Impossible);
        }
        let worth = self.worth_profiling(func);
        let expected = |(at, share): &(_, f64)| share * function.expected_gain(*at);
        let gain: f64 = worth.iter().map(expected).sum();
        if worth.is_empty() {
            return Err(function.why_not_profiled(self.log.now, &self.settings));
        }
        let loops: Vec<LoopKey> = worth.iter().map(|(at, _)| *at).collect();
        let window = self.profile_cost(func, &loops);
        match self.may_spend(view.compile.of_profile(window), gain * view.time) {
            true => Ok(Prospect { gain, window }),
            false => Err(Reason::BudgetSpent),
        }
    }

    /// The time that probes cost in a profile of some loops, in microseconds.
    fn profile_cost(&self, func: FuncRef, loops: &[LoopKey]) -> f64 {
        let function = self.log.function(func);
        let doublings = loops.iter().map(|at| function.loops[at].doublings).max().unwrap_or(0);
        (self.settings.profile_time().0 << doublings) as f64 * (self.model.probe_slowdown() - 1.0)
    }

    /// True iff profiles and what they found take no more of the run than they may, or the next should save four times
    /// what it costs: the least saving of a function's time is then as much of it as all may take of the run.
    fn may_spend(&self, cost: f64, saved: f64) -> bool {
        if cost * LEAST_SAVING <= self.settings.overhead_share * saved {
            return true;
        }
        let limit = self.settings.first_overhead().as_f64() + self.settings.overhead_share * self.log.now.as_f64();
        let under_way = self.orders.values().filter(|order| !matches!(order.plan, CodePlan::Optimized));
        self.overhead + under_way.map(|order| order.estimate).sum::<f64>() <= limit
    }

    fn window(&self, func: FuncRef) -> Window {
        let function = self.log.function(func);
        let worth = self.worth_profiling(func);
        let k = worth.iter().map(|(at, _)| function.loops[at].k(&self.settings)).max();
        let k = k.unwrap_or(self.settings.k);
        let mut callees: Vec<FuncRef> = worth.iter().filter_map(|(at, _)| at.callee).collect();
        callees.dedup();
        Window { k, executions: self.settings.executions(k), callees }
    }

    /// Loops worth a profile now, with their part of the function's work. What one function reports is read for one profile at a time.
    fn worth_profiling(&self, func: FuncRef) -> Vec<(LoopKey, f64)> {
        let mut worth = self.log.function(func).worth_profiling(self.log.now, &self.settings);
        if self.is_watched(func, func) {
            worth.clear();
        }
        worth.retain(|(at, _)| !self.is_watched(at.callee.unwrap_or(func), func));
        worth
    }

    /// True iff a function is watched in the profiled version of another one than `by`.
    fn is_watched(&self, func: FuncRef, by: FuncRef) -> bool {
        self.log.functions.iter().any(|(owner, function)| *owner != by && function.phase.watches(*owner, func))
    }

    /// Ends profiles of what runs inlined in `func`, if no tick has found their own code for as long as a profile may take: nothing is watched in two
    /// places.
    fn end_abandoned(&mut self, func: FuncRef) -> Vec<Action> {
        let worth = self.log.function(func).worth_profiling(self.log.now, &self.settings);
        let callees: Vec<FuncRef> = worth.into_iter().filter_map(|(at, _)| at.callee).collect();
        if callees.is_empty() {
            return Vec::new();
        }
        let is_abandoned = |owner: FuncRef| {
            let function = self.log.function(owner);
            let Phase::Profiling(probed) = &function.phase else { return false };
            owner != func
                && callees.iter().any(|callee| function.phase.watches(owner, *callee))
                && self.log.now.since(function.sample.last.max(probed.since)).0
                    >= function.expected_profile(&self.settings)
        };
        let abandoned: Vec<FuncRef> = self.log.functions.keys().copied().filter(|owner| is_abandoned(*owner)).collect();
        abandoned.into_iter().flat_map(|owner| self.leave(owner, DropReason::Abandoned, Vec::new())).collect()
    }

    fn emit_decision(&mut self, tick: Tick, time: f64, decision: &Decision) {
        let function = self.log.function_mut(tick.func);
        let news = match function.told {
            _ if decision.choice != Choice::Stay => true,
            None => true,
            Some((choice, before)) => choice != decision.choice || time >= 2.0 * before,
        };
        if !news {
            return;
        }
        function.told = Some((decision.choice, time));
        let at = tick.innermost().filter(|at| self.log.function(tick.func).loop_at(*at).is_some());
        self.emit_considered(tick.func, Some(tick.version), at, (Trigger::Tick, time), decision);
    }

    /// Tells of a decision, and the time that was expected.
    pub(super) fn emit_considered(
        &mut self,
        func: FuncRef,
        version: Option<VersionId>,
        at: Option<LoopKey>,
        (trigger, expected): (Trigger, f64),
        decision: &Decision,
    ) {
        let Decision { candidates, choice, reason } = decision.clone();
        let ticks = self.log.function(func).sample.ticks;
        let considered = Considered { trigger, ticks, expected, candidates, choice, reason };
        self.log.emit(func, version, at, What::Considered(considered));
    }

    /// Tells now and then where the time went.
    pub(super) fn summarize(&mut self) {
        let (ticks, since) = self.last_summary;
        if self.ticks - ticks < SUMMARY_TICKS {
            return;
        }
        let (now, half_life) = (self.log.now, self.settings.half_life);
        let mut functions: Vec<Share> = Vec::new();
        for function in self.log.functions.values_mut() {
            let recent = std::mem::take(&mut function.sample.recent_ticks);
            if recent > 0 {
                let hottest = function.sample.hottest_loop(now, half_life);
                let loop_line = hottest.and_then(|at| function.loop_at(at)).map(|found| found.line);
                functions.push(Share { function: function.info.name.clone(), loop_line, ticks: recent });
            }
        }
        functions.sort_by_key(|share| std::cmp::Reverse(share.ticks));
        functions.truncate(SUMMARY_FUNCTIONS);
        let summary = TickSummary { ticks: self.ticks - ticks, micros: self.log.now.since(since), functions };
        self.last_summary = (self.ticks, self.log.now);
        let (thread, subject) = (Thread::Program, Subject::default());
        self.log.events.push(Event { time: self.log.now, thread, subject, what: What::TickSummary(summary) });
    }
}

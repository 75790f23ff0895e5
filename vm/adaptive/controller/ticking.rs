//! A tick: folded into the sample, then the question whether anything should change.
//!
//! In: a tick and the time it stands for. Out: directives; `considered` events, where the decision is new, acts, or is made on twice the
//! time of the one before.

use holloway_lang::ir::FuncRef;

use super::watched::{Plan, Watched};
use super::{Controller, Directive};
use crate::adaptive::decide::{CompileCosts, Decision, Prospect, Situation, decide};
use crate::adaptive::directive::{CodePlan, Entry, Window};
use crate::adaptive::event::{Choice, Considered, Kind, Share, TickSummary, Trigger, What};
use crate::adaptive::history::{Generation, VersionRecord};
use crate::adaptive::input::{InlinedLoop, Micros, Tick};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::sample::Fell;
use crate::adaptive::settings::{LEAST_LEFT, SUMMARY_FUNCTIONS};
use holloway_jit::Tier;

impl Controller {
    /// The time that a tick stands for.
    pub(super) fn weigh(&mut self, now: Micros) -> f64 {
        let since = now.since(self.last_tick).as_f64();
        self.ticks += 1;
        self.last_tick = now;
        since.min(self.settings.longest_tick * self.settings.tick.as_f64())
    }

    pub(super) fn ticked(&mut self, now: Micros, tick: Tick, time: f64) -> Vec<Directive> {
        self.fold(now, tick, time);
        let watched = self.watched(tick.func);
        let record = watched.record(tick.version).expect("the tick was folded into it");
        if watched.next.is_some() || watched.ended.is_some() {
            return Vec::new();
        }
        if self.is_compared(tick.func, record.generation) {
            return Vec::new();
        }
        if record.generation != watched.current.generation {
            return self.catch_up(now, tick);
        }
        match record.kind {
            Kind::Baseline => self.consider(now, tick),
            Kind::Optimized => {
                let directives = self.judge_inlining_if_due(now, tick);
                // What is judged has no other versions meanwhile.
                let is_judged = self.comparison.as_ref().is_some_and(|one| one.func == tick.func);
                if is_judged { directives } else { self.consider(now, tick) }
            }
            Kind::Profiled => vec![Directive::ReadProfile { func: tick.func, version: tick.version }],
            Kind::Specialized => {
                let is_read = record.ticks.is_multiple_of(self.settings.guard_ticks);
                let mut directives = self.compare_if_due(now, tick);
                directives.extend(is_read.then_some(Directive::ReadGuards(tick.version)));
                directives
            }
        }
    }

    /// Adds a tick to the samples and to its version.
    fn fold(&mut self, now: Micros, tick: Tick, time: f64) {
        let settings = self.settings;
        self.adopt(now, tick);
        self.note_inlined(tick);
        let kind = self.watched(tick.func).record(tick.version).expect("it was adopted").kind;
        let work = time * self.model.speed(kind);
        self.forget_if_outdated(now, tick.func);
        let watched = self.watched_mut(tick.func);
        let (current, gain) = (watched.current.generation, watched.current.gain);
        let loop_header = tick.loop_header.filter(|header| watched.info.loop_at(*header).is_some());
        let innermost = tick.innermost().filter(|at| watched.loops.contains_key(at));
        watched.sample.add(Fell { now, work, innermost }, settings.half_life);
        watched.last_tick = Some(Tick { loop_header, ..tick });
        let record = watched.record_mut(tick.version).expect("it was adopted");
        record.ticks += 1;
        record.time += time;
        let (entry, is_current) = (record.entry, record.generation == current);
        if let (Some(caller), Entry::Call, Kind::Optimized | Kind::Specialized) = (tick.caller, entry, kind) {
            *watched.callers.entry(caller).or_default() += 1;
        }
        if let Some(gain) = gain.filter(|_| is_current) {
            self.overhead -= time * gain / (1.0 - gain).max(LEAST_LEFT);
        }
    }

    /// Discards the history of a function whose last tick is long ago, and with it what ran when it called them. A function that had ticks since may have run
    /// for its caller alone, which then had none.
    fn forget_if_outdated(&mut self, now: Micros, func: FuncRef) {
        let forget = self.settings.forget;
        let watched = self.watched_mut(func);
        if !watched.is_outdated(now, forget) {
            return;
        }
        watched.forget();
        let outdated = self.functions.values_mut().filter(|other| other.is_outdated(now, forget));
        outdated.for_each(|other| _ = other.callers.remove(&func));
    }

    /// The tick fell into a loop of an inlined function.
    fn note_inlined(&mut self, tick: Tick) {
        let Some(InlinedLoop { callee, call_line, .. }) = tick.inlined else { return };
        let Some(of) = self.functions.get(&callee) else { return };
        let known = self.watched(tick.func).callees.get(&callee);
        if known.is_none_or(|known| known.around != tick.loop_header || known.subject.call_line != call_line) {
            let (info, known) = (of.info.clone(), of.loops.clone());
            self.watched_mut(tick.func).add_callee(callee, (&info, &known), call_line, tick.loop_header);
        }
    }

    /// A version that was there first is the function's own beginning.
    fn adopt(&mut self, now: Micros, tick: Tick) {
        if self.owners.contains_key(&tick.version) {
            return;
        }
        self.owners.insert(tick.version, tick.func);
        let watched = self.watched_mut(tick.func);
        let kind = match tick.tier {
            Tier::Baseline => Kind::Baseline,
            Tier::Optimized => Kind::Optimized,
        };
        let first = watched.records.iter().all(|record| record.generation < watched.current.generation);
        if first && kind == Kind::Optimized {
            let generation = watched.current.generation;
            watched.current = Plan::new(generation, Some(CodePlan::Optimized), "first call".to_owned());
        }
        let generation = if first { watched.current.generation } else { Generation(0) };
        let why = "first call".to_owned();
        watched.records.push(VersionRecord::new(tick.version, kind, Entry::Call, generation, why, now));
    }

    /// The tick fell on code that is out of date: a version of the current plan must be entered from there.
    fn catch_up(&mut self, now: Micros, tick: Tick) -> Vec<Directive> {
        let plan = &self.watched(tick.func).current;
        let (generation, why) = (plan.generation, plan.why.clone());
        match (plan.plan.clone(), self.missing_entry(now, tick, generation)) {
            (Some(plan), Some(entry)) => vec![self.request(now, tick.func, generation, entry, plan, why)],
            (None, _) | (_, None) => Vec::new(),
        }
    }

    /// Asks whether the function should run as something else.
    fn consider(&mut self, now: Micros, tick: Tick) -> Vec<Directive> {
        let mut directives = self.end_abandoned(now, tick.func);
        let prospect = self.prospect(now, tick.func);
        let prospect = prospect.as_ref().map(|prospect| *prospect).map_err(String::as_str);
        let situation = self.situation(now, tick.func, prospect);
        let mut decision = decide(&situation);
        let sample = &self.watched(tick.func).sample;
        let noise = sample.loop_ticks == 0 && sample.ticks < self.settings.prologue_ticks;
        if noise && decision.choice != Choice::Stay {
            decision.reason =
                format!("{} of {} ticks that make more than chance", sample.ticks, self.settings.prologue_ticks);
            decision.choice = Choice::Stay;
        }
        self.tell_decision(now, tick, situation.time, &decision);
        let plan = match decision.choice {
            Choice::Optimize => CodePlan::Optimized,
            Choice::Profile => CodePlan::Profiled(self.window(now, tick.func)),
            Choice::Stay | Choice::Specialize => return directives,
        };
        directives.push(self.request_next(now, tick, plan, decision.reason));
        directives
    }

    pub(super) fn situation<'a>(
        &self,
        now: Micros,
        func: FuncRef,
        prospect: Result<Prospect, &'a str>,
    ) -> Situation<'a> {
        let watched = self.watched(func);
        let kind = watched.current.kind;
        let work = watched.sample.work(now, self.settings.half_life);
        let time = work / self.model.speed(kind);
        Situation {
            kind,
            time,
            speedup: self.model.speed(Kind::Optimized) / self.model.speed(kind),
            compile: self.compile_costs(func),
            prospect,
            may_optimize: !watched.impossible.contains(&Kind::Optimized),
            clock: self.settings.clock,
        }
    }

    /// Costs to the program of compilations of a function.
    pub(super) fn compile_costs(&self, func: FuncRef) -> CompileCosts {
        let cost = |kind| {
            let size = self.watched(func).compiled_size(kind);
            self.model.compile_micros(func, kind, size) * self.settings.compile_weight.get()
        };
        CompileCosts {
            optimized: cost(Kind::Optimized),
            profiled: cost(Kind::Profiled),
            specialized: cost(Kind::Specialized),
        }
    }

    /// Prospect of profiling a function now, or why it promises too little.
    fn prospect(&self, now: Micros, func: FuncRef) -> Result<Prospect, String> {
        let watched = self.watched(func);
        let needed = [Kind::Profiled, Kind::Specialized, Kind::Optimized];
        if self.settings.without.has_all_specializations() {
            return Err("there is nothing else to do".to_owned());
        }
        if needed.iter().any(|kind| watched.impossible.contains(kind)) {
            return Err("it cannot be profiled or specialized".to_owned());
        }
        let worth = self.worth_profiling(now, func);
        let expected = |(at, share): &(_, f64)| share * watched.expected_gain(*at, &self.settings);
        let gain: f64 = worth.iter().map(expected).sum();
        if worth.is_empty() {
            return Err(watched.why_not_profiled(now, &self.settings));
        }
        let loops: Vec<LoopKey> = worth.iter().map(|(at, _)| *at).collect();
        let window = self.profile_cost(func, &loops);
        if gain < self.settings.least_gain {
            return Err(format!("a profile should lead to a gain of {:.1}%, too little", gain * 100.0));
        }
        match self.may_spend(now) {
            true => Ok(Prospect { gain, window }),
            false => Err("profiles have had their part of the run so far".to_owned()),
        }
    }

    /// The time that probes cost in a profile of some loops, in microseconds.
    pub(super) fn profile_cost(&self, func: FuncRef, loops: &[LoopKey]) -> f64 {
        let watched = self.watched(func);
        let doublings = loops.iter().map(|at| watched.loops[at].doublings).max().unwrap_or(0);
        (self.settings.profile_time.0 << doublings) as f64 * (self.model.probe_slowdown() - 1.0)
    }

    /// True iff profiles and what they found, with what is being compiled for them, do not take more of the run than they may.
    pub(super) fn may_spend(&self, now: Micros) -> bool {
        let limit = self.settings.first_overhead.as_f64() + self.settings.overhead_share * now.as_f64();
        let under_way = self.pending.values().filter(|pending| !matches!(pending.plan, CodePlan::Optimized));
        self.overhead + under_way.map(|pending| pending.estimate).sum::<f64>() <= limit
    }

    /// The window that the loops worth profiling ask for.
    fn window(&self, now: Micros, func: FuncRef) -> Window {
        let watched = self.watched(func);
        let worth = self.worth_profiling(now, func);
        let k = worth.iter().map(|(at, _)| watched.loops[at].k(&self.settings)).max();
        let k = k.unwrap_or(self.settings.k);
        let mut callees: Vec<FuncRef> = worth.iter().filter_map(|(at, _)| at.callee).collect();
        callees.dedup();
        Window { k, executions: k * self.settings.executions_per_k, callees }
    }

    /// Loops worth a profile now, with their part of the function's work. What one function reports is read for one profile at a time.
    fn worth_profiling(&self, now: Micros, func: FuncRef) -> Vec<(LoopKey, f64)> {
        let mut worth = self.watched(func).worth_profiling(now, &self.settings);
        if self.is_watched(func, func) {
            worth.clear();
        }
        worth.retain(|(at, _)| !self.is_watched(at.callee.unwrap_or(func), func));
        worth
    }

    /// True iff a function is watched in the profiled version of another one than `by`.
    fn is_watched(&self, func: FuncRef, by: FuncRef) -> bool {
        let watches = |(owner, watched): (&FuncRef, &Watched)| {
            let mut plans = watched.next.iter().chain([&watched.current]);
            *owner != by && plans.any(|plan| plan.watches(*owner, func))
        };
        self.functions.iter().any(watches)
    }

    fn tell_decision(&mut self, now: Micros, tick: Tick, time: f64, decision: &Decision) {
        let watched = self.watched_mut(tick.func);
        let news = match watched.told {
            _ if decision.choice != Choice::Stay => true,
            None => true,
            Some((choice, before)) => choice != decision.choice || time >= 2.0 * before,
        };
        if !news {
            return;
        }
        watched.told = Some((decision.choice, time));
        let ticks = watched.sample.ticks;
        let what = What::Considered(Considered {
            trigger: Trigger::Tick,
            ticks,
            expected: time,
            candidates: decision.candidates.clone(),
            choice: decision.choice,
            reason: decision.reason.clone(),
        });
        let at = tick.innermost().filter(|at| self.watched(tick.func).loop_at(*at).is_some());
        self.tell(now, tick.func, Some(tick.version), at, what);
    }

    /// Tells now and then where the time went.
    pub(super) fn summarize(&mut self, now: Micros) {
        let (ticks, since) = self.last_summary;
        if self.ticks - ticks < self.settings.summary_ticks {
            return;
        }
        let half_life = self.settings.half_life;
        let mut functions: Vec<Share> = Vec::new();
        for watched in self.functions.values_mut() {
            let recent = std::mem::take(&mut watched.sample.recent_ticks);
            let hottest = watched.sample.hottest_loop(now, half_life);
            let loop_line = hottest.and_then(|at| watched.loop_at(at)).map(|found| found.line);
            if recent > 0 {
                functions.push(Share { function: watched.info.name.clone(), loop_line, ticks: recent });
            }
        }
        functions.sort_by_key(|share| std::cmp::Reverse(share.ticks));
        functions.truncate(SUMMARY_FUNCTIONS);
        let summary = TickSummary { ticks: self.ticks - ticks, micros: now.since(since), functions };
        self.last_summary = (self.ticks, now);
        let what = What::TickSummary(summary);
        self.events.push(super::Event {
            time: now,
            thread: super::Thread::Program,
            subject: super::Subject::default(),
            what,
        });
    }
}

//! A profile was read: what follows from it.
//!
//! In: [`ProfileFindings`]. Out: directives that end the profile, with traces or without; `persistent` and `considered` events.
//! Expected saving of a trace: of the iterations, `coverage` take its time, the rest a general iteration's and the
//! penalty of a failed guard; weighted by the loop's part of the function's time.
//! While a profile is looked through, its function runs general code again, and nothing else is decided about it.
//! Invariant: a profile ends once: a second reading of the same one changes nothing.

use holloway_jit::trace::choose::NoRoom;
use holloway_lang::ir::FuncRef;

use super::specialized_loop::SpecializedLoop;
use super::watched::{Ended, Plan, Watched};
use super::{Clock, Controller, Directive};
use crate::adaptive::decide::{Decision, Profiled, decide_profiled};
use crate::adaptive::directive::CodePlan;
use crate::adaptive::event::{Choice, Considered, DropReason, Kind, Persistent, Trigger, What};
use crate::adaptive::input::{LoopCandidate, LoopFindings, Micros, ProfileFindings};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::settings::MOST_PATIENCE;

/// A specialization that should save something.
pub(super) struct Promising {
    specialized: SpecializedLoop,
    /// The part of its loop's time.
    gain: f64,
    /// The loop's part of the function's time.
    share: f64,
}

impl Promising {
    /// The part of the function's time that it should save.
    pub(super) fn saved(&self) -> f64 {
        self.share * self.gain
    }
}

impl Controller {
    /// Goes back to general code, if there is some, while a profile is looked through: probes have nothing more to tell.
    pub(super) fn leave_probes(&mut self, now: Micros, func: FuncRef) -> Vec<Directive> {
        if !self.is_unread(func) {
            return Vec::new();
        }
        let ended = self.end(func);
        let watched = self.watched_mut(func);
        watched.ended = Some(ended);
        match watched.retired {
            Some(_) => self.back_to_general(now, func, DropReason::ProfileDone),
            None => Vec::new(),
        }
    }

    /// Ends profiles of what runs inlined in `func`, if no tick has found their own code for as long as a profile may take: nothing is watched in two
    /// places. It may only be another's turn, so the next profile of the same function is waited for twice as long.
    pub(super) fn end_abandoned(&mut self, now: Micros, func: FuncRef) -> Vec<Directive> {
        let worth = self.watched(func).worth_profiling(now, &self.settings);
        let callees: Vec<FuncRef> = worth.into_iter().filter_map(|(at, _)| at.callee).collect();
        let patience = |watched: &Watched| {
            watched.expected_profile(&self.settings).saturating_mul(1 << watched.abandoned.min(MOST_PATIENCE))
        };
        let is_abandoned = |owner: FuncRef, watched: &Watched| {
            let current = &watched.current;
            owner != func
                && !current.read
                && watched.next.is_none()
                && callees.iter().any(|callee| current.watches(owner, *callee))
                && now.since(watched.sample.last.max(current.since)).0 >= patience(watched)
        };
        let abandoned = self.functions.iter().filter(|(owner, watched)| is_abandoned(**owner, watched));
        let abandoned: Vec<FuncRef> = abandoned.map(|(owner, _)| *owner).collect();
        let mut directives = Vec::new();
        for owner in abandoned {
            self.watched_mut(owner).abandoned += 1;
            directives.extend(self.back_to_general(now, owner, DropReason::Abandoned));
        }
        directives
    }

    /// Reads the profile of a function for the last time.
    fn end(&mut self, func: FuncRef) -> Ended {
        let time = self.profile_time(func);
        let current = &mut self.watched_mut(func).current;
        current.read = true;
        Ended { time, cost: current.cost }
    }

    pub(super) fn profiled(&mut self, now: Micros, func: FuncRef, findings: &ProfileFindings) -> Vec<Directive> {
        let mut ended = match self.watched_mut(func).ended.take() {
            Some(ended) => ended,
            None if self.is_unread(func) => self.end(func),
            None => return Vec::new(),
        };
        if self.settings.clock == Clock::Real {
            self.overhead += findings.micros.as_f64();
            ended.cost += findings.micros.as_f64();
        }
        let mut promising = Vec::new();
        let mut declined = Vec::new();
        let before = self.watched_mut(func).before.take();
        for found in &findings.loops {
            let candidate = found.candidate.as_ref().map_err(|none| none.words().to_owned());
            let candidate = candidate.map(|candidate| as_known(candidate, before.as_ref()));
            let promise = candidate.and_then(|candidate| self.promise(now, func, &candidate));
            self.tell_found(now, func, found, promise.as_ref().err());
            match promise {
                Ok(promise) => promising.push(promise),
                Err(reason) => {
                    self.note_nothing(now, func, found.at);
                    declined.push((found.at, reason));
                }
            }
        }
        // What is not in the profile did not run, or could not be watched.
        let worth = self.watched(func).worth_profiling(now, &self.settings);
        for (at, _) in worth.into_iter().filter(|(at, _)| findings.loops.iter().all(|found| found.at != *at)) {
            self.note_nothing(now, func, at);
        }
        let mut second: Vec<LoopCandidate> = findings.loops.iter().filter_map(|found| found.second.clone()).collect();
        if promising.is_empty() {
            promising.extend(before.and_then(|before| self.promise(now, func, &before).ok()));
        }
        if promising.is_empty() {
            promising.extend(self.best_second(now, func, &std::mem::take(&mut second)));
        }
        let gain = promising.iter().map(Promising::saved).reduce(|a, b| a + b);
        let reason = self.why_nothing(now, func, &declined);
        let decision = self.decide_on(now, func, gain.ok_or(&reason));
        self.tell_choice(now, func, Trigger::WindowFull, &decision);
        match decision.choice {
            Choice::Specialize => {
                let cost = ended.time * (1.0 - 1.0 / self.model.probe_slowdown()) + ended.cost;
                vec![self.specialize(now, func, (promising, second), cost, decision.reason)]
            }
            Choice::Stay | Choice::Optimize | Choice::Profile => {
                // A gain too small to pay is nothing found.
                let loops = promising.iter().map(|promise| promise.specialized.plan.at());
                let loops: Vec<LoopKey> =
                    loops.filter(|at| declined.iter().all(|(declined, _)| declined != at)).collect();
                loops.into_iter().for_each(|at| self.note_nothing(now, func, at));
                match self.watched(func).current.kind {
                    Kind::Profiled => self.back_to_general(now, func, DropReason::ProfileDone),
                    Kind::Baseline | Kind::Optimized | Kind::Specialized => Vec::new(),
                }
            }
        }
    }

    /// True iff a function is profiled, and its profile was not read before.
    fn is_unread(&self, func: FuncRef) -> bool {
        let watched = self.watched(func);
        watched.current.kind == Kind::Profiled && !watched.current.read && watched.next.is_none()
    }

    /// The time spent in the profiled code.
    fn profile_time(&self, func: FuncRef) -> f64 {
        let watched = self.watched(func);
        watched.of(watched.current.generation).map(|record| record.time).sum()
    }

    fn note_nothing(&mut self, now: Micros, func: FuncRef, at: LoopKey) {
        let settings = self.settings;
        let watched = self.watched_mut(func);
        let hot = watched.share(at, now, settings.half_life) >= settings.loop_share;
        if hot {
            let history = watched.loop_mut(at);
            history.found_nothing(now, &settings);
            let history = history.clone();
            let of = at.callee.unwrap_or(func);
            for (owner, watched) in &mut self.functions {
                let copy = LoopKey { callee: (*owner != of).then_some(of), header: at.header };
                watched.loops.entry(copy).and_modify(|copy| copy.rests_like(&history));
            }
        }
    }

    fn tell_found(&mut self, now: Micros, func: FuncRef, found: &LoopFindings, declined: Option<&String>) {
        let none = found.persistent.is_none() && found.untaken.is_empty() && found.sequence.is_none();
        if none && found.no_room == NoRoom::default() {
            return;
        }
        let some = |number: u32| (number > 0).then_some(number);
        let path = found.persistent.as_ref();
        let sequence = found.sequence.as_ref();
        let candidate_lines = found.candidate.as_ref().map(|candidate| candidate.lines.clone()).ok();
        let what = What::Persistent(Persistent {
            iterations: found.iterations,
            k: path.map(|path| path.k),
            executions: path.map(|path| path.executions),
            lines: path.map(|path| path.lines.clone()).or(candidate_lines).unwrap_or_default(),
            untaken: found.untaken.clone(),
            ids: sequence.map(|sequence| sequence.ids.clone()).unwrap_or_default(),
            period: sequence.filter(|sequence| !sequence.goes_through).map(|sequence| sequence.period),
            way: sequence.filter(|sequence| sequence.goes_through).map(|sequence| sequence.period),
            alternatives: sequence.map(|sequence| sequence.alternatives).filter(|number| *number > 1),
            too_large: some(found.no_room.too_large),
            too_many: some(found.no_room.too_many),
            coverage: sequence.map(|sequence| sequence.coverage),
            declined: declined.cloned(),
        });
        let version = self.watched(func).last_tick.map(|tick| tick.version);
        self.tell(now, func, version, Some(found.at), what);
    }

    /// Reason for which none of the loops of a function is specialized: what speaks against the hottest of them.
    fn why_nothing(&self, now: Micros, func: FuncRef, declined: &[(LoopKey, String)]) -> String {
        let watched = self.watched(func);
        let share = |at: LoopKey| watched.sample.share(at, now, self.settings.half_life);
        let hottest = declined.iter().max_by(|a, b| share(a.0).total_cmp(&share(b.0)));
        match hottest {
            None => "none of its loops ran while it was profiled".to_owned(),
            Some((at, reason)) => format!("{}: {reason}", watched.loop_name(*at)),
        }
    }

    /// Promise of specializing a loop, or why it promises nothing.
    pub(super) fn promise(
        &mut self,
        now: Micros,
        func: FuncRef,
        candidate: &LoopCandidate,
    ) -> Result<Promising, String> {
        let settings = self.settings;
        let watched = self.watched_mut(func);
        let share = watched.share_of(&candidate.plan, now, settings.half_life);
        let specialized = SpecializedLoop::of(candidate, settings.guard_penalty);
        let gain = specialized.gain(settings.guard_penalty);
        if gain <= 0.0 {
            let (cost, general, coverage) = (candidate.cost, candidate.general_cost, candidate.coverage * 100.0);
            return Err(format!(
                "specialized for {coverage:.1}% of its iterations it should gain nothing: one of them would cost {cost:.1} instead of {general:.1}, and each other fail a guard"
            ));
        }
        if share < settings.loop_share {
            let (share, least) = (share * 100.0, settings.loop_share * 100.0);
            return Err(format!("it has {share:.1}% of the function's time, less than {least:.0}% is not specialized"));
        }
        let history = watched.loop_mut(candidate.plan.at());
        if history.settled {
            return Err("its versions were invalidated too often, so it stays general".to_owned());
        }
        if history.alternates_in_vain && candidate.plan.is_of_several_paths() {
            return Err("a loop of the paths that it takes gained nothing before".to_owned());
        }
        if history.is_vain(gain) {
            return Err(format!("it should save {:.1}%, and what promised as much gained nothing", gain * 100.0));
        }
        history.found(gain);
        Ok(Promising { specialized, gain, share })
    }

    pub(super) fn decide_on(&self, now: Micros, func: FuncRef, gain: Result<f64, &String>) -> Decision {
        let watched = self.watched(func);
        let compile = self.compile_costs(func);
        let work = watched.sample.work(now, self.settings.half_life);
        decide_profiled(&Profiled {
            time: work / self.model.speed(Kind::Optimized),
            optimize: if watched.retired.is_some() || watched.current.kind == Kind::Optimized {
                0.0
            } else {
                compile.optimized
            },
            specialize: compile.specialized,
            gain: gain.map_err(String::as_str),
            clock: self.settings.clock,
            least_gain: self.settings.least_saving,
        })
    }

    pub(super) fn tell_choice(&mut self, now: Micros, func: FuncRef, trigger: Trigger, decision: &Decision) {
        let watched = self.watched(func);
        let what = What::Considered(Considered {
            trigger,
            ticks: watched.sample.ticks,
            expected: decision.candidates[0].future,
            candidates: decision.candidates.clone(),
            choice: decision.choice,
            reason: decision.reason.clone(),
        });
        let (version, hottest) =
            (watched.last_tick.map(|tick| tick.version), watched.sample.hottest_loop(now, self.settings.half_life));
        self.tell(now, func, version, hottest, what);
    }

    /// Requests a version with specialized loops; others were found beside them, and the profile has cost so much.
    pub(super) fn specialize(
        &mut self,
        now: Micros,
        func: FuncRef,
        (promising, second): (Vec<Promising>, Vec<LoopCandidate>),
        cost: f64,
        why: String,
    ) -> Directive {
        let generation = self.new_generation();
        let watched = self.watched(func);
        let tick = watched.last_tick.expect("a profile that has taken time has had ticks");
        let loops: Vec<SpecializedLoop> = promising.into_iter().map(|promise| promise.specialized).collect();
        let plan = CodePlan::Specialized(loops.iter().map(|one| one.plan.clone()).collect());
        let next = Plan { loops, second, cost, ..Plan::new(generation, Some(plan), why) };
        self.request_plan(now, tick, next)
    }
}

/// A candidate, with what is known of it if its loop had the same traces before: that so many iterations leave them.
fn as_known(candidate: &LoopCandidate, before: Option<&LoopCandidate>) -> LoopCandidate {
    let is_it = |before: &&LoopCandidate| {
        before.plan.at() == candidate.plan.at() && before.plan.blocks() == candidate.plan.blocks()
    };
    let coverage = before.filter(is_it).map_or(candidate.coverage, |before| before.coverage.min(candidate.coverage));
    LoopCandidate { coverage, ..candidate.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::function_info::BodyHash;
    use crate::adaptive::history::Generation;
    use crate::adaptive::input::{FunctionInfo, LoopInfo};
    use crate::adaptive::sample::Fell;
    use crate::adaptive::specialization::{LoopPlan, Specialization, TracePlan, TraceSource};
    use crate::adaptive::{Calibration, Settings, Window};
    use holloway_jit::VersionId;
    use holloway_jit::trace::Layout;
    use holloway_lang::ir::Block;

    /// The loop of every function here.
    fn own() -> LoopKey {
        LoopKey::own(Block::from_u32(1))
    }

    fn info(name: &str) -> FunctionInfo {
        let loops =
            vec![LoopInfo { header: own().header, line: 1, parent: None, branches: 1, choices: 0, trips_vary: false }];
        let (name, file) = (name.to_owned(), "walk.hw".to_owned());
        FunctionInfo { name, file, line: 1, size: 10, loops, hash: BodyHash(1) }
    }

    /// Traces of it that should take half of the time.
    fn candidate(layout: Layout) -> LoopCandidate {
        let trace = TracePlan {
            header: own().header,
            traces: vec![vec![vec![own().header]]; 2],
            collapsed: Vec::new(),
            layout,
            constants: Vec::new(),
            source: TraceSource::Forest,
            break_even: 0.0,
        };
        let plan = LoopPlan::from(Specialization::Trace(trace));
        LoopCandidate { plan, coverage: 1.0, cost: 1.0, general_cost: 2.0, lines: Vec::new() }
    }

    #[test]
    fn a_loop_rests_wherever_it_is_inlined() {
        let [walk, once, twice] = [0, 1, 2].map(FuncRef::from_u32);
        let mut controller = Controller::new(Settings::synchronous(), Calibration::embedded);
        for (func, name) in [(walk, "walk"), (once, "once"), (twice, "twice")] {
            controller.declare(func, info(name));
        }
        let inlined = LoopKey { callee: Some(walk), ..own() };
        let inline = |controller: &mut Controller, into: FuncRef| {
            let known = controller.watched(walk).loops.clone();
            controller.watched_mut(into).add_callee(walk, (&info("walk"), &known), 5, None);
        };
        let vain = |controller: &mut Controller, func: FuncRef, at: LoopKey| {
            let fell = Fell { now: Micros(0), work: 1.0, innermost: Some(at) };
            let half_life = controller.settings.half_life;
            controller.watched_mut(func).sample.add(fell, half_life);
            controller.note_nothing(Micros(0), func, at);
        };
        let fruitless = |controller: &Controller| {
            [(walk, own()), (once, inlined), (twice, inlined), (once, own())]
                .map(|(func, at)| controller.watched(func).loops.get(&at).map(|history| history.fruitless))
        };
        inline(&mut controller, once);
        vain(&mut controller, walk, own());
        assert_eq!(fruitless(&controller), [Some(1), Some(1), None, Some(0)]);
        inline(&mut controller, twice);
        assert_eq!(fruitless(&controller), [Some(1), Some(1), Some(1), Some(0)], "what is known is known there, too");
        vain(&mut controller, twice, inlined);
        assert_eq!(fruitless(&controller), [Some(2), Some(2), Some(2), Some(0)]);
        assert!(!controller.watched(once).loops[&inlined].is_ready(Micros(1_000)));
    }

    #[test]
    fn a_profile_ends_if_its_function_runs_inlined_in_another() {
        let [walk, outer] = [0, 1].map(FuncRef::from_u32);
        let mut controller = Controller::new(Settings::synchronous(), Calibration::embedded);
        for (func, name) in [(walk, "walk"), (outer, "outer")] {
            controller.declare(func, info(name));
        }
        let known = controller.watched(walk).loops.clone();
        controller.watched_mut(outer).add_callee(walk, (&info("walk"), &known), 5, None);
        let inlined = LoopKey { callee: Some(walk), ..own() };
        let (half_life, patience) = (controller.settings.half_life, controller.settings.profile_time.0);
        let window = Window { k: 1_024, executions: 8_192, callees: Vec::new() };
        let plan = |number, plan| Plan::new(Generation(number), Some(plan), "a test".to_owned());
        let profiling = controller.watched_mut(walk);
        profiling.current = plan(2, CodePlan::Profiled(window));
        profiling.retired = Some(plan(1, CodePlan::Optimized));
        profiling.sample.add(Fell { now: Micros(500), work: 1.0, innermost: Some(own()) }, half_life);
        let mut kind_at = |now: u64| {
            let fell = Fell { now: Micros(now), work: 1.0, innermost: Some(inlined) };
            controller.watched_mut(outer).sample.add(fell, half_life);
            controller.end_abandoned(Micros(now), outer);
            controller.watched(walk).current.kind
        };
        assert_eq!([400 + patience, 500 + patience].map(&mut kind_at), [Kind::Profiled, Kind::Optimized]);
        assert_eq!(controller.watched(walk).abandoned, 1, "the next one is waited for longer");
    }

    #[test]
    fn a_loop_of_frequent_paths_that_gained_nothing_is_not_tried_again() {
        let (func, version) = (FuncRef::from_u32(0), VersionId(0));
        let mut controller = Controller::new(Settings::synchronous(), Calibration::embedded);
        controller.declare(func, info("walk"));
        let fell = Fell { now: Micros(0), work: 1.0, innermost: Some(own()) };
        let half_life = controller.settings.half_life;
        controller.watched_mut(func).sample.add(fell, half_life);
        let promises = |controller: &mut Controller| {
            let layouts = [Layout::Apart, Layout::Tree, Layout::Graph];
            layouts.map(|layout| controller.promise(Micros(0), func, &candidate(layout)).is_ok())
        };
        assert_eq!(promises(&mut controller), [true; 3]);
        let tried =
            controller.promise(Micros(0), func, &candidate(Layout::Graph)).expect("it is promising").specialized;
        controller.watched_mut(func).current.loops = vec![tried];
        controller.set_back(Micros(0), func, version, own(), DropReason::GuardsFail);
        assert_eq!(promises(&mut controller), [true; 3], "it was not measured");
        controller.set_back(Micros(0), func, version, own(), DropReason::NoGain);
        assert_eq!(promises(&mut controller), [false; 3], "no trace promises more");
        controller.watched_mut(func).loop_mut(own()).gained(0.1);
        assert_eq!(promises(&mut controller), [true, false, false]);
    }
}

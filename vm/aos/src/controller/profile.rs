//! A profile was looked through, and what follows: traces or none; `persistent` and `considered` events. A trace should
//! save what its loop has of the function's time, times the gain by which the iterations it covers are faster.
//! Meanwhile the function runs general code, and nothing else is decided about it.

use std::sync::Arc;

use holloway_ir::FuncRef;

use super::{Action, Cause, Clock, Controller};
use crate::event::{Choice, DropReason, Episode, Kind, Persistent, Trigger, What};
use crate::loop_history::LoopHistory;
use crate::phase::{Code, Phase};
use crate::strategy::{Asked, CompileCosts, Decision, View};
use crate::{CodePlan, LoopKey, Micros, ProfileFindings, Proposal, Reason, Settings};

/// A proposal that should save so much of the function's time.
type Promising = (Arc<Proposal>, f64);

impl Controller {
    /// The window of a function is full: general code, if there is some, comes back while its profile is looked through.
    pub(super) fn end_window(&mut self, func: FuncRef) -> Vec<Action> {
        let function = self.log.function(func);
        let probed = function.phase.code().clone();
        let time = function.of(probed.generation).map(|record| record.time).sum();
        let (general, cost) = (probed.general.clone(), probed.cost);
        let has_general = general.is_some();
        let running = general.map_or_else(|| probed.clone(), |general| Code { since: self.log.now, ..*general });
        self.enter(func, Reason::WindowFull, |_| Phase::Analyzing { running, time, cost });
        match has_general {
            true => self.reinstate(func, &probed, DropReason::ProfileDone),
            false => Vec::new(),
        }
    }

    pub(super) fn profiled(&mut self, func: FuncRef, findings: ProfileFindings) -> Vec<Action> {
        let Phase::Analyzing { time, mut cost, .. } = self.log.function(func).phase else {
            unreachable!("it was analyzing")
        };
        if self.settings.clock == Clock::Real {
            self.overhead += findings.micros.as_f64();
            cost += findings.micros.as_f64();
        }
        self.profiles += 1;
        // What is not in the profile did not run, or could not be watched.
        let mut missed: Vec<LoopKey> = self
            .log
            .function(func)
            .worth_profiling(self.log.now, &self.settings)
            .into_iter()
            .map(|(at, _)| at)
            .collect();
        missed.retain(|at| findings.loops.iter().all(|(found, _)| found != at));
        let mut promising: Vec<Promising> = Vec::new();
        let mut declined: Vec<(LoopKey, Reason)> = Vec::new();
        for (at, mut found) in findings.loops {
            if let Some(proposal) = found.proposal.take() {
                match self.promise(func, &proposal) {
                    Ok(saved) => promising.push((proposal, saved)),
                    Err(reason) => found.declined = Some(reason),
                }
            }
            let reason = found.declined.clone();
            self.begin_episode(func, at, found);
            if let Some(reason) = reason {
                self.note(func, at, LoopHistory::found_nothing);
                declined.push((at, reason));
            }
        }
        let gain = promising.iter().map(|(_, saved)| *saved).reduce(|a, b| a + b);
        let reason = self.why_nothing(func, &declined);
        for at in missed {
            let found = Persistent { declined: Some(Reason::NothingRan), ..Persistent::default() };
            self.begin_episode(func, at, found);
            self.note(func, at, LoopHistory::found_nothing);
        }
        let decision = self.decide_on_profile(func, gain.ok_or(&reason));
        self.emit_choice(func, &decision);
        match decision.choice {
            Choice::Specialize => {
                let cost = time * (1.0 - 1.0 / self.model.probe_slowdown()) + cost;
                let proposals = promising.into_iter().map(|(proposal, _)| proposal).collect();
                vec![self.specialize(func, proposals, cost, decision)]
            }
            Choice::Stay | Choice::Optimize | Choice::Profile => {
                // By its costs, it would pay in a longer run; by anything else, in none.
                let came_early = matches!(decision.reason, Reason::Least { .. });
                let outcome = if came_early { LoopHistory::came_early } else { LoopHistory::found_nothing };
                for (proposal, _) in &promising {
                    self.note_episode(func, proposal.at(), |one| one.declined = Some(decision.reason.clone()));
                    self.note(func, proposal.at(), outcome);
                }
                let cause = Cause { loops: self.profiled_loops(func), ..decision.into() };
                self.rest(func, cause)
            }
        }
    }

    /// Begins the episode of a loop, if it shows something or is what the profile was made for.
    fn begin_episode(&mut self, func: FuncRef, at: LoopKey, found: Persistent) {
        let (profile, began, shows_something) = (self.profiles, self.log.now, found.shows_something());
        if shows_something || self.is_hot(func, at) {
            let function = self.log.function_mut(func);
            let name = function.loop_name(at);
            function.loop_mut(at).episode = Some(Episode {
                profile,
                began,
                loop_line: name.line,
                callee: name.callee,
                declined: found.declined.clone(),
                found: shows_something.then(|| found.clone()),
                ..Episode::default()
            });
        }
        if shows_something {
            let version = self.log.function(func).last_tick.map(|tick| tick.version);
            self.log.emit(func, version, Some(at), What::Persistent(found));
        }
    }

    /// The loops that have an episode by the last profile.
    fn profiled_loops(&self, func: FuncRef) -> Vec<LoopKey> {
        let loops = self.log.function(func).loops.iter();
        let is_of_it = |episode: &Episode| episode.profile == self.profiles;
        loops.filter(|(_, history)| history.episode.as_ref().is_some_and(is_of_it)).map(|(at, _)| *at).collect()
    }

    /// Ends a profile that led to nothing.
    fn rest(&mut self, func: FuncRef, cause: Cause) -> Vec<Action> {
        let running = self.log.function(func).phase.code().clone();
        if running.kind == Kind::Profiled {
            // Probes have nothing more to tell, and cost.
            return self.back_to_general(func, DropReason::ProfileDone, cause);
        }
        self.enter(func, cause, |_| Phase::Resting(running));
        Vec::new()
    }

    /// True iff a loop has enough of its function's time to be profiled.
    fn is_hot(&self, func: FuncRef, at: LoopKey) -> bool {
        self.log.function(func).sample.share(at, self.log.now, self.settings.half_life) >= self.settings.loop_share
    }

    /// Notes what a profile came to, in the history of a loop and wherever else it is inlined.
    fn note(&mut self, func: FuncRef, at: LoopKey, outcome: fn(&mut LoopHistory, Micros, &Settings)) {
        let (now, settings) = (self.log.now, self.settings);
        if self.is_hot(func, at) {
            let history = self.log.function_mut(func).loop_mut(at);
            outcome(history, now, &settings);
            let history = history.clone();
            let of = at.callee.unwrap_or(func);
            for (owner, function) in &mut self.log.functions {
                let copy = LoopKey { callee: (*owner != of).then_some(of), header: at.header };
                function.loops.entry(copy).and_modify(|copy| copy.rests_like(&history));
            }
        }
    }

    /// Reason for which none of the loops of a function is specialized: what speaks against the hottest of them.
    fn why_nothing(&self, func: FuncRef, declined: &[(LoopKey, Reason)]) -> Reason {
        let function = self.log.function(func);
        let share = |at: LoopKey| function.sample.share(at, self.log.now, self.settings.half_life);
        let hottest = declined.iter().max_by(|a, b| share(a.0).total_cmp(&share(b.0)));
        match hottest {
            None => Reason::NothingRan,
            Some((at, reason)) => Reason::OfLoop(function.loop_name(*at), Box::new(reason.clone())),
        }
    }

    /// The part of the function's time that a proposal should save, or why it promises nothing.
    fn promise(&mut self, func: FuncRef, proposal: &Proposal) -> Result<f64, Reason> {
        let (now, settings) = (self.log.now, self.settings);
        let function = self.log.function_mut(func);
        let share = function.share_of(proposal, now, settings.half_life);
        let estimate = proposal.estimate;
        let gain = estimate.gain(settings.guard_penalty);
        if gain <= 0.0 {
            let (cost, general) = (estimate.cost, estimate.general_cost);
            return Err(Reason::GainsNothing { coverage: estimate.coverage, cost, general });
        }
        if share < settings.loop_share {
            return Err(Reason::SmallShare { share, least: settings.loop_share });
        }
        let history = function.loop_mut(proposal.at());
        if history.settled {
            return Err(Reason::Settled);
        }
        history.found(gain);
        Ok(share * gain)
    }

    fn decide_on_profile(&self, func: FuncRef, gain: Result<f64, &Reason>) -> Decision {
        let view = self.view(func);
        let has_general = self.log.function(func).phase.code().kind == Kind::Optimized;
        let optimized = if has_general { 0.0 } else { view.compile.optimized };
        let work = self.log.function(func).sample.work(self.log.now, self.settings.half_life);
        let time = work / self.model.speed(Kind::Optimized);
        let view = View { time, speedup: 1.0, compile: CompileCosts { optimized, ..view.compile }, ..view };
        (self.strategy.choose)(&view, Asked::Profile(gain))
    }

    fn emit_choice(&mut self, func: FuncRef, decision: &Decision) {
        let function = self.log.function(func);
        let version = function.last_tick.map(|tick| tick.version);
        let hottest = function.sample.hottest_loop(self.log.now, self.settings.half_life);
        let due = (Trigger::WindowFull, decision.candidates[0].future);
        self.emit_considered(func, version, hottest, due, decision);
    }

    /// Requests a version with specialized loops; the profile has cost so much.
    fn specialize(&mut self, func: FuncRef, proposals: Vec<Arc<Proposal>>, cost: f64, decision: Decision) -> Action {
        let generation = self.new_generation();
        let penalty = self.settings.guard_penalty;
        let function = self.log.function_mut(func);
        let tick = function.last_tick.expect("a profile that has taken time has had ticks");
        proposals.iter().for_each(|one| function.loop_mut(one.at()).specialized(&one.estimate, penalty));
        let plan = Some(CodePlan::Specialized(proposals));
        // General code runs by now, unless there was none.
        let general = function.phase.code().kept();
        let code = Code { cost, general, ..Code::new(generation, plan, decision.reason.clone()) };
        let cause = Cause { loops: self.profiled_loops(func), ..decision.into() };
        self.request_phase(tick, Phase::Specialized(code), cause)
    }
}

//! A profile was looked through, and what follows from it.
//!
//! In: [`ProfileFindings`]. Out: actions that end the profile, with traces or without; `persistent` and `considered`
//! events. Expected saving of a trace: of the iterations, `coverage` take its time, the rest a general iteration's and
//! the penalty of a failed guard; weighted by the loop's part of the function's time.
//! While a profile is looked through, its function runs general code again, and nothing else is decided about it.

use std::sync::Arc;

use holloway_ir::FuncRef;
use holloway_jit::trace::choose::NoRoom;

use super::{Action, Clock, Controller};
use crate::action::CodePlan;
use crate::event::{Choice, Considered, DropReason, Kind, Persistent, Trigger, What};
use crate::input::{LoopFindings, Micros, ProfileFindings};
use crate::loop_in_use::LoopInUse;
use crate::loop_key::LoopKey;
use crate::phase::{Analyzing, Code, Phase, Specialized};
use crate::proposal::Proposal;
use crate::strategy::{Asked, CompileCosts, Decision, View};

/// A proposal that should save so much of the function's time.
type Promising = (Arc<Proposal>, f64);

impl Controller {
    /// The window of a function is full: general code, if there is some, comes back while its profile is looked through.
    pub(super) fn end_window(&mut self, now: Micros, func: FuncRef) -> Vec<Action> {
        let function = self.function_mut(func);
        let Phase::Profiling { probed, general } = function.take_phase() else { unreachable!("it was profiling") };
        let time = function.of(probed.generation).map(|record| record.time).sum();
        let cost = probed.cost;
        let left = probed.clone();
        let analyzing = |running| Phase::Analyzing(Box::new(Analyzing { running, time, cost }));
        match general {
            Some(general) => {
                function.phase = analyzing(Code { since: now, ..general });
                self.reinstate(now, func, &left, DropReason::ProfileDone)
            }
            None => {
                function.phase = analyzing(probed);
                Vec::new()
            }
        }
    }

    /// The profile of a function was looked through.
    pub(super) fn profiled(&mut self, now: Micros, func: FuncRef, findings: &ProfileFindings) -> Vec<Action> {
        let Phase::Analyzing(analyzing) = &self.function(func).phase else { unreachable!("it was analyzing") };
        let Analyzing { time, mut cost, .. } = **analyzing;
        if self.settings.clock == Clock::Real {
            self.overhead += findings.micros.as_f64();
            cost += findings.micros.as_f64();
        }
        let mut promising: Vec<Promising> = Vec::new();
        let mut declined: Vec<(LoopKey, String)> = Vec::new();
        for found in &findings.loops {
            let proposal = found.proposal.as_ref().map_err(|none| none.words().to_owned());
            let promise = proposal.and_then(|proposal| Ok((Arc::clone(proposal), self.promise(now, func, proposal)?)));
            self.emit_found(now, func, found, promise.as_ref().err());
            match promise {
                Ok(promise) => promising.push(promise),
                Err(reason) => {
                    self.note_nothing(now, func, found.at);
                    declined.push((found.at, reason));
                }
            }
        }
        // What is not in the profile did not run, or could not be watched.
        let worth = self.function(func).worth_profiling(now, &self.settings);
        for (at, _) in worth.into_iter().filter(|(at, _)| findings.loops.iter().all(|found| found.at != *at)) {
            self.note_nothing(now, func, at);
        }
        let gain = promising.iter().map(|(_, saved)| *saved).reduce(|a, b| a + b);
        let reason = self.why_nothing(now, func, &declined);
        let decision = self.decide_on_profile(now, func, gain.ok_or(&reason));
        self.emit_choice(now, func, &decision);
        match decision.choice {
            Choice::Specialize => {
                let cost = time * (1.0 - 1.0 / self.model.probe_slowdown()) + cost;
                let proposals = promising.into_iter().map(|(proposal, _)| proposal).collect();
                vec![self.specialize(now, func, proposals, cost, decision.reason)]
            }
            Choice::Stay | Choice::Optimize | Choice::Profile => {
                // A gain too small to pay is nothing found.
                promising.iter().for_each(|(proposal, _)| self.note_nothing(now, func, proposal.at()));
                self.rest(now, func)
            }
        }
    }

    /// Ends a profile that led to nothing.
    fn rest(&mut self, now: Micros, func: FuncRef) -> Vec<Action> {
        let code = self.function(func).phase.code();
        match code.kind {
            // Probes have nothing more to tell, and cost.
            Kind::Profiled => self.back_to_general(now, func, DropReason::ProfileDone),
            Kind::Baseline | Kind::Optimized | Kind::Specialized => {
                let code = code.clone();
                self.function_mut(func).phase = Phase::Resting(code);
                Vec::new()
            }
        }
    }

    fn note_nothing(&mut self, now: Micros, func: FuncRef, at: LoopKey) {
        let settings = self.settings;
        let function = self.function_mut(func);
        let hot = function.share(at, now, settings.half_life) >= settings.loop_share;
        if hot {
            let history = function.loop_mut(at);
            history.found_nothing(now, &settings);
            let history = history.clone();
            let of = at.callee.unwrap_or(func);
            for (owner, function) in &mut self.functions {
                let copy = LoopKey { callee: (*owner != of).then_some(of), header: at.header };
                function.loops.entry(copy).and_modify(|copy| copy.rests_like(&history));
            }
        }
    }

    fn emit_found(&mut self, now: Micros, func: FuncRef, found: &LoopFindings, declined: Option<&String>) {
        let none = found.persistent.is_none() && found.untaken.is_empty() && found.sequence.is_none();
        if none && found.no_room == NoRoom::default() {
            return;
        }
        let some = |number: u32| (number > 0).then_some(number);
        let path = found.persistent.as_ref();
        let sequence = found.sequence.as_ref();
        let proposed = found.proposal.as_ref().map(|proposal| proposal.lines.clone()).ok();
        let what = What::Persistent(Persistent {
            iterations: found.iterations,
            k: path.map(|path| path.k),
            executions: path.map(|path| path.executions),
            lines: path.map(|path| path.lines.clone()).or(proposed).unwrap_or_default(),
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
        let version = self.function(func).last_tick.map(|tick| tick.version);
        self.emit(now, func, version, Some(found.at), what);
    }

    /// Reason for which none of the loops of a function is specialized: what speaks against the hottest of them.
    fn why_nothing(&self, now: Micros, func: FuncRef, declined: &[(LoopKey, String)]) -> String {
        let function = self.function(func);
        let share = |at: LoopKey| function.sample.share(at, now, self.settings.half_life);
        let hottest = declined.iter().max_by(|a, b| share(a.0).total_cmp(&share(b.0)));
        match hottest {
            None => "none of its loops ran while it was profiled".to_owned(),
            Some((at, reason)) => format!("{}: {reason}", function.loop_name(*at)),
        }
    }

    /// The part of the function's time that a proposal should save, or why it promises nothing.
    fn promise(&mut self, now: Micros, func: FuncRef, proposal: &Proposal) -> Result<f64, String> {
        let settings = self.settings;
        let function = self.function_mut(func);
        let share = function.share_of(proposal, now, settings.half_life);
        let estimate = proposal.estimate;
        let gain = estimate.gain(settings.guard_penalty);
        if gain <= 0.0 {
            let (cost, general, coverage) = (estimate.cost, estimate.general_cost, estimate.coverage * 100.0);
            return Err(format!(
                "specialized for {coverage:.1}% of its iterations it should gain nothing: one of them would cost {cost:.1} instead of {general:.1}, and each other fail a guard"
            ));
        }
        if share < settings.loop_share {
            let (share, least) = (share * 100.0, settings.loop_share * 100.0);
            return Err(format!("it has {share:.1}% of the function's time, less than {least:.0}% is not specialized"));
        }
        let history = function.loop_mut(proposal.at());
        if history.settled {
            return Err("its versions were invalidated too often, so it stays general".to_owned());
        }
        if history.is_vain(gain) {
            return Err(format!("it should save {:.1}%, and what promised as much gained nothing", gain * 100.0));
        }
        history.found(gain);
        Ok(share * gain)
    }

    fn decide_on_profile(&self, now: Micros, func: FuncRef, gain: Result<f64, &String>) -> Decision {
        let view = self.view(now, func);
        let has_general = self.function(func).phase.code().kind == Kind::Optimized;
        let optimized = if has_general { 0.0 } else { view.compile.optimized };
        let work = self.function(func).sample.work(now, self.settings.half_life);
        let time = work / self.model.speed(Kind::Optimized);
        let view = View { time, speedup: 1.0, compile: CompileCosts { optimized, ..view.compile }, ..view };
        self.strategy.choose(&view, Asked::Profile(gain.map_err(String::as_str)))
    }

    fn emit_choice(&mut self, now: Micros, func: FuncRef, decision: &Decision) {
        let function = self.function(func);
        let what = What::Considered(Considered {
            trigger: Trigger::WindowFull,
            ticks: function.sample.ticks,
            expected: decision.candidates[0].future,
            candidates: decision.candidates.clone(),
            choice: decision.choice,
            reason: decision.reason.clone(),
        });
        let (version, hottest) =
            (function.last_tick.map(|tick| tick.version), function.sample.hottest_loop(now, self.settings.half_life));
        self.emit(now, func, version, hottest, what);
    }

    /// Requests a version with specialized loops; the profile has cost so much.
    fn specialize(
        &mut self,
        now: Micros,
        func: FuncRef,
        proposals: Vec<Arc<Proposal>>,
        cost: f64,
        why: String,
    ) -> Action {
        let generation = self.new_generation();
        let function = self.function(func);
        let tick = function.last_tick.expect("a profile that has taken time has had ticks");
        let penalty = self.settings.guard_penalty;
        let loops = proposals.iter().map(|proposal| LoopInUse::new(Arc::clone(proposal), penalty)).collect();
        let code = Code { cost, ..Code::new(generation, Some(CodePlan::Specialized(proposals)), why) };
        // General code runs by now, unless there was none.
        let running = function.phase.code();
        let general = (running.kind == Kind::Optimized).then(|| running.clone());
        let specialized = Specialized { code, general, loops, compared: false, gain: None };
        self.request_phase(now, tick, Phase::Specialized(Box::new(specialized)))
    }
}

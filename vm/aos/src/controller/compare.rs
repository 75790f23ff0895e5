//! The gain of a specialized version, measured: it and general code of the same body take turns, and both count
//! iterations. Where general code was no slower, it stays.
//!
//! ```text
//!   own    ooo.......ooo.......ooo     A turn lasts until a window: the time between two ticks in which its version
//!   other     ttt       ttt       ttt  came round often enough, the other hardly. Two turns make a pair, and a gain.
//! ```
//!
//! The gain is the median over pairs of 1 - (CPU time an iteration of the one) / (that of the other): a share of all
//! the program's time. Invariants: at most one trial is under way, and none where polls are counted; advice, decisions
//! about other functions and events do not see the turns.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::{Action, Cause, Clock, Controller};
use crate::event::{DropReason, Gain, What};
use crate::settings::{LONGEST_TURN, TICK};
use crate::trial::{Trial, Turn, median};
use crate::version::{Generation, VersionState};
use crate::{CodePlan, CompilationId, LoopKey, Measured, ProgressRequest, Reading, Reason, Tick};

impl Controller {
    /// Begins to compare a specialized version, which a tick fell on, if it is time.
    pub(super) fn compare_if_due(&mut self, tick: Tick) -> Vec<Action> {
        let function = self.log.function(tick.func);
        let record = function.record(tick.version).expect("the tick was folded into it");
        let (entry, is_due) = (record.entry, record.ticks >= self.settings.compare_ticks());
        if !is_due || self.trial.is_some() || self.settings.clock == Clock::Polls {
            return Vec::new();
        }
        let first = function.in_use().first().map(|one| one.at());
        let code = self.log.function_mut(tick.func).phase.code_mut();
        let Some(at) = first.filter(|_| !code.compared) else { return Vec::new() };
        code.compared = true;
        let generation = self.new_generation();
        self.trial = Some(Trial::new(tick.func, at, tick.version, generation));
        vec![self.request(tick.func, generation, entry, CodePlan::Optimized, Reason::Comparison)]
    }

    /// The loop whose progress code of a plan counts, if it is ever compared.
    pub(super) fn progress_loop(
        &self,
        func: FuncRef,
        generation: Generation,
        plan: &CodePlan,
    ) -> Option<ProgressRequest> {
        if self.settings.clock == Clock::Polls {
            return None;
        }
        let function = self.log.function(func);
        let at = match plan {
            CodePlan::Specialized(proposals) => proposals.first()?.at(),
            CodePlan::Optimized if self.is_compared(func, generation) => self.trial.as_ref()?.at,
            CodePlan::Optimized | CodePlan::Profiled(_) => return None,
        };
        Some(ProgressRequest { at, around: function.inlined(at).and_then(|callee| callee.around) })
    }

    /// True iff a generation is there for the trial under way alone.
    pub(super) fn is_compared(&self, func: FuncRef, generation: Generation) -> bool {
        self.trial.as_ref().is_some_and(|one| one.func == func && one.generation == generation)
    }

    /// The general version was compiled: it has the first turn.
    pub(super) fn compared_compiled(&mut self, compilation: CompilationId) -> Vec<Action> {
        let trial = self.trial.as_mut().expect("its compilation ended");
        (trial.turn, trial.ticks) = (Turn::Other, 0);
        vec![Action::SetAside(trial.own), Action::Install(compilation)]
    }

    /// A question at each tick while versions take turns. If one does not come for as long as a function is remembered,
    /// its function has a new body, and the trial is given up.
    pub(super) fn ask_progress(&mut self) -> Vec<Action> {
        let Some(trial) = &mut self.trial else { return Vec::new() };
        if let Some(other) = trial.other {
            return vec![Action::ReadProgress(vec![trial.own, other])];
        }
        trial.ticks += 1;
        let (func, is_over) = (trial.func, trial.ticks > self.settings.forget().0 / TICK.0);
        if is_over { self.abandon_trial(func) } else { Vec::new() }
    }

    /// True iff two versions take turns with each other.
    pub(super) fn take_turns(&self, one: VersionId, other: VersionId) -> bool {
        let sides = self.trial.as_ref().map(|trial| [Some(trial.own), trial.other]);
        sides.is_some_and(|sides| sides.contains(&Some(one)) && sides.contains(&Some(other)))
    }

    /// Takes a reading: a window ends, perhaps the turn, perhaps the trial.
    pub(super) fn progress(&mut self, reading: Reading) -> Vec<Action> {
        let Some(trial) = &mut self.trial else { return Vec::new() };
        trial.ticks += 1;
        match (trial.window(reading), trial.turn) {
            (Some(time), Turn::Own) => trial.own_times.push(time),
            (Some(time), Turn::Other) => trial.other_times.push(time),
            (None, _) if trial.ticks < LONGEST_TURN => return Vec::new(),
            // The activation that runs does not come by where it could move, or the loop does not run.
            (None, _) => return self.end_trial(None),
        }
        if trial.is_decided() {
            let gain = trial.gain();
            return self.end_trial(Some(gain));
        }
        trial.turn()
    }

    fn end_trial(&mut self, measured: Option<Measured>) -> Vec<Action> {
        let Some(trial) = self.trial.take() else { return Vec::new() };
        let (func, at, version) = (trial.func, trial.at, trial.own);
        let penalty = self.settings.guard_penalty;
        let mut actions = vec![Action::TakeUp(version)];
        let Some(proposal) = self.log.function(func).proposal_in_use(at) else {
            return self.drop_compared(trial, actions);
        };
        let gain = Gain {
            estimated: Some(proposal.estimate.gain(penalty)),
            measured: measured.map(|measured| measured.median),
            interval: measured.map(|measured| measured.interval),
            specialized: median(&trial.own_times),
            general: median(&trial.other_times),
            pairs: trial.pairs() as u64,
        };
        self.note_episode(func, at, |episode| episode.gain = Some(gain.clone()));
        self.log.emit(func, Some(version), Some(at), What::Gain(gain));
        let loses = measured.is_some_and(|measured| measured.median <= 0.0);
        if let Some(Measured { median, .. }) = measured.filter(|_| !loses) {
            let function = self.log.function_mut(func);
            // Of several loops another one may have gained all of it.
            let is_alone = function.in_use().len() == 1;
            let history = function.loop_mut(at);
            history.gained(median);
            if is_alone {
                history.measured(median, &proposal.estimate, penalty);
            }
            let cause = Cause::of_loops(Reason::Gained(median), vec![at]);
            self.enter(func, cause, |mut phase| {
                phase.code_mut().gain = Some(median);
                phase
            });
        }
        // Time in turns is no time in which its other entries were tried in vain.
        let (now, record) = (self.log.now, self.log.function_mut(func).record_mut(version));
        record.expect("it was compared").installed = now;
        if loses && self.log.function(func).phase.next().is_none() {
            let loops: Vec<LoopKey> = self.log.function(func).in_use().iter().map(|one| one.at()).collect();
            for at in &loops {
                self.set_back(func, version, *at, DropReason::NoGain);
            }
            // Without general code from before it is compiled once more: what was compared has counters, and is entered at one place.
            actions.extend(self.leave(func, DropReason::NoGain, loops));
        }
        self.drop_compared(trial, actions)
    }

    /// Ends a trial that cannot go on, or whose specialized version goes for another reason.
    pub(super) fn abandon_trial(&mut self, func: FuncRef) -> Vec<Action> {
        match self.trial.take_if(|one| one.func == func) {
            Some(trial) => {
                let taken_up = vec![Action::TakeUp(trial.own)];
                self.drop_compared(trial, taken_up)
            }
            None => Vec::new(),
        }
    }

    /// Drops what was there for a trial alone, and is not asked for any more.
    fn drop_compared(&mut self, trial: Trial, mut actions: Vec<Action>) -> Vec<Action> {
        let Trial { func, generation, other, .. } = trial;
        self.orders.retain(|compilation, order| {
            let is_kept = (order.func, order.generation) != (func, generation);
            actions.extend((!is_kept).then_some(Action::Discard(*compilation)));
            is_kept
        });
        if let Some(version) = other {
            let record = self.log.function_mut(func).record_mut(version);
            record.expect("it was installed").state = VersionState::Dropped(DropReason::Compared);
            actions.push(Action::Drop(version));
        }
        actions
    }
}

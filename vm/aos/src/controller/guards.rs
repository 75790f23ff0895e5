//! Specialized code in use: whether its guards hold, and general code brought back if not. A trace has paid if it saved
//! more than it and its profile cost, which decides whether the next profile is longer
//! ([`LoopHistory`](crate::loop_history::LoopHistory)).

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::{Action, Controller};
use crate::event::{DropReason, Dropped, GuardSummary, Kind, What};
use crate::gain::gain_at;
use crate::phase::Code;
use crate::settings::LEAST_LEFT;
use crate::{GuardCount, LoopGuards, LoopKey, Tick};

/// Number of guards that an event names, at most: those that fail most, on one line of text. Nothing is decided by it.
const WORST_GUARDS: usize = 4;

impl Controller {
    /// A tick fell on a specialized version: its guards are read now and then, and its gain is measured once.
    pub(super) fn watch(&mut self, tick: Tick) -> Vec<Action> {
        let record = self.log.function(tick.func).record(tick.version).expect("the tick was folded into it");
        let is_read = record.ticks.is_multiple_of(self.settings.guard_ticks);
        let mut actions = self.compare_if_due(tick);
        actions.extend(is_read.then_some(Action::ReadGuards(tick.version)));
        actions
    }

    pub(super) fn guarded(&mut self, func: FuncRef, version: VersionId, report: &[LoopGuards]) -> Vec<Action> {
        let function = self.log.function_mut(func);
        let current = function.phase.code().generation;
        let Some(record) = function.record_mut(version) else { return Vec::new() };
        if record.generation != current || record.kind != Kind::Specialized {
            return Vec::new();
        }
        record.count(report);
        let failing = report.iter().filter(|guards| self.fails_too_often(func, version, guards));
        let failing: Vec<LoopKey> = failing.map(|guards| guards.at).collect();
        if failing.is_empty() {
            return Vec::new();
        }
        for at in &failing {
            self.set_back(func, version, *at, DropReason::GuardsFail);
        }
        let mut actions = self.abandon_trial(func);
        actions.extend(self.leave(func, DropReason::GuardsFail, failing));
        actions
    }

    /// Judges one loop by what is new in its report.
    fn fails_too_often(&mut self, func: FuncRef, version: VersionId, guards: &LoopGuards) -> bool {
        let least = self.settings.guard_iterations();
        let function = self.log.function_mut(func);
        if function.proposal_in_use(guards.at).is_none() {
            return false;
        }
        let history = function.loop_mut(guards.at);
        let Some((iterations, failures)) = history.report(version, guards, least) else { return false };
        let (rate, break_even) = (failures as f64 / iterations as f64, history.break_even);
        let (fails, is_long) = (rate > break_even, guards.iterations >= 4 * history.told.max(1));
        if fails || is_long {
            history.told = guards.iterations;
            self.note_episode(func, guards.at, |episode| episode.failing = Some(rate));
            let summary = GuardSummary { iterations, failures, rate, break_even, worst: worst(guards) };
            self.log.emit(func, Some(version), Some(guards.at), What::GuardReport(summary));
        }
        fails
    }

    /// Writes an invalidated trace into the history of its loop, and tells of it.
    pub(super) fn set_back(&mut self, func: FuncRef, version: VersionId, at: LoopKey, reason: DropReason) {
        let (now, settings) = (self.log.now, self.settings);
        let function = self.log.function_mut(func);
        let Code { generation, since, cost, gain: measured_gain, .. } = *function.phase.code();
        let Some(proposal) = function.proposal_in_use(at) else { return };
        let (time, ticks) =
            function.of(generation).fold((0.0, 0), |(time, ticks), record| (time + record.time, ticks + record.ticks));
        let share = function.share_of(&proposal, now, settings.half_life);
        let (history, estimate, penalty) = (function.loop_mut(at), &proposal.estimate, settings.guard_penalty);
        let (iterations, failures) = history.seen();
        // Time that the same iterations would have taken in general code, less the time they took.
        let saved_by = |gain: f64| time * gain / (1.0 - gain).max(LEAST_LEFT);
        let saved = match (reason, measured_gain) {
            (DropReason::NoGain, _) => 0.0,
            (_, Some(measured)) => saved_by(history.gained_in_all(estimate, penalty).unwrap_or(measured)),
            (_, None) => share * saved_by(gain_at(estimate.ratio(), penalty, history.rate())),
        };
        let taken_off = measured_gain.map_or(0.0, saved_by);
        let paid = saved > cost && reason != DropReason::NoGain;
        let setback = history.set_back(&proposal.blocks(), (reason, paid), now, &settings);
        let dropped = Dropped {
            reason,
            lived: now.since(since),
            ticks,
            iterations,
            failures,
            saved,
            cost,
            times: setback.times,
            next_k: setback.next_k,
        };
        if let Some(episode) = &mut history.episode {
            episode.dropped = Some(dropped.clone());
        }
        // A measured gain has been taken off as time went by, as if no more iterations had failed.
        if paid || taken_off > 0.0 {
            self.overhead += taken_off - saved;
        }
        self.log.emit(func, Some(version), Some(at), What::Dropped(dropped));
    }
}

fn worst(guards: &LoopGuards) -> Vec<GuardCount> {
    let mut worst = guards.per_guard.clone();
    worst.retain(|guard| guard.failures > 0);
    worst.sort_by_key(|guard| (std::cmp::Reverse(guard.failures), guard.line));
    worst.truncate(WORST_GUARDS);
    worst
}

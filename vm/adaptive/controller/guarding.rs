//! Specialized code in use: do its guards hold, does it gain, and what is done when not.
//!
//! In: [`GuardReport`]s. Out: directives that bring general code back; `guard-report`, `gain` and `dropped` events.
//! A trace has paid if what it saved is more than it cost, the profile before it included; that decides whether the next profile of
//! the loop is a longer one ([`history`](crate::adaptive::history)).
//! Invariant: reports count from the installation of a version; what was reported before is taken off here.

use holloway_jit::VersionId;
use holloway_lang::ir::FuncRef;

use super::{Controller, Directive};
use crate::adaptive::decide::gain_at;
use crate::adaptive::event::{DropReason, Dropped, GuardSummary, Kind, What};
use crate::adaptive::input::{GuardCount, GuardReport, LoopGuards, Micros};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::settings::{LEAST_LEFT, WORST_GUARDS};

/// Verdict of a report on a loop.
enum Verdict {
    Keep,
    Drop(DropReason),
}

impl Controller {
    pub(super) fn guarded(&mut self, now: Micros, version: VersionId, report: &GuardReport) -> Vec<Directive> {
        let Some(func) = self.owners.get(&version).copied() else { return Vec::new() };
        let watched = self.watched_mut(func);
        let current = watched.current.generation;
        let Some(record) = watched.record_mut(version) else { return Vec::new() };
        if record.generation != current || record.kind != Kind::Specialized {
            return Vec::new();
        }
        record.iterations = report.loops.iter().map(|guards| guards.iterations).sum();
        record.failures = report.loops.iter().map(|guards| guards.failures).sum();
        let mut fallen = Vec::new();
        for guards in &report.loops {
            match self.judge(now, func, version, guards) {
                Verdict::Keep => {}
                Verdict::Drop(reason) => fallen.push((guards.at, reason)),
            }
        }
        let Some((_, reason)) = fallen.first().copied() else { return Vec::new() };
        if self.watched(func).next.is_some() {
            return Vec::new();
        }
        for (at, reason) in &fallen {
            self.set_back(now, func, version, *at, *reason);
        }
        let mut directives = self.abandon_comparison(func);
        directives.extend(match reason {
            DropReason::ExitHot => self.leave_to_grow(now, func),
            _ => self.leave_specialized(now, func, reason, fallen.len()),
        });
        directives
    }

    /// Judges one loop by what is new in its report.
    fn judge(&mut self, now: Micros, func: FuncRef, version: VersionId, guards: &LoopGuards) -> Verdict {
        let settings = self.settings;
        let watched = self.watched_mut(func);
        let Some(specialized) = watched.current.loops.iter_mut().find(|one| one.plan.at() == guards.at) else {
            return Verdict::Keep;
        };
        // Nothing can fail in a loop that is split.
        if specialized.plan.is_split() {
            return Verdict::Keep;
        }
        let Some((iterations, failures)) = specialized.report(version, guards, settings.guard_iterations) else {
            return Verdict::Keep;
        };
        let (rate, break_even) = (failures as f64 / iterations as f64, specialized.break_even);
        let (fails, is_long) = (rate > break_even, guards.iterations >= 4 * specialized.told.max(1));
        let specialized = specialized.clone();
        let grows = !fails && self.should_grow(now, func, &specialized, rate);
        if fails || grows || is_long {
            let loops = &mut self.watched_mut(func).current.loops;
            loops.iter_mut().filter(|one| one.plan.at() == guards.at).for_each(|one| one.told = guards.iterations);
            let worst = worst(guards);
            let summary = GuardSummary { iterations, failures, rate, break_even, worst };
            self.tell(now, func, Some(version), Some(guards.at), What::GuardReport(summary));
        }
        match (fails, grows) {
            (true, _) => Verdict::Drop(DropReason::GuardsFail),
            (false, true) => Verdict::Drop(DropReason::ExitHot),
            (false, false) => Verdict::Keep,
        }
    }

    /// Writes a dropped trace into the history of its loop, and tells of it.
    pub(super) fn set_back(&mut self, now: Micros, func: FuncRef, version: VersionId, at: LoopKey, reason: DropReason) {
        let settings = self.settings;
        let watched = self.watched_mut(func);
        let generation = watched.current.generation;
        let since = watched.current.since;
        let cost = watched.current.cost;
        let (time, ticks) =
            watched.of(generation).fold((0.0, 0), |(time, ticks), record| (time + record.time, ticks + record.ticks));
        let specialized = watched.current.loops.iter().find(|one| one.plan.at() == at);
        let Some(specialized) = specialized.cloned() else { return };
        let share = watched.share_of(&specialized.plan, now, settings.half_life);
        let (iterations, failures) = specialized.seen();
        let gain = gain_at(specialized.ratio(), settings.guard_penalty, specialized.rate());
        // Time that the same iterations would have taken in general code, less the time they took.
        let saved_by = |gain: f64| time * gain / (1.0 - gain).max(LEAST_LEFT);
        let saved = match (reason, watched.current.gain) {
            (DropReason::NoGain, _) => 0.0,
            (_, Some(measured)) => saved_by(specialized.gained_in_all(settings.guard_penalty).unwrap_or(measured)),
            (_, None) => share * saved_by(gain),
        };
        let taken_off = watched.current.gain.map_or(0.0, saved_by);
        let paid = saved > cost;
        let blocks = specialized.plan.blocks();
        let paid = paid && reason != DropReason::NoGain;
        let expected = specialized.gain(settings.guard_penalty);
        let history = watched.loop_mut(at);
        if reason == DropReason::NoGain {
            history.gained_nothing(expected);
        }
        history.alternates_in_vain |= reason == DropReason::NoGain && specialized.plan.is_of_several_paths();
        let setback = match reason {
            DropReason::ExitHot => history.grow(&blocks, expected, &settings),
            _ => history.set_back(&blocks, paid, now, &settings),
        };
        let what = What::Dropped(Dropped {
            reason,
            lived: now.since(since),
            ticks,
            iterations,
            failures,
            saved,
            cost,
            times: setback.times,
            next_k: setback.next_k,
        });
        // A measured gain has been taken off as time went by, as if no more iterations had failed.
        if paid || taken_off > 0.0 {
            self.overhead += taken_off - saved;
        }
        self.tell(now, func, Some(version), Some(at), what);
    }
}

fn worst(guards: &LoopGuards) -> Vec<GuardCount> {
    let mut worst = guards.per_guard.clone();
    worst.retain(|guard| guard.failures > 0);
    worst.sort_by_key(|guard| (std::cmp::Reverse(guard.failures), guard.line));
    worst.truncate(WORST_GUARDS);
    worst
}

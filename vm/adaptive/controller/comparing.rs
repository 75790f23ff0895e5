//! The gain of a version, measured: it and another version of the same body take turns, and both count iterations.
//!
//! In: the first ticks of a specialized version, then a [`Reading`] at each tick. Out: a general version is requested; versions are set aside and
//! taken up; a `gain` event; and where the general version was no slower, general code for good. Optimized code that runs by OSR is judged in the
//! same turns (`inlining`).
//!
//! A split counts no iterations where no loop around it does that for it, as each of its loops would have to. A copy that counts plays its side then, so
//! that both sides pay for counting alike; the version in use runs on unchanged if the copy wins.
//!
//! ```text
//!   own    ooo.......ooo.......ooo          A turn lasts until a window: the time from one tick to another in which its version
//!   other     ttt       ttt       ttt       came round the loop often enough, and the other hardly. Two turns make a pair, and
//!                                           each pair a gain.
//! ```
//!
//! The gain is the median over pairs of 1 - (CPU time an iteration of the one) / (that of the other). It is the share of all the
//! program's time in those windows, whatever else it does there.
//! Invariants: at most one comparison is under way, and none where polls are counted, as it would depend on real time; advice and
//! decisions about other functions do not see the turns, and events tell no more of them than the compilation of the general version.

use holloway_jit::VersionId;
use holloway_lang::ir::FuncRef;

use super::comparison::{Comparison, Measured, Sides, Turn, median};
use super::{Clock, Controller, Directive};
use crate::adaptive::directive::{CodePlan, CompilationId, ProgressRequest};
use crate::adaptive::event::{DropReason, Gain, What};
use crate::adaptive::history::{Generation, VersionState};
use crate::adaptive::input::{Micros, Reading, Tick};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::settings::LONGEST_WAIT;
use crate::adaptive::specialization::Specialization;

impl Controller {
    /// Begins to compare a specialized version, which a tick fell on, if it is time.
    pub(super) fn compare_if_due(&mut self, now: Micros, tick: Tick) -> Vec<Directive> {
        let watched = self.watched(tick.func);
        let record = watched.record(tick.version).expect("the tick was folded into it");
        let is_due = record.ticks >= self.settings.compare_ticks && !watched.current.compared;
        if !is_due || self.comparison.is_some() || self.settings.clock == Clock::Polls {
            return Vec::new();
        }
        let (entry, counts, plan) = (record.entry, record.counts, watched.current.plan.clone());
        // Both count this loop, or one around it.
        let Some(first) = watched.current.loops.first().map(|one| &one.plan) else { return Vec::new() };
        let (at, can_count) = (first.at(), first.is_split() && first.callee.is_none());
        self.watched_mut(tick.func).current.compared = true;
        let generation = self.new_generation();
        let comparison = Comparison::new(tick.func, at, tick.version, generation);
        let copied = plan.filter(|_| !counts && can_count);
        self.comparison = Some(match &copied {
            Some(_) => comparison.of_copy(self.next_sides(now)),
            None => comparison,
        });
        let copied = copied.map(|plan| (plan, "a copy that counts, to compare its speed"));
        let general = (CodePlan::Optimized, "general code to compare its speed with");
        let sides = copied.into_iter().chain([general]);
        sides.map(|(plan, why)| self.request(now, tick.func, generation, entry, plan, why.to_owned())).collect()
    }

    /// The next two compilations, as the sides of a comparison.
    pub(super) fn next_sides(&self, asked: Micros) -> Sides {
        let (copy, other) = (CompilationId(self.compilations), CompilationId(self.compilations + 1));
        Sides { copy, other, asked, is_half_compiled: false }
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
        let watched = self.watched(func);
        let comparison = self.comparison.as_ref().filter(|_| self.is_compared(func, generation));
        let specialized = match (plan, comparison) {
            // An iteration that calls, or did before, is long enough to be counted; in a split's, both sides pay for it.
            (CodePlan::Optimized | CodePlan::Specialized(_), Some(Comparison { at, sides: Some(_), .. })) => {
                return Some(ProgressRequest { at: *at, may_count_it: true, around: None });
            }
            (CodePlan::Specialized(loops), _) => loops.first(),
            (CodePlan::Optimized, Some(_)) => watched.current.loops.first().map(|one| &one.plan),
            (CodePlan::Optimized, None) | (CodePlan::Profiled(_), _) => None,
        }?;
        let may_count_it = matches!(specialized.specialization, Specialization::Trace(_));
        let at = specialized.at();
        let around = watched.inlined(at).and_then(|callee| callee.around);
        Some(ProgressRequest { at, may_count_it, around })
    }

    /// True iff a generation is there for the comparison under way alone.
    pub(super) fn is_compared(&self, func: FuncRef, generation: Generation) -> bool {
        self.comparison.as_ref().is_some_and(|one| one.func == func && one.generation == generation)
    }

    /// True iff a generation is compared with a specialized version.
    pub(super) fn is_of_specialized(&self, func: FuncRef, generation: Generation) -> bool {
        let of_specialized = self.comparison.as_ref().is_some_and(|one| !one.is_of_inlining());
        of_specialized && self.is_compared(func, generation)
    }

    /// A side was compiled. When both are there, the judged version is set aside for them.
    pub(super) fn compared_compiled(&mut self, compilation: CompilationId) -> Vec<Directive> {
        let comparison = self.comparison.as_mut().expect("its compilation ended");
        let first = match &mut comparison.sides {
            Some(sides) if !sides.is_half_compiled => {
                sides.is_half_compiled = true;
                return Vec::new();
            }
            Some(sides) => sides.copy,
            None => compilation,
        };
        (comparison.turn, comparison.ticks) = (Turn::Other, 0);
        vec![Directive::SetAside(comparison.judged), Directive::Install(first)]
    }

    /// A side is in use. It is the other's turn first.
    pub(super) fn compared_entered(&mut self, compilation: CompilationId, version: VersionId) -> Vec<Directive> {
        let comparison = self.comparison.as_mut().expect("its version was installed");
        match &comparison.sides {
            Some(sides) if sides.copy == compilation => {
                comparison.own = Some(version);
                vec![Directive::SetAside(version), Directive::Install(sides.other)]
            }
            Some(_) | None => {
                comparison.other = Some(version);
                Vec::new()
            }
        }
    }

    /// A question at each tick while versions take turns. A comparison whose versions do not come is given up: its function may have
    /// a new body, of which the controller hears with its next tick.
    pub(super) fn ask_progress(&mut self) -> Vec<Directive> {
        let Some(comparison) = &mut self.comparison else { return Vec::new() };
        if let (Some(own), Some(other)) = (comparison.own, comparison.other) {
            return vec![Directive::ReadProgress(vec![own, other])];
        }
        comparison.ticks += 1;
        let (func, is_over) = (comparison.func, comparison.ticks > LONGEST_WAIT);
        if is_over { self.abandon_comparison(func) } else { Vec::new() }
    }

    /// True iff two versions take turns with each other.
    pub(super) fn take_turns(&self, one: VersionId, other: VersionId) -> bool {
        let sides = |comparison: &Comparison| [Some(comparison.judged), comparison.own, comparison.other];
        let sides = self.comparison.as_ref().map(sides);
        sides.is_some_and(|sides| sides.contains(&Some(one)) && sides.contains(&Some(other)))
    }

    /// Takes a reading: a window ends, perhaps the turn, perhaps the comparison.
    pub(super) fn progress(&mut self, now: Micros, reading: Reading) -> Vec<Directive> {
        let Some(comparison) = &mut self.comparison else { return Vec::new() };
        comparison.ticks += 1;
        match (comparison.window(reading), comparison.turn) {
            (Some(time), Turn::Own) => comparison.own_times.push(time),
            (Some(time), Turn::Other) => comparison.other_times.push(time),
            (None, _) if comparison.ticks < comparison.longest_turn() => return Vec::new(),
            // The activation that runs does not come by where it could move, or the loop does not run.
            (None, _) => return self.end_comparison(now, None),
        }
        if comparison.is_decided() {
            let gain = comparison.gain();
            return self.end_comparison(now, Some(gain));
        }
        comparison.turn()
    }

    /// Ends the comparison: one of the two versions goes.
    fn end_comparison(&mut self, now: Micros, measured: Option<Measured>) -> Vec<Directive> {
        match self.comparison.take() {
            None => Vec::new(),
            Some(comparison) if comparison.is_of_inlining() => self.end_inlining(now, comparison, measured),
            Some(comparison) => self.end_specialized(now, comparison, measured),
        }
    }

    fn end_specialized(&mut self, now: Micros, comparison: Comparison, measured: Option<Measured>) -> Vec<Directive> {
        let Comparison { func, at, judged: specialized, .. } = comparison;
        let watched = self.watched(func);
        let planned = watched.current.loops.iter().find(|one| one.plan.at() == at);
        let mut directives = vec![Directive::TakeUp(specialized)];
        let Some(planned) = planned else { return self.drop_compared(comparison, directives) };
        let estimated = planned.gain(self.settings.guard_penalty);
        let gain = Gain {
            estimated: Some(estimated),
            measured: measured.map(|measured| measured.median),
            interval: measured.map(|measured| measured.interval),
            specialized: median(&comparison.own_times),
            general: median(&comparison.other_times),
            pairs: comparison.pairs() as u64,
            called: Vec::new(),
        };
        self.tell(now, func, Some(specialized), Some(at), What::Gain(gain));
        let worst = self.settings.worst_gain;
        let loses = measured.is_some_and(|measured| measured.median <= worst);
        let penalty = self.settings.guard_penalty;
        if let Some(Measured { median, .. }) = measured.filter(|_| !loses) {
            let watched = self.watched_mut(func);
            watched.loop_mut(at).gained(median);
            watched.current.gain = Some(median);
            // Of several loops another one may have gained all of it.
            if let [only] = &mut watched.current.loops[..] {
                only.gained(median, penalty);
            }
        }
        // Time in turns is no time in which its other entries were tried in vain.
        let record = self.watched_mut(func).record_mut(specialized);
        record.expect("it was compared").installed = now;
        if loses && self.watched(func).next.is_none() {
            let loops: Vec<LoopKey> = self.watched(func).current.loops.iter().map(|one| one.plan.at()).collect();
            for at in &loops {
                self.set_back(now, func, specialized, *at, DropReason::NoGain);
            }
            // Without a retired version general code is compiled once more: what was compared has counters, and is entered at one place.
            directives.extend(self.leave_specialized(now, func, DropReason::NoGain, loops.len()));
        }
        self.drop_compared(comparison, directives)
    }

    /// Ends a comparison that cannot go on, or whose judged version goes for another reason.
    pub(super) fn abandon_comparison(&mut self, func: FuncRef) -> Vec<Directive> {
        match self.comparison.take_if(|one| one.func == func) {
            Some(comparison) => {
                let taken_up = vec![Directive::TakeUp(comparison.judged)];
                self.drop_compared(comparison, taken_up)
            }
            None => Vec::new(),
        }
    }

    /// Drops what was there for a comparison alone, and is not asked for any more.
    pub(super) fn drop_compared(&mut self, comparison: Comparison, mut directives: Vec<Directive>) -> Vec<Directive> {
        let Comparison { func, generation, judged, own, other, .. } = comparison;
        self.pending.retain(|compilation, pending| {
            let is_kept = (pending.func, pending.generation) != (func, generation);
            directives.extend((!is_kept).then_some(Directive::Discard(*compilation)));
            is_kept
        });
        for version in own.into_iter().chain(other).filter(|version| *version != judged) {
            let record = self.watched_mut(func).record_mut(version);
            record.expect("it was installed").state = VersionState::Dropped(DropReason::Compared);
            directives.push(Directive::Drop(version));
        }
        directives
    }
}

//! The gain of a specialized version, measured: it and a general version of the same body take turns, and both count iterations.
//!
//! In: the first ticks of a specialized version, then a [`Reading`] at each tick. Out: a general version is requested; versions are set aside and
//! taken up; a `gain` event; and where the general version was no slower, general code for good.
//!
//! ```text
//!   specialized  sss.......sss.......sss          A turn lasts until a window: the time from one tick to another in which its version
//!   general         ggg       ggg       ggg       came round the loop often enough, and the other hardly. Two turns make a pair, and
//!                                                 each pair a gain.
//! ```
//!
//! The gain is the median over pairs of 1 - (CPU time an iteration of the one) / (that of the other). It is the share of all the
//! program's time in those windows, whatever else it does there.
//! Invariants: at most one comparison is under way, and none where polls are counted, as it would depend on real time; advice and
//! decisions about other functions do not see the turns, and events tell no more of them than the compilation of the general version.

use holloway_jit::VersionId;
use holloway_lang::ir::FuncRef;

use super::comparison::{Comparison, Measured, Turn, median};
use super::{Clock, Controller, Directive, Pending};
use crate::adaptive::decide::gain_at;
use crate::adaptive::directive::{CodePlan, CompilationId, ProgressRequest};
use crate::adaptive::event::{DropReason, Gain, What};
use crate::adaptive::history::{Generation, VersionState};
use crate::adaptive::input::{Micros, Reading, Tick};
use crate::adaptive::loop_key::LoopKey;
use crate::adaptive::settings::{LONGEST_TURN, LONGEST_WAIT};
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
        let entry = record.entry;
        // Both count this loop, or one around it.
        let Some(at) = watched.current.loops.first().map(|one| one.plan.at()) else { return Vec::new() };
        self.watched_mut(tick.func).current.compared = true;
        let generation = self.new_generation();
        self.comparison = Some(Comparison::new(tick.func, at, tick.version, generation));
        let why = "general code to compare its speed with".to_owned();
        vec![self.request(now, tick.func, generation, entry, CodePlan::Optimized, why)]
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
        let specialized = match plan {
            CodePlan::Specialized(loops) => loops.first(),
            CodePlan::Optimized if self.is_compared(func, generation) => {
                watched.current.loops.first().map(|one| &one.plan)
            }
            CodePlan::Optimized | CodePlan::Profiled(_) => None,
        }?;
        let has_traces = matches!(specialized.specialization, Specialization::Trace(_));
        let specialized = specialized.at();
        let around = watched.inlined(specialized).and_then(|callee| callee.around);
        Some(ProgressRequest { specialized, has_traces, around })
    }

    /// True iff a generation is the general side of the comparison under way.
    pub(super) fn is_compared(&self, func: FuncRef, generation: Generation) -> bool {
        self.comparison.as_ref().is_some_and(|one| one.func == func && one.generation == generation)
    }

    /// The general version was compiled: the specialized one is set aside for it.
    pub(super) fn compared_compiled(&mut self, compilation: CompilationId) -> Vec<Directive> {
        let comparison = self.comparison.as_mut().expect("its compilation ended");
        (comparison.turn, comparison.ticks) = (Turn::General, 0);
        vec![Directive::SetAside(comparison.specialized), Directive::Install(compilation)]
    }

    /// The general version is in use.
    pub(super) fn compared_entered(&mut self, pending: &Pending, version: VersionId) {
        let comparison = self.comparison.as_mut().expect("its version was installed");
        debug_assert_eq!(comparison.generation, pending.generation, "no other is compared");
        comparison.general = Some(version);
    }

    /// A question at each tick while versions take turns. A comparison whose general version does not come is given up: its function may have
    /// a new body, of which the controller hears with its next tick.
    pub(super) fn ask_progress(&mut self) -> Option<Directive> {
        let comparison = self.comparison.as_mut()?;
        let Some(general) = comparison.general else {
            comparison.ticks += 1;
            self.comparison.take_if(|comparison| comparison.ticks > LONGEST_WAIT);
            return None;
        };
        Some(Directive::ReadProgress(vec![comparison.specialized, general]))
    }

    /// True iff two versions take turns with each other.
    pub(super) fn take_turns(&self, one: VersionId, other: VersionId) -> bool {
        let sides = self.comparison.as_ref().map(|comparison| [Some(comparison.specialized), comparison.general]);
        sides.is_some_and(|sides| sides.contains(&Some(one)) && sides.contains(&Some(other)))
    }

    /// Takes a reading: a window ends, perhaps the turn, perhaps the comparison.
    pub(super) fn progress(&mut self, now: Micros, reading: Reading) -> Vec<Directive> {
        let Some(comparison) = &mut self.comparison else { return Vec::new() };
        comparison.ticks += 1;
        match (comparison.window(reading), comparison.turn) {
            (Some(time), Turn::Specialized) => comparison.specialized_times.push(time),
            (Some(time), Turn::General) => comparison.general_times.push(time),
            (None, _) if comparison.ticks < LONGEST_TURN => return Vec::new(),
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
        let Some(comparison) = self.comparison.take() else { return Vec::new() };
        let Comparison { func, at, specialized, .. } = comparison;
        let watched = self.watched(func);
        let planned = watched.current.loops.iter().find(|one| one.plan.at() == at);
        let mut directives = vec![Directive::TakeUp(specialized)];
        let Some(planned) = planned else { return self.drop_compared(comparison, directives) };
        let estimated = gain_at(planned.ratio(), self.settings.guard_penalty, 1.0 - planned.coverage);
        let gain = Gain {
            estimated,
            measured: measured.map(|measured| measured.median),
            interval: measured.map(|measured| measured.interval),
            specialized: median(&comparison.specialized_times),
            general: median(&comparison.general_times),
            pairs: comparison.pairs() as u64,
        };
        self.tell(now, func, Some(specialized), Some(at), What::Gain(gain));
        let worst = self.settings.worst_gain;
        let loses = measured.is_some_and(|measured| measured.median <= worst);
        if let Some(Measured { median, .. }) = measured.filter(|_| !loses) {
            let watched = self.watched_mut(func);
            watched.loop_mut(at).gained(median);
            watched.current.gain = Some(median);
        }
        // Time in turns is no time in which its other entries were tried in vain.
        let record = self.watched_mut(func).record_mut(specialized);
        record.expect("it was compared").installed = now;
        if loses && self.watched(func).next.is_none() {
            let loops: Vec<LoopKey> = self.watched(func).current.loops.iter().map(|one| one.plan.at()).collect();
            for at in loops {
                self.set_back(now, func, specialized, at, DropReason::NoGain);
            }
            // Without a retired version general code is compiled once more: what was compared has counters, and is entered at one place.
            directives.extend(self.back_to_general(now, func, DropReason::NoGain));
        }
        self.drop_compared(comparison, directives)
    }

    /// Ends a comparison whose specialized version goes for another reason.
    pub(super) fn abandon_comparison(&mut self, func: FuncRef) -> Vec<Directive> {
        match self.comparison.take_if(|one| one.func == func) {
            Some(comparison) => {
                let taken_up = vec![Directive::TakeUp(comparison.specialized)];
                self.drop_compared(comparison, taken_up)
            }
            None => Vec::new(),
        }
    }

    fn drop_compared(&mut self, comparison: Comparison, mut directives: Vec<Directive>) -> Vec<Directive> {
        self.pending
            .retain(|_, pending| (pending.func, pending.generation) != (comparison.func, comparison.generation));
        if let Some(general) = comparison.general {
            let record = self.watched_mut(comparison.func).record_mut(general);
            record.expect("it was installed").state = VersionState::Dropped(DropReason::Compared);
            directives.push(Directive::Drop(general));
        }
        directives
    }
}

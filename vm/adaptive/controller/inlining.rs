//! Code that runs by OSR, judged: does what is inlined in it run faster there than as code of its own?
//!
//! In: ticks on an optimized version that is entered at a loop header. Out: two versions of the same entry that take turns (`comparing`); a `gain`
//! event; and where the one that calls is faster, that one instead.
//!
//! Before an activation enters such a version, baseline code calls functions that have good code already: hot by calls, perhaps with traces. The
//! version has copies of them, and their own code is unused as long as it runs. Nothing can enter baseline code in mid-loop, and it would be the wrong
//! measure: the loop as it was before is the same loop optimized, with these calls.
//!
//! ```text
//!   judged, inlines --set aside--> copy of it, which counts  <--turns-->  calls, and counts
//! ```
//!
//! Invariants: the judged version has no counter, so it runs as before if it wins (code that calls
//! keeps its counter if that wins, as an iteration with a call is long); a version is judged once; what a function is found to call faster it calls in all later versions, until its history is discarded.

use holloway_lang::ir::FuncRef;

use super::comparison::{Comparison, Measured, Sides, median};
use super::{Clock, Controller, Directive};
use crate::adaptive::advice::{Action, Step};
use crate::adaptive::directive::{CalleeChoice, CodePlan, Entry};
use crate::adaptive::event::{DropReason, Gain, Installed, Kind, What};
use crate::adaptive::history::{VersionRecord, VersionState};
use crate::adaptive::input::{Micros, Tick};
use crate::adaptive::loop_key::LoopKey;

impl Controller {
    /// Begins to judge an optimized version, which a tick fell on, if it is time.
    pub(super) fn judge_inlining_if_due(&mut self, now: Micros, tick: Tick) -> Vec<Directive> {
        let func = tick.func;
        let watched = self.watched(func);
        let record = watched.record(tick.version).expect("the tick was folded into it");
        let is_due = record.entry != Entry::Call && record.ticks >= self.settings.judge_ticks && !record.judged;
        if !is_due || !record.is_live() || self.comparison.is_some() || self.settings.clock == Clock::Polls {
            return Vec::new();
        }
        let Some(header) = watched.last_tick.and_then(|tick| tick.loop_header) else { return Vec::new() };
        let called = self.known_by_calls(func, record);
        if called.is_empty() {
            return Vec::new();
        }
        let (entry, inlined, before) = (record.entry, record.inlined.clone(), watched.called.clone());
        self.watched_mut(func).record_mut(tick.version).expect("it is there").judged = true;
        let generation = self.new_generation();
        let comparison = Comparison::new(func, LoopKey::own(header), tick.version, generation);
        let comparison = Comparison { called: called.clone(), ..comparison };
        self.comparison = Some(comparison.of_copy(self.next_sides(now)));
        let called_now = before.iter().chain(&called).copied().collect();
        let left = inlined.iter().copied().filter(|callee| !called.contains(callee)).collect();
        let sides = [
            (CalleeChoice { called: before, inlined }, "a copy that counts, to compare its speed"),
            (CalleeChoice { called: called_now, inlined: left }, "code that calls, to compare its speed with"),
        ];
        let about = (func, generation, entry);
        sides
            .into_iter()
            .map(|(callees, why)| self.request_choosing(now, about, CodePlan::Optimized, callees, why.to_owned()))
            .collect()
    }

    /// Functions that are inlined in a version, and have code of their own that knows more: with traces, or hot when this function called it.
    fn known_by_calls(&self, func: FuncRef, version: &VersionRecord) -> Vec<FuncRef> {
        let is_known = |callee: &FuncRef| {
            let Some(watched) = self.functions.get(callee) else { return false };
            let by_calls = watched.callers.get(&func).copied().unwrap_or(0);
            watched.of(watched.current.generation).any(|own| {
                let is_good = match own.kind {
                    Kind::Specialized => true,
                    Kind::Optimized => by_calls >= self.settings.known_ticks,
                    Kind::Baseline | Kind::Profiled => false,
                };
                is_good && own.is_live() && own.entry == Entry::Call
            })
        };
        version.inlined.iter().copied().filter(|callee| *callee != func).filter(is_known).collect()
    }

    /// Ends the comparison: the judged version stays, or the code that calls takes its place.
    pub(super) fn end_inlining(
        &mut self,
        now: Micros,
        mut comparison: Comparison,
        measured: Option<Measured>,
    ) -> Vec<Directive> {
        let Comparison { func, at, judged, .. } = comparison;
        let called = std::mem::take(&mut comparison.called);
        let Sides { other: caller, asked, .. } = comparison.sides.expect("a copy of the judged version counts");
        let name = |callee: &FuncRef| self.functions.get(callee).map(|watched| watched.info.name.clone());
        let gain = Gain {
            estimated: None,
            measured: measured.map(|measured| measured.median),
            interval: measured.map(|measured| measured.interval),
            specialized: median(&comparison.own_times),
            general: median(&comparison.other_times),
            pairs: comparison.pairs() as u64,
            called: called.iter().filter_map(name).collect(),
        };
        self.tell(now, func, Some(judged), Some(at), What::Gain(gain));
        let is_worse =
            |measured: Measured| measured.median <= -self.settings.worst_inlining && measured.interval.1 < 0.0;
        let loses = measured.is_some_and(is_worse);
        let winner = comparison.other.filter(|_| loses);
        let Some(winner) = winner else {
            return self.drop_compared(comparison, vec![Directive::TakeUp(judged)]);
        };
        comparison.other = None;
        let ticks = self.ticks;
        let watched = self.watched_mut(func);
        watched.called.extend(called);
        let generation = watched.current.generation;
        watched.record_mut(judged).expect("it was compared").state = VersionState::Dropped(DropReason::Slower);
        let record = watched.record_mut(winner).expect("it was compared");
        (record.generation, record.installed, record.judged) = (generation, now, true);
        let entry = record.entry;
        let action = Action::compile(caller, entry, &CodePlan::Optimized, &watched.called);
        let step = Step::new(ticks, &watched.info, action);
        self.steps.push(step);
        let entry_line = self.entry_line(func, entry);
        let installed = Installed { compilation: Some(caller), entry_line, waited: now.since(asked) };
        self.tell(now, func, Some(winner), entry.header().map(LoopKey::own), What::Installed(installed));
        self.drop_compared(comparison, vec![Directive::TakeUp(winner), Directive::Drop(judged)])
    }
}

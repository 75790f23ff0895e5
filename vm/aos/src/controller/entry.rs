//! Requests of versions, and where each is entered. That is found by where ticks fall: by calls first, then, where an
//! activation stays in old code, at its outermost loop, then further in, as code that is entered in mid-nest has loops
//! that the optimizer sees less in. Once a version is in use, another entry waits until its lack has cost as much.

use holloway_ir::FuncRef;

use super::leaving::left_at;
use super::{Action, Cause, Controller, Order};
use crate::event::{CompileStart, Kind, What};
use crate::phase::{Build, Code, Phase};
use crate::settings::{FEW_CALLS, SURE_TICKS, TICK};
use crate::version::Generation;
use crate::{CodePlan, CompilationId, CompilationRequest, Entry, Micros, Part, Reason, Tick};

impl Controller {
    /// Requests new code of a function, entered from where the last tick fell.
    pub(super) fn request_next(&mut self, tick: Tick, plan: CodePlan, cause: impl Into<Cause>) -> Action {
        let cause = cause.into();
        let generation = self.new_generation();
        let running = self.log.function(tick.func).phase.code();
        let general = running.kept();
        let code = Code::new(generation, Some(plan.clone()), cause.reason.clone());
        let to = match plan {
            CodePlan::Optimized => Phase::Optimized(code),
            CodePlan::Profiled(_) => Phase::Profiling(Code { general, ..code }),
            CodePlan::Specialized(_) => unreachable!("specialized loops are requested with what is known of them"),
        };
        self.request_phase(tick, to, cause)
    }

    /// The same, for a phase that has more to it.
    pub(super) fn request_phase(&mut self, tick: Tick, to: Phase, cause: Cause) -> Action {
        let code = to.code();
        let (generation, why) = (code.generation, code.why.clone());
        let plan = code.plan.clone().expect("code that is requested has a plan");
        let entry = self.running_entry(tick, &plan).or_else(|| self.missing_entry(tick, generation));
        let entry = entry.unwrap_or(Entry::Call);
        self.enter(tick.func, cause, |from| Phase::Compiling(Box::new(Build { from, to })));
        self.request(tick.func, generation, entry, plan, why)
    }

    pub(super) fn request(
        &mut self,
        func: FuncRef,
        generation: Generation,
        entry: Entry,
        plan: CodePlan,
        why: Reason,
    ) -> Action {
        let compilation = CompilationId(self.compilations);
        self.compilations += 1;
        let kind = Kind::of(&plan);
        let ir_size = self.log.function(func).info.size;
        let estimate = self.model.compile_micros(self.log.function(func).work(func, kind));
        let entry_line = self.log.function(func).info.loop_line(entry.header());
        let start = CompileStart { compilation, plan: kind, entry_line, why, ir_size, estimate };
        self.log.emit_entered(func, None, entry, What::CompileStart(start));
        let progress = self.progress_loop(func, generation, &plan);
        let order = Order { func, generation, entry, plan: plan.clone(), asked: self.log.now, estimate, outcome: None };
        self.orders.insert(compilation, order);
        Action::Compile(CompilationRequest { compilation, func, entry, plan, progress, chance: None })
    }

    /// The loop around the calls that inlined functions are watched at. Activations of a function that has such a loop are long, so that a window
    /// which always began with one would see the same part of them each time; this one begins where ticks fall.
    fn running_entry(&self, tick: Tick, plan: &CodePlan) -> Option<Entry> {
        let watches = matches!(plan, CodePlan::Profiled(window) if !window.callees.is_empty());
        let header = tick.loop_header.filter(|_| watches && !self.settings.without.has(Part::Osr))?;
        Some(Entry::Header(*self.log.function(tick.func).nest(header).first()?))
    }

    /// The entry that code of `generation` lacks to be reached from where the tick fell; `None` if all it takes is patience.
    pub(super) fn missing_entry(&self, tick: Tick, generation: Generation) -> Option<Entry> {
        let function = self.log.function(tick.func);
        let enters_loops = !self.settings.without.has(Part::Osr);
        let header = tick.loop_header.filter(|_| enters_loops);
        let mut headers = header.map(|header| function.nest(header)).unwrap_or_default();
        let running = function.record(tick.version);
        headers.truncate(running.map_or(usize::MAX, |running| left_at(function, running, &headers)));
        let by_call = running.is_none_or(|running| running.entry == Entry::Call);
        // Where the outermost loop has its code, a second activation leaves there before long, and the third should not begin in old code.
        let outermost = headers.first().and_then(|header| function.live(generation, Entry::Header(*header)));
        let few = if outermost.is_some() { 1 } else { FEW_CALLS };
        let is_called = headers.is_empty() || tick.counted.is_none_or(|counted| counted.calls > few);
        let call = (by_call && is_called).then_some(Entry::Call);
        let entries = call.into_iter().chain(headers.into_iter().map(Entry::Header));
        let patience = self.patience(tick);
        // A window needs one entry: where there is one, patience comes before another.
        let of_profile = function.of(generation).filter(|record| record.kind == Kind::Profiled && record.is_live());
        let mut tried = of_profile.map(|record| record.installed).max();
        for entry in entries.filter(|entry| !function.failed.contains(&(generation, *entry))) {
            if let Some(record) = function.live(generation, entry) {
                tried = tried.max(Some(record.installed));
                continue;
            }
            let is_it = |order: &Order| (order.func, order.generation, order.entry) == (tick.func, generation, entry);
            let waits =
                self.orders.values().any(is_it) || tried.is_some_and(|tried| self.log.now.since(tried) < patience);
            return (!waits).then_some(entry);
        }
        None
    }

    /// The time that an activation may stay in code before another entry is tried: longer in faster code.
    fn patience(&self, tick: Tick) -> Micros {
        let kind = self.log.function(tick.func).record(tick.version).map_or(Kind::Baseline, |record| record.kind);
        Micros(((SURE_TICKS * TICK.0) as f64 * self.model.speed(kind)) as u64)
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;

//! Versions come into use: compiled, installed, put in the place of older ones, brought back. Invariant: when a version
//! of a new generation comes into use, no header leads to one of an older generation any more.

use holloway_ir::FuncRef;
use holloway_jit::VersionId;

use super::{Action, Cause, Clock, Controller, Order};
use crate::advice::{Change, CompiledVersion};
use crate::event::{DropReason, Kind, Refused, What};
use crate::phase::{Code, Phase};
use crate::version::{Generation, VersionRecord, VersionState};
use crate::{CodePlan, CompilationId, CompileOutcome, Entry, LoopKey, Micros, Reason};

impl Controller {
    /// True iff a generation is one that the function goes by, or will.
    fn is_wanted(&self, func: FuncRef, generation: Generation) -> bool {
        let phase = &self.log.function(func).phase;
        phase.code().generation == generation
            || self.is_compared(func, generation)
            || phase.next().is_some_and(|next| next.generation == generation)
    }

    pub(super) fn on_compiled(&mut self, compilation: CompilationId, outcome: CompileOutcome) -> Vec<Action> {
        // Its function got a new body meanwhile.
        let Some(order) = self.orders.get(&compilation).cloned() else { return vec![Action::Discard(compilation)] };
        let (func, kind) = (order.func, Kind::of(&order.plan));
        let function = self.log.function_mut(func);
        function.inlined_size = outcome.inlined_size;
        let work = function.work(func, kind);
        self.model.measured(work, outcome.figures.micros.as_f64());
        self.log.compiled((func, order.entry, &order.plan), (compilation, order.estimate), &outcome);
        if kind != Kind::Optimized || self.is_compared(func, order.generation) {
            self.overhead += self.cost(&order, &outcome);
        }
        if !self.is_wanted(func, order.generation) {
            self.orders.remove(&compilation);
            return vec![Action::Discard(compilation)];
        }
        if kind == Kind::Specialized && outcome.loops.is_empty() {
            let mut actions = self.on_compile_failed(compilation, Reason::NothingFormed);
            actions.insert(0, Action::Discard(compilation));
            return actions;
        }
        self.emit_loops(func, &outcome);
        self.orders.get_mut(&compilation).expect("it is there").outcome = Some(outcome);
        if self.is_compared(func, order.generation) {
            return self.compared_compiled(compilation);
        }
        vec![Action::Install(compilation)]
    }

    fn emit_loops(&mut self, func: FuncRef, outcome: &CompileOutcome) {
        for (at, traces) in &outcome.loops {
            self.note_episode(func, *at, |episode| episode.formed = Some(traces.clone()));
            self.log.emit(func, None, Some(*at), What::TraceFormed(traces.clone()));
        }
    }

    /// Time that a compilation took: where polls are counted, as it was expected.
    fn cost(&self, order: &Order, outcome: &CompileOutcome) -> f64 {
        match self.settings.clock {
            Clock::Real => outcome.figures.micros.as_f64(),
            Clock::Polls => order.estimate,
        }
    }

    /// Requested code cannot be had: the function stays in the phase that it is in.
    pub(super) fn on_compile_failed(&mut self, compilation: CompilationId, reason: Reason) -> Vec<Action> {
        let Some(order) = self.orders.remove(&compilation) else { return Vec::new() };
        let func = order.func;
        let plan = Kind::of(&order.plan);
        let refused = What::Refused(Refused { plan, reason: reason.clone() });
        self.log.emit_entered(func, None, order.entry, refused);
        if self.is_compared(func, order.generation) {
            return self.abandon_trial(func);
        }
        let function = self.log.function_mut(func);
        let was_next = function.phase.next().is_some_and(|next| next.generation == order.generation);
        if !was_next {
            function.failed.push((order.generation, order.entry));
            return Vec::new();
        }
        function.impossible.push(plan);
        let loops: Vec<LoopKey> = order.plan.loops().collect();
        for at in &loops {
            self.note_episode(func, *at, |episode| episode.declined = Some(reason.clone()));
        }
        self.enter(func, Cause::of_loops(reason, loops), |phase| match phase {
            Phase::Compiling(build) => match build.from {
                Phase::Analyzing { running, .. } if running.kind != Kind::Profiled => Phase::Resting(running),
                from => from,
            },
            _ => unreachable!("it was next"),
        });
        match &self.log.function(func).phase {
            // The probes must go, whatever becomes of the rest.
            Phase::Analyzing { .. } => self.leave(func, DropReason::ProfileDone, Vec::new()),
            _ => Vec::new(),
        }
    }

    pub(super) fn on_installed(&mut self, compilation: CompilationId, version: VersionId) -> Vec<Action> {
        let Some(order) = self.orders.remove(&compilation) else { return Vec::new() };
        let outcome = order.outcome.as_ref().expect("what is installed was compiled");
        let func = order.func;
        let (now, paid) = (self.log.now, self.cost(&order, outcome));
        self.log.add(func, record_of(&order, outcome, (compilation, version), now));
        if self.is_compared(func, order.generation) {
            self.log.function_mut(func).phase.code_mut().cost += paid;
            self.trial.as_mut().expect("its version was installed").other = Some(version);
            return Vec::new();
        }
        let compiled = CompiledVersion::new(compilation, order.entry, &order.plan);
        self.advise(func, None, Change::Compile(compiled));
        let next = self.log.function(func).phase.next();
        if next.is_some_and(|next| next.generation == order.generation) {
            let cause = Cause::of_loops(Reason::Installed, order.plan.loops().collect());
            self.enter(func, cause, |phase| {
                let Phase::Compiling(build) = phase else { unreachable!("it was next") };
                let mut to = build.to;
                to.code_mut().since = now;
                to
            });
        }
        self.log.function_mut(func).phase.code_mut().cost += paid;
        self.log.installed(version, Some(compilation), self.log.now.since(order.asked));
        let mut actions = self.clear_away(func, order.entry);
        actions.extend(self.withdraw(func));
        actions
    }

    /// Withdraws compilations of a function for code that it does not go by any more.
    fn withdraw(&mut self, func: FuncRef) -> Vec<Action> {
        let is_vain =
            |order: &Order| order.func == func && order.outcome.is_none() && !self.is_wanted(func, order.generation);
        let vain = self.orders.iter().filter(|(_, order)| is_vain(order)).map(|(compilation, _)| *compilation);
        let vain: Vec<CompilationId> = vain.collect();
        for compilation in &vain {
            let order = self.orders.remove(compilation).expect("it was found there");
            let refused = What::Refused(Refused { plan: Kind::of(&order.plan), reason: Reason::NotNeeded });
            self.log.emit_entered(func, None, order.entry, refused);
        }
        vain.into_iter().map(Action::Discard).collect()
    }

    /// Takes older versions out of use, now that one of the present code is entered at `entry`.
    fn clear_away(&mut self, func: FuncRef, entry: Entry) -> Vec<Action> {
        let compared = self.trial.as_ref().map(|trial| trial.generation);
        let function = self.log.function_mut(func);
        let current = function.phase.code().generation;
        let general = function.phase.code().general.as_ref().map(|code| code.generation);
        let mut actions = Vec::new();
        for record in &mut function.versions {
            let in_the_way = match record.entry {
                Entry::Header(_) => true,
                Entry::Call => entry == Entry::Call,
            };
            let kept = Some(record.generation) == general;
            let over = match record.state {
                VersionState::Live => in_the_way,
                // Versions retired for code that is not kept any more go.
                VersionState::Retired => !kept,
                VersionState::Dropped(_) => false,
            };
            if record.generation == current || Some(record.generation) == compared || !over {
                continue;
            }
            if kept {
                record.state = VersionState::Retired;
                actions.push(Action::Retire(record.id));
            } else {
                let reason = if record.kind == Kind::Profiled { DropReason::ProfileDone } else { DropReason::Replaced };
                record.state = VersionState::Dropped(reason);
                actions.push(Action::Drop(record.id));
            }
        }
        actions
    }

    /// Leaves probes or traces of some loops, for a reason that is the cause.
    pub(super) fn leave(&mut self, func: FuncRef, reason: DropReason, loops: Vec<LoopKey>) -> Vec<Action> {
        self.back_to_general(func, reason, Cause::of_loops(Reason::Dropped(reason), loops))
    }

    /// Leaves probes or traces for general code: what they replaced, else what is compiled now.
    pub(super) fn back_to_general(&mut self, func: FuncRef, reason: DropReason, cause: Cause) -> Vec<Action> {
        let function = self.log.function_mut(func);
        function.told = None;
        let left = function.phase.code().clone();
        let Some(general) = left.general.clone() else {
            let may_optimize = !function.impossible.contains(&Kind::Optimized);
            let Some(tick) = function.last_tick.filter(|_| may_optimize) else {
                self.enter(func, cause, |_| Phase::Resting(Code { gain: None, ..left }));
                return Vec::new();
            };
            let code = Code::new(self.new_generation(), Some(CodePlan::Optimized), Reason::General);
            return vec![self.request_phase(tick, Phase::Optimized(code), cause)];
        };
        let general = Code { since: self.log.now, ..*general };
        self.enter(func, cause, |_| match reason {
            // What is known of its loops is as it was.
            DropReason::Abandoned => Phase::Optimized(general),
            DropReason::ProfileDone
            | DropReason::GuardsFail
            | DropReason::NoGain
            | DropReason::Compared
            | DropReason::Replaced
            | DropReason::Redefined => Phase::Resting(general),
        });
        self.reinstate(func, &left, reason)
    }

    /// The versions of the present code are used again instead of those of the code that was left.
    pub(super) fn reinstate(&mut self, func: FuncRef, left: &Code, reason: DropReason) -> Vec<Action> {
        let function = self.log.function_mut(func);
        let current = function.phase.code().generation;
        let mut actions = Vec::new();
        for record in &mut function.versions {
            match record.state {
                VersionState::Retired if record.generation == current => {
                    record.state = VersionState::Live;
                    actions.push(Action::Reinstall(record.id));
                }
                VersionState::Live if record.generation == left.generation => {
                    record.state = VersionState::Dropped(reason);
                    actions.push(Action::Drop(record.id));
                }
                VersionState::Live | VersionState::Retired | VersionState::Dropped(_) => {}
            }
        }
        actions.extend(self.withdraw(func));
        actions
    }
}

fn record_of(order: &Order, outcome: &CompileOutcome, id: (CompilationId, VersionId), now: Micros) -> VersionRecord {
    let kind = Kind::of(&order.plan);
    VersionRecord {
        compilation: Some(id.0),
        compile: outcome.figures.micros,
        code_bytes: outcome.figures.code_bytes,
        leaving: outcome.leaving,
        specialized: order.plan.loops().filter_map(LoopKey::own_header).collect(),
        ..VersionRecord::new(id.1, kind, order.entry, order.generation, now)
    }
}

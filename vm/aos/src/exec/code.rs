//! Compilations: from the controller's requests to the compiler's, from results to versions.

use super::job::{Done, Job, Outcome, Pending};
use super::random_observations::random_observations;
use super::specialize::{called, specialize, specialized_callees};
use super::watch::{ToWatch, Watcher};
use super::{Background, RecompilationExecutor};
use crate::event::TraceFormed;
use crate::settings::CALLED_AGAIN;
use crate::{
    Action, Chance, CodePlan, CompilationId, CompilationRequest, CompileFigures, CompileOutcome, Entry, LoopKey,
    Micros, Observation, Part, PartTime, ProgressRequest, Reason, Window,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use holloway_ir::FuncRef;
use holloway_jit::expand::Expanded;
use holloway_jit::graph_of::{block_of, graph_of};
use holloway_jit::probes::Paths;
use holloway_jit::trace::chance::Random;
use holloway_jit::{Leaving, Request, Tier, Timings, is_optimizable};
use holloway_machine::Machine;
use holloway_profiler::graph::EdgeId;
use holloway_profiler::number::spanning_tree::static_weights;
use std::sync::Arc;
use std::time::Duration;

impl RecompilationExecutor {
    pub(super) fn compile(&mut self, machine: &mut Machine, wanted: CompilationRequest) -> Vec<Action> {
        let compilation = wanted.compilation;
        match self.prepare(machine, wanted) {
            Ok((request, loops)) => {
                let pending = Pending { compilation, request, loops, withdrawn: Arc::default() };
                self.present.requested.insert(compilation, pending.clone());
                self.submit(machine, Job::Compile(Box::new((machine.code.env().clone(), pending))))
            }
            Err(reason) => self.tell(Observation::Compiled(compilation, Err(reason))),
        }
    }

    /// Request for what is wanted, with the traces of each specialized loop; the reason if it cannot be compiled.
    fn prepare(
        &mut self,
        machine: &mut Machine,
        wanted: CompilationRequest,
    ) -> Result<(Request, Vec<(LoopKey, TraceFormed)>), Reason> {
        let CompilationRequest { func, entry, plan, progress, chance, .. } = wanted;
        // Advice may be about a program that is not there yet, as in the REPL.
        let functions = machine.runtime.module().funcs.len();
        if plan.callees().any(|callee| callee.index() >= functions) {
            return Err(Reason::NoFunction);
        }
        let module = machine.runtime.module();
        if !is_optimizable(module, module.function(func)) {
            return Err(Reason::TooLarge);
        }
        let mut request = match chance {
            None => {
                self.present.missed.change(func, &mut machine.profiles);
                Request { leaving: leaving(machine, func, entry), ..self.optimized(machine, func) }
            }
            Some(Chance { seed, .. }) => {
                let mut random = Random(seed);
                let observed = random_observations(machine.runtime.module(), |below| random.word() % below);
                let leaving = Leaving::AtHeaders;
                Request { observed, leaving, ..machine.code.request(func, Tier::Optimized) }
            }
        };
        request.entry = entry;
        request.not_inlined = self.called(func, &plan, progress);
        request.progress = progress.and_then(|wanted| self.progress_counter(machine, func, wanted));
        if progress.is_some() && request.progress.is_none() && plan == CodePlan::Optimized {
            return Err(Reason::NoProgress);
        }
        if let Entry::Header(header) = entry {
            let headers = machine.headers(func);
            if headers.state(header).is_none() {
                return Err(Reason::LargeState);
            }
            if !headers.can_enter(header) {
                return Err(Reason::DeepNest);
            }
        }
        match plan {
            CodePlan::Optimized => Ok((request, Vec::new())),
            CodePlan::Profiled(window) => {
                request.leaving = Leaving::AtHeaders;
                request.passes.leave_out_copies();
                self.watch(machine, &mut request, &window, chance)?;
                Ok((request, Vec::new()))
            }
            CodePlan::Specialized(proposals) => {
                self.expand(machine, &mut request, func);
                for callee in specialized_callees(&request.body, &proposals, chance) {
                    self.expand(machine, &mut request, callee);
                }
                let (module, settings) = (&machine.code.env().module, self.session.settings());
                let loops = specialize(&mut request, module, &proposals, chance, &settings);
                if loops.is_empty() { Err(Reason::NothingFormed) } else { Ok((request, loops)) }
            }
        }
    }

    /// Functions whose own code has traces, which are called; but for those that a plan is about where they are inlined.
    fn called(&self, func: FuncRef, plan: &CodePlan, progress: Option<ProgressRequest>) -> Vec<FuncRef> {
        let mut inlined: Vec<FuncRef> = progress.and_then(|wanted| wanted.at.callee).into_iter().collect();
        inlined.extend(plan.callees());
        let in_use = self.present.versions.values().filter(|version| !self.present.leaving.contains(&version.id));
        let with_traces = in_use.filter(|version| version.entry == Entry::Call && version.has_traces());
        let mut called: Vec<FuncRef> = with_traces.map(|version| version.func).collect();
        called.retain(|callee| *callee != func && !inlined.contains(callee));
        called.sort_unstable();
        called.dedup();
        called
    }

    /// Has a function compiled by its expanded body, if it has one.
    pub(super) fn expand(&mut self, machine: &Machine, request: &mut Request, func: FuncRef) {
        if let Some(expanded) = self.expanded(machine, func) {
            request.expanded.add(func, expanded);
        }
    }

    /// Adds the probes of a window: of the function itself, and of those that are watched where they are inlined.
    fn watch(
        &mut self,
        machine: &mut Machine,
        request: &mut Request,
        window: &Window,
        chance: Option<Chance>,
    ) -> Result<(), Reason> {
        let own = self.member(machine, request.func);
        let callees = match chance {
            None => window.callees.clone(),
            Some(_) => called(&request.body),
        };
        let callees = callees.into_iter().filter(|callee| *callee != request.func);
        let inlined: Vec<ToWatch> = callees.map(|callee| self.member(machine, callee)).collect();
        let watcher = self.watcher.get_or_insert_with(|| {
            let watcher = Watcher::new();
            machine.set_collector(Box::new(watcher.clone()), None, Paths::default());
            watcher
        });
        let watched = watcher.lock().watch(&own, &inlined, window);
        let group = watched?;
        request.paths = group.paths();
        group.members().for_each(|func| self.expand(machine, request, func));
        Ok(())
    }

    fn member(&mut self, machine: &Machine, func: FuncRef) -> ToWatch {
        let expanded = self.expanded(machine, func);
        (func, self.whole(machine, func), frequency(machine, func, expanded.as_deref()))
    }

    /// A request for optimized code that knows what baseline code observed, unless the run does without that.
    pub(super) fn optimized(&self, machine: &Machine, func: FuncRef) -> Request {
        let plain = machine.code.request(func, Tier::Optimized);
        match self.session.without().has(Part::ObservedEdges) {
            true => plain,
            false => Request { observed: machine.profiles.observed(func), ..plain },
        }
    }

    /// Has a job done on the compiler's thread, or does it at once.
    pub(super) fn submit(&mut self, machine: &mut Machine, job: Job) -> Vec<Action> {
        if matches!(self.time, super::Time::Clock(_)) && self.compiler.is_none() {
            self.compiler = Background::start(machine.runtime.interrupt_handle(), Job::work_apart);
        }
        let submitted = match &self.compiler {
            Some(compiler) => compiler.submit(job),
            None => Err(job),
        };
        submitted.map_or_else(|job| self.take(machine, job.work()), |()| Vec::new())
    }

    pub(super) fn take_results(&mut self, machine: &mut Machine) {
        let outcomes = self.compiler.as_ref().map(Background::done).unwrap_or_default();
        for outcome in outcomes {
            let actions = self.take(machine, outcome);
            self.carry_out(machine, actions);
        }
    }

    fn take(&mut self, machine: &mut Machine, outcome: Outcome) -> Vec<Action> {
        match outcome {
            Outcome::Compiled(done) => self.compiled(machine, *done),
            Outcome::Proposed(number, findings) => self.proposed(number, findings),
        }
    }

    fn compiled(&mut self, machine: &Machine, done: Done) -> Vec<Action> {
        let Pending { compilation, ref request, ref loops, .. } = done.asked;
        let was_requested = self.present.requested.remove(&compilation).is_some();
        if !was_requested || !machine.code.is_current(request) {
            return Vec::new();
        }
        let result = match &done.result {
            Ok(compiled) => Ok(CompileOutcome {
                figures: CompileFigures {
                    micros: Micros(done.time.as_micros() as u64),
                    ir_size: request.body.size() as u64,
                    code_bytes: compiled.size() as u64,
                    inlined: compiled.inlined.calls,
                    guarded: compiled.inlined.guarded,
                    parts: parts(&compiled.timings, done.time),
                },
                loops: loops.clone(),
                leaving: compiled.frame.leaving,
                inlined_size: compiled.inlined.size,
            }),
            Err(error) => Err(Reason::Said(error.0.clone())),
        };
        if result.is_ok() {
            self.present.waiting.insert(compilation, done);
        }
        self.tell(Observation::Compiled(compilation, result))
    }

    /// Makes what was compiled the code of its entry.
    pub(super) fn install(&mut self, machine: &mut Machine, compilation: CompilationId) -> Vec<Action> {
        let Some(Done { asked, result: Ok(compiled), .. }) = self.present.waiting.remove(&compilation) else {
            return Vec::new();
        };
        match machine.code.add(&asked.request, compiled) {
            Ok(version) => {
                machine.limit_stack_for_new_code();
                machine.code.activate(&version);
                self.present.versions.insert(version.id, Arc::clone(&version));
                self.tell(Observation::Installed(compilation, version.id))
            }
            Err(_) => self.tell(Observation::Refused(compilation, Reason::NoCodeMemory)),
        }
    }
}

/// The places at which a version can be left: loops that run on must be able to follow. A function that is called time
/// and again follows with its next call, and saves registers, unless its code may come to be out of date.
fn leaving(machine: &Machine, func: FuncRef, entry: Entry) -> Leaving {
    let calls = machine.profiles.get(func).map_or(0, |profile| profile.counts().calls);
    match entry {
        Entry::Call if calls >= CALLED_AGAIN => Leaving::IfOutdated,
        Entry::Call | Entry::Header(_) => Leaving::AtOutermost,
    }
}

/// Executions of each edge of a function, as far as baseline code counted; estimates where it did not run.
fn frequency(machine: &Machine, func: FuncRef, expanded: Option<&Expanded>) -> SecondaryMap<EdgeId, u64> {
    let Some(profile) = machine.profiles.get(func) else {
        let written = machine.runtime.module().function(func);
        return static_weights(&graph_of(expanded.map_or(written, |expanded| &expanded.body)));
    };
    let mut frequency = SecondaryMap::new();
    match expanded {
        None => {
            let counts = profile.counts();
            profile.graph.edges().for_each(|(edge, _)| frequency[edge] = counts.edges[edge]);
        }
        Some(expanded) => {
            let graph = graph_of(&expanded.body);
            let observed = machine.profiles.observed(func);
            let executions = expanded.executions(func, &observed);
            for (id, edge) in graph.edges().filter(|(id, _)| !graph.is_return(*id)) {
                frequency[id] = executions(block_of(edge.from), block_of(edge.to));
            }
        }
    }
    frequency
}

/// The parts of a compilation, whose clock goes on while the thread waits: all are shortened alike to its CPU time.
fn parts(timings: &Timings, cpu: Duration) -> Vec<PartTime> {
    let elapsed: f64 = timings.parts().map(|(_, time)| time.as_secs_f64()).sum();
    let part = if elapsed > 0.0 { (cpu.as_secs_f64() / elapsed).min(1.0) } else { 1.0 };
    let of =
        |(name, time): (&str, Duration)| PartTime { part: name.to_owned(), micros: time.as_secs_f64() * part * 1e6 };
    timings.parts().map(of).collect()
}

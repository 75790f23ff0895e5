//! The executor of a program: the interpreter, or compiled code, behind one interface.

use super::config::TierChoice;
use super::observers::{EdgeObserver, PathObserver, instrumented};
use super::program_paths::{ProgramPaths, program_paths};
use holloway_aos::Session;
use holloway_aos::exec::RecompilationExecutor;
use holloway_interp::plan::{Instrumented, PlanObserver};
use holloway_interp::{Interpreter, NoObserver};
use holloway_jit::graph_of::graph_of;
use holloway_jit::redundant::RedundantLoads;
use holloway_jit::{FuelCounting, Tier};
use holloway_lang::ir::{FuncRef, Function, Module, Scalar};
use holloway_lang::source::SourceMap;
use holloway_machine::Machine;
use holloway_machine::profile::{
    BurstSampler, CompiledPaths, ContextListener, Frequencies, Listening, Pace, Placement, Planner, first_called,
};
use holloway_profiler::machine;
use holloway_profiler::machine::NoSink;
use holloway_profiler::number::spanning_tree::{EdgePlan, static_weights};
use holloway_profiler::scheme::{Gap, Scheme};
use holloway_runtime::failure::{Failure, FailureKind, FrameInfo, Unwind};
use holloway_runtime::{Limits, Runtime};
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// The executor of a program.
pub enum Executor {
    /// The reference interpreter.
    Interpreted(Box<Interpreted>),
    /// Compiled code.
    Compiled(Compiled),
}

/// The interpreter with its runtime.
pub struct Interpreted {
    runtime: Runtime,
    watch: Watch,
    /// Contexts of calls, by a scheme that is about them.
    pub(crate) contexts: Option<Listening<ContextListener>>,
    /// The module for whose bodies edge plans are made.
    planned: Arc<Mutex<Arc<Module>>>,
    /// Compiled code beside which it runs must expect such values, too.
    expects_values_from_elsewhere: bool,
}

/// Compiled code, and the paths that it reports.
pub struct Compiled {
    machine: Box<Machine>,
    pub(crate) paths: Option<CompiledPaths>,
    /// Paths by numberings of the program as it was before.
    pub(crate) earlier: Vec<ProgramPaths>,
    /// Contexts of calls, by a scheme that is about them.
    pub(crate) contexts: Option<Listening<ContextListener>>,
    /// The tier that the user chose for all code.
    pinned: Option<Tier>,
}

impl From<Box<Machine>> for Compiled {
    fn from(machine: Box<Machine>) -> Compiled {
        Compiled { machine, paths: None, earlier: Vec::new(), contexts: None, pinned: None }
    }
}

impl Deref for Compiled {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.machine
    }
}

impl DerefMut for Compiled {
    fn deref_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }
}

/// Observer of the interpreter.
enum Watch {
    Nobody(Interpreter<NoObserver>),
    Edges(Interpreter<EdgeObserver>),
    Paths(WatchedPaths, Interpreter<PathObserver>),
}

/// Paths that the interpreter counts.
pub(crate) struct WatchedPaths {
    pub(crate) planner: Planner,
    /// Paths by numberings of the program as it was before.
    pub(crate) earlier: Vec<ProgramPaths>,
}

/// The edge plan of a body: the same for every tier.
pub(crate) fn edge_plan(body: &Function) -> (holloway_profiler::graph::Graph, EdgePlan) {
    let graph = graph_of(body);
    let plan = EdgePlan::new(&graph, &static_weights(&graph));
    (graph, plan)
}

impl Executor {
    pub(crate) fn new(
        choice: TierChoice,
        runtime: Runtime,
        limits: Limits,
        adaptive: Option<Session>,
    ) -> io::Result<Executor> {
        let tier = match choice {
            TierChoice::Interp => return Ok(Executor::Interpreted(Box::new(Interpreted::new(runtime)))),
            TierChoice::Baseline => Tier::Baseline,
            TierChoice::Auto => Tier::Baseline,
            TierChoice::Optimized => Tier::Optimized,
        };
        let mut machine = Machine::new(runtime)?;
        machine.first_tier = tier;
        if choice == TierChoice::Auto && limits.fuel.is_none() {
            let session = adaptive.unwrap_or_else(Session::in_background);
            machine.set_adaptive_system(Box::new(RecompilationExecutor::new(session)));
        }
        machine.code.set_fuel_counting(if limits.fuel.is_some() { FuelCounting::On } else { FuelCounting::Off });
        let pinned = (choice == TierChoice::Baseline).then_some(Tier::Baseline);
        Ok(Executor::Compiled(Compiled { pinned, ..machine.into() }))
    }

    /// The adaptive system of the run, if there is one.
    pub fn adaptive(&self) -> Option<&Session> {
        match self {
            Executor::Interpreted(_) => None,
            Executor::Compiled(machine) => machine.recompilation().map(RecompilationExecutor::session),
        }
    }

    /// The adaptive system of the run, if there is one.
    pub fn adaptive_mut(&mut self) -> Option<&mut Session> {
        match self {
            Executor::Interpreted(_) => None,
            Executor::Compiled(machine) => machine.recompilation_mut().map(RecompilationExecutor::session_mut),
        }
    }

    /// The calls so far are a run, of which the adaptive system tells the end.
    pub fn measure_run(&mut self) {
        match self {
            Executor::Interpreted(_) => {}
            Executor::Compiled(machine) => machine.measure_run(),
        }
    }

    /// Tells the optimizer which loads a recorded run found to be redundant.
    pub fn advise(&mut self, loads: RedundantLoads) {
        match self {
            Executor::Interpreted(_) => {}
            Executor::Compiled(machine) => machine.code.passes.redundant = loads,
        }
    }

    /// The runtime of the executor.
    pub fn runtime(&self) -> &Runtime {
        match self {
            Executor::Interpreted(interpreted) => &interpreted.runtime,
            Executor::Compiled(machine) => &machine.runtime,
        }
    }

    /// The runtime of the executor.
    #[inline]
    pub fn runtime_mut(&mut self) -> &mut Runtime {
        match self {
            Executor::Interpreted(interpreted) => &mut interpreted.runtime,
            Executor::Compiled(machine) => &mut machine.runtime,
        }
    }

    /// Takes a module that extends the present one, or replaces bodies of its functions.
    pub(crate) fn install(&mut self, module: Arc<Module>) {
        match self {
            Executor::Interpreted(interpreted) => interpreted.install(module),
            Executor::Compiled(compiled) => {
                compiled.earlier.retain(|paths| paths.is_part_of(&module));
                compiled.install(module);
            }
        }
    }

    /// The program gets arrays, or functions, that it did not make.
    pub(crate) fn expect_values_from_elsewhere(&mut self) {
        match self {
            Executor::Interpreted(interpreted) => interpreted.expects_values_from_elsewhere = true,
            Executor::Compiled(compiled) => compiled.expect_values_from_elsewhere(),
        }
    }

    /// True if code expects such values.
    pub(crate) fn expects_values_from_elsewhere(&self) -> bool {
        match self {
            Executor::Interpreted(interpreted) => interpreted.expects_values_from_elsewhere,
            Executor::Compiled(compiled) => compiled.expects_values_from_elsewhere(),
        }
    }

    /// Calls a function with arguments as words.
    pub(crate) fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        let result = match self {
            Executor::Interpreted(interpreted) => interpreted.call(func, args),
            Executor::Compiled(compiled) => {
                compiled.number_for(func);
                compiled.call(func, args)
            }
        };
        // The call may have ended before its next poll.
        if self.runtime().output.is_full() && result.is_ok() {
            return Err(self.output_lost(func));
        }
        result
    }

    /// The same, where the scalars of parameters and result are known.
    #[inline]
    pub(crate) fn call_typed(
        &mut self,
        func: FuncRef,
        scalars: (&[Scalar], Option<Scalar>),
        args: &[u64],
    ) -> Result<Option<u64>, Unwind> {
        match self {
            Executor::Compiled(compiled) if compiled.paths.is_none() => {
                let result = compiled.machine.call_typed(func, scalars, args);
                if compiled.machine.runtime.output.is_full() && result.is_ok() {
                    return Err(self.output_lost(func));
                }
                result
            }
            Executor::Interpreted(interpreted) => match interpreted.call(func, args) {
                Ok(_) if interpreted.runtime.output.is_full() => Err(self.output_lost(func)),
                Ok(word) => Ok(word),
                Err(unwind) => Err(unwind),
            },
            Executor::Compiled(_) => self.call(func, args),
        }
    }

    fn output_lost(&self, function: FuncRef) -> Unwind {
        let span = self.runtime().module().function(function).span;
        let stack = vec![FrameInfo { function, at: span }];
        Unwind::Failure(Failure { kind: FailureKind::OutputLost, span, stack })
    }

    /// Numbers the program as a whole run would, where paths run across calls: for code that is looked at and not run.
    pub fn number_program(&mut self) {
        if let Executor::Compiled(compiled) = self
            && let Some(first) = first_called(compiled.runtime.module())
        {
            compiled.number_for(first);
        }
    }

    /// Counts by a scheme from now on, in place of any other.
    pub fn profile(&mut self, scheme: Scheme) {
        self.profile_at(scheme, Pace::Clock);
    }

    /// The same, with ticks at some pace, where they begin bursts.
    pub fn profile_at(&mut self, scheme: Scheme, pace: Pace) {
        self.profile_as(Planner::new(scheme), pace);
    }

    /// The same as `profile`, with paths numbered by counts of edges in an earlier run, if the scheme numbers them smartly.
    pub fn profile_numbered_by(&mut self, scheme: Scheme, frequencies: Frequencies) {
        self.profile_as(Planner::with_frequencies(scheme, frequencies), Pace::Clock);
    }

    fn profile_as(&mut self, planner: Planner, pace: Pace) {
        match planner.scheme.counts_edges() {
            true => self.count_edges(),
            false => {
                let contexts = planner.scheme.keeps_contexts().then(|| Listening::new(ContextListener::default()));
                let listening = contexts.as_ref().map(Listening::shared);
                self.profile_paths(planner, pace, listening.as_ref());
                match self {
                    Executor::Interpreted(interpreted) => interpreted.contexts = contexts,
                    Executor::Compiled(compiled) => compiled.contexts = contexts,
                }
            }
        }
    }

    /// Tells a listener all paths in order from now on, which nobody counts.
    pub fn listen(&mut self, listening: &Listening) {
        self.profile_paths(Planner::new(Scheme::in_order()), Pace::Clock, Some(listening));
    }

    /// Has the listener hear all that has happened.
    pub fn settle(&mut self) {
        if let Executor::Compiled(compiled) = self {
            compiled.flush_events();
            compiled.paths.iter().for_each(CompiledPaths::settle);
        }
    }

    /// Counts edges from now on. Baseline code always does, so functions are compiled to that.
    fn count_edges(&mut self) {
        match self {
            Executor::Interpreted(interpreted) if interpreted.counts_edges() => {}
            Executor::Interpreted(interpreted) => interpreted.watch = interpreted.edge_watch(),
            Executor::Compiled(machine) => {
                machine.drop_code();
                machine.first_tier = Tier::Baseline;
                machine.take_adaptive_system();
            }
        }
    }

    /// Passes the sources to the adaptive system, which names lines.
    pub(crate) fn set_sources(&mut self, sources: &SourceMap) {
        if let Executor::Compiled(machine) = self
            && let Some(system) = machine.recompilation_mut()
        {
            system.set_sources(sources);
        }
    }

    fn profile_paths(&mut self, planner: Planner, pace: Pace, listening: Option<&Listening>) {
        match self {
            Executor::Interpreted(interpreted) => {
                interpreted.watch = interpreted.path_watch(planner, Vec::new(), listening);
            }
            Executor::Compiled(compiled) => {
                // What code reports by another scheme would be taken for reports by this one.
                compiled.drop_code();
                let scheme = planner.scheme;
                let pinned = compiled.pinned.filter(|_| scheme.is_in_all_code());
                compiled.first_tier = pinned.unwrap_or(Tier::Optimized);
                compiled.take_adaptive_system();
                compiled.earlier.clear();
                let is_ticked = scheme.settings.sample.is_some_and(|sampling| sampling.gap == Gap::Ticks);
                compiled.collect(planner, is_ticked.then_some(pace));
                let paths = compiled.paths.iter().zip(listening);
                paths.for_each(|(paths, listening)| paths.listen(listening.clone()));
            }
        }
    }
}

impl Compiled {
    fn recompilation(&self) -> Option<&RecompilationExecutor> {
        self.adaptive_system()
    }

    fn recompilation_mut(&mut self) -> Option<&mut RecompilationExecutor> {
        self.adaptive_system_mut()
    }

    /// Counts paths from now on, in code compiled from now on; or in bursts that ticks at some pace begin.
    fn collect(&mut self, planner: Planner, ticks: Option<Pace>) {
        let module = Arc::clone(self.runtime.module());
        let (collector, mut paths) = CompiledPaths::new(planner, module, Placement::Auto);
        if let Some(pace) = ticks {
            let sampler = BurstSampler::new(collector.clone(), std::mem::take(&mut paths), pace);
            self.set_adaptive_system(Box::new(sampler));
        }
        self.set_collector(Box::new(collector.clone()), Some(collector.tables()), paths);
        self.paths = Some(collector);
    }

    /// As in the interpreter; code with the steps of another numbering is dropped.
    fn number_for(&mut self, func: FuncRef) {
        let Some(collector) = self.paths.clone() else { return };
        let module = Arc::clone(self.runtime.module());
        let mut planner = collector.planner().clone();
        if planner.number_for(&module, func) {
            self.flush_events();
            let counts = ProgramPaths::of_code(&module, &collector);
            self.earlier.extend(counts.filter(|paths| paths.is_part_of(&module)));
            self.drop_code();
            self.collect(planner, None);
        }
    }
}

impl Interpreted {
    pub(crate) fn new(runtime: Runtime) -> Interpreted {
        let planned = Arc::new(Mutex::new(Arc::clone(runtime.module())));
        let watch = Watch::Nobody(Interpreter::new());
        Interpreted { runtime, watch, contexts: None, planned, expects_values_from_elsewhere: false }
    }

    fn edge_watch(&self) -> Watch {
        let planned = Arc::clone(&self.planned);
        let make: Box<dyn FnMut(FuncRef) -> Instrumented<NoSink> + Send> = Box::new(move |func| {
            let (graph, plan) = edge_plan(module_of(&planned).function(func));
            let machine = machine::Machine::new(&graph, plan.plan);
            Instrumented { graph, machine, sink: NoSink }
        });
        Watch::Edges(Interpreter::with_observer(PlanObserver::new(make)))
    }

    fn path_watch(&self, planner: Planner, earlier: Vec<ProgramPaths>, listening: Option<&Listening>) -> Watch {
        let planned = Arc::clone(&self.planned);
        let watched = WatchedPaths { planner: planner.clone(), earlier };
        let listening = listening.cloned();
        let make: Box<dyn FnMut(FuncRef) -> _ + Send> =
            Box::new(move |func| instrumented(&planner, &module_of(&planned), func, listening.as_ref()));
        Watch::Paths(watched, Interpreter::with_observer(PlanObserver::new(make)))
    }

    /// Numbers the program for a call from the host, if paths run across calls and that needs another numbering.
    fn number_for(&mut self, func: FuncRef) {
        let Watch::Paths(watched, interpreter) = &mut self.watch else { return };
        let module = Arc::clone(self.runtime.module());
        let mut planner = watched.planner.clone();
        if planner.number_for(&module, func) {
            let mut earlier = std::mem::take(&mut watched.earlier);
            let counts = program_paths(&watched.planner, &module, &interpreter.observer);
            earlier.extend(counts.filter(|paths| paths.is_part_of(&module)));
            self.watch = self.path_watch(planner, earlier, None);
        }
    }

    fn install(&mut self, module: Arc<Module>) {
        for (func, decl) in module_of(&self.planned).funcs.iter() {
            if !Arc::ptr_eq(&decl.body, module.function(func)) {
                match &mut self.watch {
                    Watch::Nobody(_) => {}
                    Watch::Edges(interpreter) => interpreter.observer.forget(func),
                    Watch::Paths(_, interpreter) => interpreter.observer.forget(func),
                }
            }
        }
        if let Watch::Paths(watched, _) = &mut self.watch {
            watched.earlier.retain(|paths| paths.is_part_of(&module));
        }
        *self.planned.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&module);
        self.runtime.install(module);
    }

    fn call(&mut self, func: FuncRef, args: &[u64]) -> Result<Option<u64>, Unwind> {
        self.number_for(func);
        let result = match &mut self.watch {
            // Most often; a result that is copied whole costs as much as a short call.
            Watch::Nobody(interpreter) => match interpreter.call(&mut self.runtime, func, args) {
                Ok(word) => {
                    self.runtime.output.flush();
                    return Ok(word);
                }
                failed => failed,
            },
            Watch::Edges(interpreter) => interpreter.call(&mut self.runtime, func, args),
            Watch::Paths(_, interpreter) => interpreter.call(&mut self.runtime, func, args),
        };
        self.runtime.output.flush();
        result
    }

    /// Returns true if edges are counted.
    pub fn counts_edges(&self) -> bool {
        match self.watch {
            Watch::Nobody(_) | Watch::Paths(..) => false,
            Watch::Edges(_) => true,
        }
    }

    /// The counts of a function, if edges are counted and it ran.
    pub(crate) fn edges_of(&self, func: FuncRef) -> Option<&Instrumented<NoSink>> {
        match &self.watch {
            Watch::Nobody(_) | Watch::Paths(..) => None,
            Watch::Edges(interpreter) => interpreter.observer.get(func),
        }
    }

    /// The counted paths and their observer, if they are profiled.
    pub(crate) fn paths(&self) -> Option<(&WatchedPaths, &PathObserver)> {
        match &self.watch {
            Watch::Nobody(_) | Watch::Edges(_) => None,
            Watch::Paths(watched, interpreter) => Some((watched, &interpreter.observer)),
        }
    }
}

/// The module for whose bodies plans are made now.
fn module_of(planned: &Mutex<Arc<Module>>) -> Arc<Module> {
    Arc::clone(&planned.lock().unwrap_or_else(PoisonError::into_inner))
}

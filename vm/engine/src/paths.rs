//! The path profile of a program, from either executor.
//!
//! In: the executor after a run. Out: the reports of each function, in order of the module, with the plan that decodes
//! them. Invariant: a function's plan is made anew from its body and equals the one used, as plans are deterministic.

use super::executor::{Compiled, Executor};
use super::observers::PathObserver;
use super::program_paths::{ProgramPaths, program_paths};
use holloway_lang::ir::{FuncRef, Module};
use holloway_machine::profile::{CompiledPaths, ContextListener, Frequencies, Listening, Planner};
use holloway_profiler::context_tree::ContextTree;
use holloway_profiler::machine::NoSink;
use holloway_profiler::scheme::{
    Collected, Frequency, FunctionPlan, NotProfiled, Results, Scheme, Unwound, edge_counts,
};
use std::sync::Arc;

/// The path profile of a program.
#[derive(Clone, Debug)]
pub struct PathProfile {
    /// The scheme.
    pub scheme: Scheme,
    /// Every function of the module, in order.
    pub functions: Vec<FunctionPaths>,
    /// Paths across calls: by each numbering of the program, the last one last; none by a numbering with a body that was replaced since.
    /// Empty if the scheme plans each function for itself.
    pub programs: Vec<ProgramPaths>,
    /// Contexts of calls; empty if the scheme is not about them.
    pub contexts: Box<ContextTree>,
}

/// The path profile of one function.
#[derive(Clone, Debug)]
pub struct FunctionPaths {
    /// The function.
    pub func: FuncRef,
    /// The plan that decodes the reports, or the reason for which there are none.
    pub plan: Result<FunctionPlan, NotProfiled>,
    /// The reports; empty if the function did not run.
    pub collected: Box<dyn Collected>,
    /// Counts of the unwinder.
    pub unwound: Unwound,
}

/// A function with its results.
pub type FunctionResults<'a> = (&'a FunctionPaths, Results);

impl PathProfile {
    /// Each function with its results.
    #[doc(hidden)]
    pub fn results(&self) -> Vec<FunctionResults<'_>> {
        self.functions.iter().map(|function| (function, function.results())).collect()
    }

    /// Counts of the edges of each function, for numbering the paths of another run; none of an edge that paths do not tell of.
    #[doc(hidden)]
    pub fn frequencies(&self) -> Frequencies {
        let of = |(function, results): (&FunctionPaths, Results)| {
            let plan = function.plan.as_ref().ok()?;
            let mut frequency = Frequency::new();
            for ((id, _), count) in plan.graph.edges().zip(function.edge_counts(plan, &results)) {
                frequency[id] = count.unwrap_or_default();
            }
            Some((function.func, frequency))
        };
        self.results().into_iter().filter_map(of).collect()
    }
}

impl FunctionPaths {
    /// The reports as paths of blocks.
    pub fn results(&self) -> Results {
        self.plan.as_ref().map(|plan| self.collected.results(&plan.graph)).unwrap_or_default()
    }

    /// Each edge's count, by id, from the function's results; `None` where paths do not tell.
    pub fn edge_counts(&self, plan: &FunctionPlan, results: &Results) -> Vec<Option<u64>> {
        edge_counts(plan, results, &self.unwound)
    }
}

/// The profile, if the executor collects one.
pub(crate) fn paths(module: &Arc<Module>, executor: &mut Executor) -> Option<PathProfile> {
    match executor {
        Executor::Interpreted(interpreted) => {
            let (watched, observer) = interpreted.paths()?;
            let planner = &watched.planner;
            let numbered = planner.numbered(module);
            let functions = module.funcs.keys().map(|func| of_observer(module, &numbered, observer, func)).collect();
            let mut programs = watched.earlier.clone();
            programs.extend(program_paths(planner, module, observer).filter(|paths| paths.is_part_of(module)));
            let contexts = tree(interpreted.contexts.as_ref());
            Some(PathProfile { scheme: planner.scheme, functions, programs, contexts })
        }
        Executor::Compiled(compiled) => of_compiled(module, compiled),
    }
}

fn of_compiled(module: &Arc<Module>, compiled: &mut Compiled) -> Option<PathProfile> {
    compiled.flush_events();
    compiled.paths.iter().for_each(CompiledPaths::settle);
    let collector = compiled.paths.as_ref()?;
    let numbered = collector.planner().numbered(module);
    let functions = module.funcs.keys().map(|func| of_code(module, &numbered, collector, func)).collect();
    let mut programs = compiled.earlier.clone();
    programs.extend(ProgramPaths::of_code(module, collector).filter(|paths| paths.is_part_of(module)));
    let contexts = tree(compiled.contexts.as_ref());
    Some(PathProfile { scheme: collector.planner().scheme, functions, programs, contexts })
}

/// The tree that a listener has built so far.
fn tree(contexts: Option<&Listening<ContextListener>>) -> Box<ContextTree> {
    Box::new(contexts.map(|listening| listening.get().tree().clone()).unwrap_or_default())
}

fn of_code(module: &Module, planner: &Planner, collector: &CompiledPaths, func: FuncRef) -> FunctionPaths {
    let unwound = collector.unwound(func);
    let (plan, collected) = match collector.collected(func) {
        Some(Ok((plan, collected))) => (Ok((*plan).clone()), collected),
        Some(Err(why)) => (Err(why), Box::new(NoSink) as Box<dyn Collected>),
        None => {
            let plan = planner.plan(module, func);
            let collected = nothing(&plan);
            (plan, collected)
        }
    };
    FunctionPaths { func, plan, collected, unwound }
}

fn of_observer(module: &Module, planner: &Planner, observer: &PathObserver, func: FuncRef) -> FunctionPaths {
    let plan = planner.plan(module, func);
    let (collected, unwound) = match observer.get(func) {
        Some(ran) => {
            let unwound = Unwound { failures: ran.machine.failures(), aborts: ran.machine.aborts() };
            (ran.sink.clone(), unwound)
        }
        None => (nothing(&plan), Unwound::default()),
    };
    FunctionPaths { func, plan, collected, unwound }
}

/// The empty collector of a function that did not run.
fn nothing(plan: &Result<FunctionPlan, NotProfiled>) -> Box<dyn Collected> {
    match plan {
        Ok(plan) => plan.decoder.collector(),
        Err(_) => Box::new(NoSink),
    }
}

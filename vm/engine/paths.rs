//! The path profile of a program, from either executor.
//!
//! In: the executor after a run. Out: the reports of each function, in order of the module, with the plan that decodes
//! them. Invariant: a function's plan is made anew from its body and equals the one used, as plans are deterministic.

use super::executor::Executor;
use crate::interp::plan::{Instrumented, PlanObserver};
use crate::profile::edges::Unwound;
use crate::profile::{Collected, CompiledPaths, FunctionPlan, NotProfiled, PathScheme};
use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::{FuncRef, Function, Module};
use holloway_profiler::machine::Machine;
use holloway_profiler::plan::Plan;

/// Observer that carries out the plans of a path scheme.
pub(super) type PathObserver = PlanObserver<Box<dyn FnMut(FuncRef) -> Instrumented<Collected>>, Collected>;

/// The path profile of a program.
#[derive(Clone, Debug)]
pub struct PathProfile {
    /// The scheme.
    pub scheme: PathScheme,
    /// Every function of the module, in order.
    pub functions: Vec<FunctionPaths>,
}

/// The path profile of one function.
#[derive(Clone, Debug)]
pub struct FunctionPaths {
    /// The function.
    pub func: FuncRef,
    /// The plan that decodes the reports, or the reason for which there are none.
    pub plan: Result<FunctionPlan, NotProfiled>,
    /// The reports; nothing if the function did not run.
    pub collected: Collected,
    /// The counts of the unwinder.
    pub unwound: Unwound,
}

/// The profile, if the executor collects one.
pub(super) fn paths(module: &Module, executor: &mut Executor) -> Option<PathProfile> {
    match executor {
        Executor::Interpreted(interpreted) => {
            let (scheme, observer) = interpreted.paths()?;
            let functions = module.funcs.keys().map(|func| of_observer(module, scheme, observer, func)).collect();
            Some(PathProfile { scheme, functions })
        }
        Executor::Compiled(machine) => {
            let collector = machine.collector()?.as_any().downcast_mut::<CompiledPaths>()?;
            let scheme = collector.scheme();
            let functions = module.funcs.keys().map(|func| of_compiled(module, collector, func)).collect();
            Some(PathProfile { scheme, functions })
        }
    }
}

fn of_compiled(module: &Module, collector: &mut CompiledPaths, func: FuncRef) -> FunctionPaths {
    let unwound = collector.unwound(func);
    let (plan, collected) = match collector.collected(func) {
        // A function that was only inlined, where control never came, did not run.
        Some(Ok((plan, collected))) if collected.is_empty() && unwound == Unwound::default() => {
            (Ok((*plan).clone()), Collected::Nothing)
        }
        Some(Ok((plan, collected))) => (Ok((*plan).clone()), collected),
        Some(Err(why)) => (Err(why), Collected::Nothing),
        None => (FunctionPlan::new(collector.scheme(), module.function(func)), Collected::Nothing),
    };
    FunctionPaths { func, plan, collected, unwound }
}

fn of_observer(module: &Module, scheme: PathScheme, observer: &PathObserver, func: FuncRef) -> FunctionPaths {
    let plan = FunctionPlan::new(scheme, module.function(func));
    let (collected, unwound) = match observer.get(func) {
        Some(ran) => {
            let unwound = Unwound { failures: ran.machine.failures(), aborts: ran.machine.aborts() };
            (ran.sink.clone(), unwound)
        }
        None => (Collected::Nothing, Unwound::default()),
    };
    FunctionPaths { func, plan, collected, unwound }
}

/// A function's plan for the interpreter; an empty one if the scheme does not support the function.
pub(super) fn instrumented(scheme: PathScheme, body: &Function) -> Instrumented<Collected> {
    match FunctionPlan::new(scheme, body) {
        Ok(plan) => {
            let machine = Machine::new(&plan.graph, (*plan.plan).clone());
            let sink = Collected::new(scheme, &plan);
            Instrumented { graph: plan.graph, machine, sink }
        }
        Err(_) => {
            let graph = graph_of(body);
            Instrumented { machine: Machine::new(&graph, Plan::default()), graph, sink: Collected::Nothing }
        }
    }
}

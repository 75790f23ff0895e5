//! The observers by which the interpreter counts.
//!
//! In: a scheme's planner. Out: the observers' types, and the plans that they carry out. Invariant: a function's plan is made when it is first entered.

use holloway_interp::plan::{Instrumented, PlanObserver};
use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::{FuncRef, Module};
use holloway_machine::profile::{ForwardingCollector, Listening, Planner};
use holloway_profiler::machine;
use holloway_profiler::machine::NoSink;
use holloway_profiler::plan::Plan;
use holloway_profiler::scheme::Collected;

/// Counts edges with the plan that baseline code carries.
pub(crate) type EdgeObserver = PlanObserver<Box<dyn FnMut(FuncRef) -> Instrumented<NoSink> + Send>>;

/// Carries the plans of a path scheme out.
pub(crate) type PathObserver =
    PlanObserver<Box<dyn FnMut(FuncRef) -> Instrumented<Box<dyn Collected>> + Send>, Box<dyn Collected>>;

/// A function's plan for the interpreter; an empty one if the scheme does not know such functions.
pub(crate) fn instrumented(
    planner: &Planner,
    module: &Module,
    func: FuncRef,
    listening: Option<&Listening>,
) -> Instrumented<Box<dyn Collected>> {
    match planner.plan(module, func) {
        Ok(plan) => {
            let machine = machine::Machine::new(&plan.graph, (*plan.plan).clone());
            let collector = plan.decoder.collector();
            let sink = match listening {
                Some(listening) => Box::new(ForwardingCollector::new(listening, (func, &plan), collector)),
                None => collector,
            };
            Instrumented { graph: plan.graph, machine, sink }
        }
        Err(_) => {
            let graph = graph_of(module.function(func));
            Instrumented { machine: machine::Machine::new(&graph, Plan::default()), graph, sink: Box::new(NoSink) }
        }
    }
}

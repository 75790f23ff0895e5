//! `cct`: calling contexts, each with its activations.
//!
//! `[ABL97]` G. Ammons, T. Ball, J. R. Larus, "Exploiting Hardware Performance Counters with Flow and Context Sensitive Profiling", PLDI 1997.
//!
//! A plan reports no paths but calls: an activation's markers, and before each call its number in the function, as the id of a path. All code of
//! a program carries such plans, so that [`crate::context_tree`] is built from the one stream of events.

use std::sync::Arc;

use super::function_plan::{Collected, Decoder, Framing, FunctionPlan, NotProfiled, Stream};
use super::results::Results;
use super::row::{Frequency, Probes, SchemeRow, View};
use super::settings::Settings;
use crate::context_tree::CallNumber;
use crate::counts::Size;
use crate::graph::{Call, Graph};
use crate::machine::Sink;
use crate::plan::{Action, CallSteps, Markers, Plan};

/// Calling contexts.
pub(super) const ROW: SchemeRow = SchemeRow {
    name: "cct",
    counts: "every calling context: functions by the calls that led to them",
    k: None,
    no_k: "counts contexts; leave --k out",
    takes: &[],
    probes: Probes::Contexts(plan),
    view: View::Contexts,
};

fn plan(graph: Graph, _: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let mut plan = Plan::default();
    for (number, call) in (0..).zip(calls(&graph)) {
        let report = [Action::SetPath(number), Action::FinishPath { add: 0, restart: None }];
        plan.calls.insert(call, CallSteps { before: report.to_vec(), ..CallSteps::default() });
    }
    plan.mark_activations(&graph, Markers::Emit);
    let stream = Stream::Events(Framing::Activations(None));
    Ok(FunctionPlan { graph, plan: Arc::new(plan), stream, decoder: Arc::new(Calls) })
}

fn calls(graph: &Graph) -> impl Iterator<Item = Call> + '_ {
    graph.nodes().flat_map(|block| graph.calls(block))
}

/// The call with this number in a function.
pub fn call_of(graph: &Graph, number: CallNumber) -> Option<Call> {
    calls(graph).nth(number as usize)
}

/// Reads nothing: contexts are those of the program.
#[derive(Debug)]
struct Calls;

impl Decoder for Calls {
    fn collector(&self) -> Box<dyn Collected> {
        Box::new(Told)
    }
}

/// Nothing: a listener is told.
#[derive(Clone, Debug)]
struct Told;

impl Sink for Told {}

impl Collected for Told {
    fn is_empty(&self) -> bool {
        true
    }

    fn size(&self) -> Size {
        Size::default()
    }

    fn results(&self, _: &Graph) -> Results {
        Results { is_of_program: true, ..Results::default() }
    }
}

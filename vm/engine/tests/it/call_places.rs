//! Steps around calls, and what activations pass to each other, are the same from the interpreter and from optimized code.
//!
//! In: a scheme whose plan has such steps only, on random programs and one by hand. Out: for each function the ids it reported:
//! who called it, at its entry, and where each of its calls returned from.

use super::common::programs::seeds;
use super::common::{captured, engine, load, patient};
use holloway::{Config, TierChoice};
use holloway_generator::{Size, program};
use holloway_profiler::counts::Size as CountsSize;
use holloway_profiler::graph::{EdgeKind, Graph, Node};
use holloway_profiler::machine::Sink;
use holloway_profiler::plan::{Action, CallSteps, Crossing, Plan};
use holloway_profiler::scheme::{
    Collected, Decoder, Framing, Frequency, FunctionPlan, NotProfiled, Probes, Results, Scheme, SchemeRow, Settings,
    Stream, View,
};
use std::collections::BTreeMap;
use std::sync::Arc;

static ROW: SchemeRow = SchemeRow {
    name: "calls",
    counts: "calls by what was passed",
    k: None,
    no_k: "has no k",
    takes: &[],
    probes: Probes::Paths(plan),
    view: View::Paths,
};

/// The word that a call passes to its callee, of the n-th call of a function.
fn call_word(n: usize) -> i64 {
    1 + 2 * n as i64
}

/// The word that a return passes to the caller.
fn return_word(block: Node) -> i64 {
    2 + 2 * i64::from(block.as_u32())
}

/// Ids behind the n-th call are the word that its callee passed and this.
fn after_call(n: usize) -> i64 {
    (1 + n as i64) << 12
}

fn plan(graph: Graph, _: &Settings, _: Option<&Frequency>) -> Result<FunctionPlan, NotProfiled> {
    let mut plan =
        Plan { entry: vec![Action::Receive, Action::FinishPath { add: 0, restart: Some(0) }], ..Plan::default() };
    let calls: Vec<_> = graph.nodes().flat_map(|node| graph.calls(node)).collect();
    for (n, call) in calls.into_iter().enumerate() {
        let before = vec![Action::SetPath(call_word(n)), Action::Pass { add: 0 }];
        let after = vec![Action::Receive, Action::FinishPath { add: after_call(n), restart: Some(0) }];
        plan.calls.insert(call, CallSteps { before, after, crossing: Crossing::Waits });
    }
    for (edge, data) in graph.edges() {
        if graph.is_return(edge) {
            plan.edges[edge] = vec![Action::SetPath(0), Action::Pass { add: return_word(data.from) }];
        }
        if data.kind == EdgeKind::Failure {
            plan.edges[edge] = vec![Action::FinishPrefix { block: data.from, add: 0, restart: Some(0) }];
        }
    }
    for block in graph.nodes() {
        plan.aborts[block] = vec![Action::FinishPrefix { block, add: 0, restart: None }];
    }
    let (plan, decoder) = (Arc::new(plan), Arc::new(Plain));
    Ok(FunctionPlan { graph, plan, stream: Stream::Events(Framing::Lone), decoder })
}

#[derive(Debug)]
struct Plain;

impl Decoder for Plain {
    fn collector(&self) -> Box<dyn Collected> {
        Box::new(Reported::default())
    }
}

/// The number of reports of each id, and of each at a failure in a block.
#[derive(Clone, Debug, Default)]
struct Reported {
    ids: BTreeMap<u64, u64>,
    prefixes: BTreeMap<(Node, u64), u64>,
}

impl Sink for Reported {
    fn path(&mut self, id: u64) {
        *self.ids.entry(id).or_default() += 1;
    }

    fn prefix(&mut self, block: Node, id: u64) {
        *self.prefixes.entry((block, id)).or_default() += 1;
    }
}

impl Collected for Reported {
    fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.prefixes.is_empty()
    }

    fn size(&self) -> CountsSize {
        CountsSize::default()
    }

    fn results(&self, _: &Graph) -> Results {
        Results::default()
    }
}

/// The reports of each function that ran, by its name; none if the program took too long.
fn reported(tier: TierChoice, source: &str) -> Option<BTreeMap<String, String>> {
    let mut engine = engine(Config { limits: patient(), ..captured(tier, &[]) });
    engine.executor_mut().profile(Scheme::of(&ROW));
    load(&mut engine, source);
    if engine.run().is_err_and(|error| error.to_string().contains("time")) {
        return None;
    }
    let profile = engine.path_profile().expect("paths were profiled");
    let ran = profile.functions.iter().filter(|function| !function.collected.is_empty());
    let named = ran.map(|function| {
        let name = engine.module().function(function.func).name.clone();
        (name, format!("{:?}", function.collected))
    });
    Some(named.collect())
}

fn check(source: &str, what: &str) -> BTreeMap<String, String> {
    let expected = reported(TierChoice::Interp, source).unwrap_or_default();
    let found = reported(TierChoice::Optimized, source).unwrap_or_default();
    assert_eq!(found, expected, "{what}, of\n{source}");
    expected
}

const BY_HAND: &str = "
fn leaf(x: int) -> int {
    if x % 3 == 0 { return 1 }
    return leaf(x - 1) + 1
}

fn twice(f: fn(int) -> int, x: int) -> int {
    return f(x) + f(x + 1)
}

var sum = 0
for i in 0..10 {
    sum += twice(leaf, i)
    if i > 5 { sum += leaf(i) }
}
print(sum)
";

#[test]
fn entries_know_their_callers() {
    let reported = check(BY_HAND, "by hand");
    // `twice` calls it from its calls 0 and 1, 10 times each, the top level 4 times from its call 1; it calls itself 22 times.
    assert_eq!(reported["leaf"], "Reported { ids: {1: 32, 3: 14, 4100: 7, 4102: 15}, prefixes: {} }");
}

#[test]
fn random_programs_pass_the_same() {
    for seed in seeds(20) {
        check(&program(seed, Size::default()), &format!("seed {seed}"));
    }
}

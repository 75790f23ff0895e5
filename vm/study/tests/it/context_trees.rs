//! Calling context trees are exact: those of every tier are the tree that call strings fold into by definition.
//!
//! In: the benchmark programs at their small size, random programs, and failures by hand. Out: failed tests that name the program.

use super::across::TIERS;
use super::common::interpret::watch;
use super::common::programs::{Benchmark, FAILURES, seeds, some_benchmarks};
use super::common::{captured, engine, load, scheme};
use cranelift_entity::EntityRef;
use holloway::{Engine, TierChoice};
use holloway_generator::{Size, program};
use holloway_interp::Observer;
use holloway_lang::ir::{Block, FuncRef};
use holloway_profiler::scheme::call_of;
use holloway_runtime::Limits;
use holloway_study::report::{Shown, headline, paths};
use std::collections::{BTreeMap, BTreeSet};

/// A step of a call string: the call, as block and number, and the function that it enters.
type CallStep = (Option<(u32, u32)>, usize);
type Contexts = BTreeMap<Vec<CallStep>, u64>;

/// Keeps the whole call string of each activation, folded: a function that is in it already cuts it back to there.
#[derive(Default)]
struct CallStrings {
    active: Vec<Vec<CallStep>>,
    call: Option<(u32, u32)>,
    contexts: Contexts,
}

impl Observer for CallStrings {
    fn enter(&mut self, func: FuncRef) {
        let func = func.index();
        let mut string = self.active.last().cloned().unwrap_or_default();
        match string.iter().position(|(_, known)| *known == func) {
            Some(at) => string.truncate(at + 1),
            None => string.push((self.call.filter(|_| !self.active.is_empty()), func)),
        }
        *self.contexts.entry(string.clone()).or_default() += 1;
        self.active.push(string);
    }

    fn call(&mut self, _: FuncRef, block: Block, number: u32) {
        self.call = Some((block.as_u32(), number));
    }

    fn abort(&mut self, _: FuncRef, _: Block) {
        self.active.pop();
    }

    fn leave(&mut self, _: FuncRef) {
        self.active.pop();
    }
}

fn run(tier: TierChoice, source: &str, args: &[&str]) -> Engine {
    let mut engine = engine(captured(tier, args));
    engine.executor_mut().profile(scheme("cct", 1));
    load(&mut engine, source);
    let _ = engine.run();
    engine
}

/// The contexts of a profile as call strings.
fn contexts(engine: &mut Engine) -> Contexts {
    let profile = engine.path_profile().expect("contexts were profiled");
    let tree = &profile.contexts;
    let place = |function: holloway_profiler::event::FunctionId, site: u32| {
        let of = &profile.functions[function.as_u32() as usize];
        let call = call_of(&of.plan.as_ref().expect("it has a plan").graph, site).expect("it has the call");
        (call.block.as_u32(), call.number)
    };
    let string = |context| {
        let way = tree.way_to(context);
        let callers = std::iter::once(None).chain(way.iter().map(|(at, _)| Some(tree.node(*at).function)));
        let steps = way.iter().zip(callers).map(|((at, site), caller)| {
            let call = caller.zip(*site).map(|(caller, site)| place(caller, site));
            (call, tree.node(*at).function.as_u32() as usize)
        });
        steps.collect()
    };
    tree.nodes().map(|(context, node)| (string(context), node.calls)).collect()
}

/// Compares every tier with the call strings. Returns the number of contexts, and of recursive calls.
fn check(source: &str, args: &[&str], what: &str) -> (usize, u64) {
    let (mut found, mut watched) = ((0, 0), None);
    for tier in TIERS {
        let mut engine = run(tier, source, args);
        let by_definition = watched
            .get_or_insert_with(|| watch(engine.module(), args, Limits::default(), CallStrings::default()).contexts);
        assert_eq!(&contexts(&mut engine), by_definition, "{what} in {}", tier.name());
        let profile = engine.path_profile().expect("contexts were profiled");
        found = (by_definition.len(), profile.contexts.nodes().map(|(_, node)| node.recursive).sum());
        assert_eq!(profile.contexts.activations(), by_definition.values().sum::<u64>());
    }
    found
}

#[test]
fn contexts_of_programs_are_those_of_their_call_strings() {
    for Benchmark { name, source, size, .. } in some_benchmarks(6) {
        check(&source, &[&size], &name);
    }
    let found: Vec<(usize, u64)> =
        seeds(7).map(|seed| check(&program(seed, Size::Small), &[], &format!("seed {seed}"))).collect();
    assert!(found.iter().any(|(contexts, _)| *contexts > 5), "some programs call");
}

/// Recursion, calls of values, two calls in a line, and failures through several activations.
const CALLS: &str = "
fn leaf(n: int) -> int { if n % 4 == 3 { fail \"three\" } return n }
fn twice(f: fn(int) -> int, n: int) -> int { return f(n) + f(n + 1) }
fn even(n: int) -> bool { if n == 0 { return true } return odd(n - 1) }
fn odd(n: int) -> bool { if n == 0 { return false } return even(n - 1) }
fn down(n: int) -> int { if n == 0 { return twice(leaf, 2) } return down(n - 1) + leaf(0) }
for n in 0..8 {
    try { print(leaf(n) + leaf(n + 1), twice(leaf, n)) } catch message { print(message, even(n)) }
    try { print(down(n)) } catch message { print(message) }
}
fn main() { print(odd(7), twice(leaf, 4)) }
";

#[test]
fn recursion_values_and_failures_keep_contexts_apart() {
    let (contexts, recursive) = check(CALLS, &[], "calls");
    assert!(contexts > 10 && recursive > 20, "{contexts} {recursive}");
    check(FAILURES, &[], "failures");
    let endless = CALLS.replace("print(odd(7), ", "print(odd(0 - 1), ");
    check(&endless, &[], "an exhausted stack");
}

/// A run apart has contexts of its own.
#[test]
fn runs_apart_have_their_own_contexts() {
    for tier in TIERS {
        let mut engine = run(tier, CALLS, &[]);
        let before = contexts(&mut engine);
        let ((), counted) = engine
            .count_apart(scheme("cct", 1), |engine| {
                let _ = engine.call("odd", &[holloway::Value::Int(5)]);
            })
            .expect("there is memory");
        let holloway::Counted::Paths(apart) = counted else { panic!("contexts are counted like paths") };
        let calls: Vec<u64> = apart.contexts.nodes().map(|(_, node)| node.calls).collect();
        assert_eq!(calls, [3, 3], "odd and even, in turn, in {}", tier.name());
        assert_eq!(contexts(&mut engine), before);
    }
}

#[test]
fn the_line_of_a_profile_is_about_its_hottest_context() {
    let source = "fn leaf(n: int) -> int { return n + 1 }\nfn near(n: int) -> int { return leaf(n) + leaf(n + 1) }\nprint(near(3))";
    let mut engine = run(TierChoice::Interp, source, &[]);
    let counted = engine.profile();
    let line = headline::hottest(&engine, &counted);
    assert!(line.starts_with("25.0% of activations: ") && line.ends_with("> leaf"), "{line}");
}

#[test]
fn rows_of_contexts_tell_calls_of_a_line_apart() {
    let mut engine = run(TierChoice::Interp, CALLS, &[]);
    let profile = engine.path_profile().expect("contexts were profiled");
    let text = paths::text(&engine, &profile, Shown::hottest(None), 100);
    let ways: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split('%').nth(1)).collect();
    let contexts = profile.contexts.nodes().count();
    assert_eq!((ways.len(), ways.iter().collect::<BTreeSet<_>>().len()), (contexts, contexts), "{text}");
    assert!(text.contains("program.hw:8:17 > leaf\n") && text.contains("program.hw:8:27 > leaf\n"), "{text}");
    let json = paths::json(&engine, &profile, "p", Shown::hottest(None));
    assert!(json.contains(r#""column":27,"line":8"#), "{json}");
}

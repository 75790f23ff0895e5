//! Paths across calls of programs that change: extended, redefined, called from the host in turn, and with function values kept from before.
//!
//! In: small programs, in inputs and calls. Out: failed tests if counts are wrong or differ between tiers, or numberings are too many.

use super::across::{TIERS, profiled};
use super::common::{captured, engine, load, scheme};
use holloway::{Counted, PathProfile, ProgramPaths};
use holloway::{Engine, TierChoice};
use holloway_machine::profile::program::func_of;
use holloway_profiler::scheme::CrossVertex;
use holloway_study::report::{Shown, paths};
use std::collections::BTreeMap;

/// Functions of an engine that is extended and called from the host: paths by the numbering before are kept.
#[test]
fn an_extended_program_is_numbered_again() {
    for tier in TIERS {
        let mut engine = engine(captured(tier, &[]));
        engine.executor_mut().profile(scheme("ip-context", 1));
        load(&mut engine, "fn leaf(n: int) -> int { if n > 2 { return 1 }\n return n }\nprint(leaf(1), leaf(5))\n");
        engine.run().expect("it ends");
        load(&mut engine, "fn twice(n: int) -> int { return leaf(n) + leaf(n + 1) }\nprint(twice(2))\n");
        engine.run().expect("it ends");
        engine.call("leaf", &[holloway::Value::Int(9)]).expect("it ends");
        engine.call("leaf", &[holloway::Value::Int(8)]).expect("it ends");
        let profile = engine.path_profile().expect("paths were profiled");
        let counts = |program: &ProgramPaths| {
            program.results().expect("they fit").paths.iter().map(|row| row.count).sum::<u64>()
        };
        assert_eq!(profile.programs.iter().map(counts).collect::<Vec<_>>(), [1, 1, 2], "{}", tier.name());
    }
}

/// A function value outlives what took it: in a global, or in one whose taker was replaced since.
const KEPT: &str = "
fn leaf(n: int) -> int { if n > 2 { return 1 }
 return n }
fn kept(n: int) -> int { return leaf(n) + 1 }
fn other(n: int) -> int { return n }
var g = other
fn keep() { g = kept }
fn apply(n: int) -> int { return g(n) + g(n + 1) }
keep()
";

/// The paths of the program by every numbering, as counts by the functions that they lead through.
fn by_functions(engine: &Engine, profile: &PathProfile) -> Vec<BTreeMap<String, u64>> {
    let name = |vertex: &CrossVertex| engine.module().function(func_of(vertex.function)).name.clone();
    let of_program = |program: &ProgramPaths| {
        let mut counts = BTreeMap::new();
        for row in program.results().expect("they fit").paths {
            let mut through: Vec<String> = row.path.active.iter().map(name).collect();
            through.dedup();
            *counts.entry(through.join(" ")).or_default() += row.count;
        }
        counts
    };
    profile.programs.iter().map(of_program).collect()
}

fn expect(found: &BTreeMap<String, u64>, expected: &[(&str, u64)], what: &str) {
    let expected: BTreeMap<String, u64> = expected.iter().map(|(name, count)| (name.to_string(), *count)).collect();
    assert_eq!(*found, expected, "{what}");
}

/// The value was taken before the call from the host, by code that is still there, so that paths lead to it.
#[test]
fn function_values_of_an_earlier_call_are_called() {
    for (name, tier) in ["ip-context", "ip-piecewise", "ip-hybrid"].into_iter().flat_map(|s| TIERS.map(|t| (s, t))) {
        let mut engine = profiled(captured(tier, &[]), scheme(name, 1), KEPT);
        for n in [1, 5] {
            engine.call("apply", &[holloway::Value::Int(n)]).expect("it ends");
        }
        let profile = engine.path_profile().expect("paths were profiled");
        let found = by_functions(&engine, &profile);
        let through = "apply kept leaf kept apply kept leaf kept apply";
        expect(&found[1], &[(through, 2)], &format!("{name} in {}", tier.name()));
    }
}

fn interactive(tier: TierChoice) -> Engine {
    Engine::interactive(captured(tier, &[])).expect("there is memory for an engine")
}

fn counted_apart(engine: &mut Engine, name: &str, code: &str) -> PathProfile {
    load(engine, code);
    let run = engine.count_apart(scheme(name, 1), Engine::run_statements).expect("there is memory for it");
    run.0.expect("it ends");
    let Counted::Paths(profile) = run.1 else { panic!("paths were asked for") };
    profile
}

/// The same in a run that is counted apart; also where nothing takes the value any more: the function has no paths then.
#[test]
fn function_values_of_an_earlier_input_are_called() {
    for (name, tier) in ["ip-context", "ip-piecewise", "ip-hybrid"].into_iter().flat_map(|s| TIERS.map(|t| (s, t))) {
        let what = format!("{name} in {}", tier.name());
        let mut engine = interactive(tier);
        load(&mut engine, KEPT);
        engine.run_statements().expect("it ends");
        for (code, taken) in [("", "kept leaf kept"), ("fn keep() { g = other }\n", "leaf")] {
            load(&mut engine, code);
            engine.run_statements().expect("it ends");
            let profile = counted_apart(&mut engine, name, "print(g(3) + g(1) + leaf(5))");
            let found = by_functions(&engine, &profile);
            let top = found[0].iter().filter(|(through, _)| *through != taken).map(|(_, count)| count).sum::<u64>();
            assert_eq!((found.len(), found[0].get(taken), top), (1, Some(&2), 1), "{what}: {found:?}");
        }
    }
}

/// Two functions that the host calls in turn: each is numbered for once.
#[test]
fn calls_in_turn_have_one_numbering() {
    for tier in TIERS {
        let mut engine = engine(captured(tier, &[]));
        engine.executor_mut().profile(scheme("ip-context", 1));
        load(&mut engine, "fn a() -> int { return 1 }\nfn b() -> int { return a() }\n");
        for name in ["a", "b"].into_iter().cycle().take(7) {
            engine.call(name, &[]).expect("it ends");
        }
        let profile = engine.path_profile().expect("paths were profiled");
        let found = by_functions(&engine, &profile);
        assert_eq!(found.len(), 2, "{}", tier.name());
        expect(&found[0], &[("a", 1)], tier.name());
        expect(&found[1], &[("a", 3), ("b a b", 3)], tier.name());
    }
}

/// Counts of a numbering with a body that is no more are dropped when the body is, be there a further call or not.
#[test]
fn a_replaced_function_takes_its_paths_along() {
    for tier in TIERS {
        let mut engine = interactive(tier);
        engine.executor_mut().profile(scheme("ip-context", 1));
        for code in [
            "fn f(n: int) -> int { if n > 2 { return 1 }\n for i in 0..n { print(i) }\n return n }",
            "print(f(2))",
            "print(f(9))",
        ] {
            load(&mut engine, code);
            engine.run_statements().expect("it ends");
        }
        assert!(engine.path_profile().expect("paths were profiled").programs.len() > 1, "{}", tier.name());
        load(&mut engine, "fn f(n: int) -> int { return n }");
        let profile = engine.path_profile().expect("paths were profiled");
        assert!(profile.programs.is_empty(), "{}", tier.name());
        assert!(paths::text(&engine, &profile, Shown::hottest(None), 80).contains("0 paths taken"));
        paths::json(&engine, &profile, "program", Shown::hottest(None));
        load(&mut engine, "print(f(3))");
        engine.run_statements().expect("it ends");
        assert_eq!(engine.path_profile().expect("paths were profiled").programs.len(), 1, "{}", tier.name());
    }
}

/// Counts by another scheme are none of this one's.
#[test]
fn another_scheme_begins_anew() {
    for tier in TIERS {
        let mut engine = engine(captured(tier, &[]));
        engine.executor_mut().profile(scheme("ip-context", 1));
        load(&mut engine, "fn a() -> int { return 1 }\nfn b() -> int { return a() }\n");
        for name in ["a", "b"] {
            engine.call(name, &[]).expect("it ends");
        }
        assert_eq!(engine.path_profile().expect("paths were profiled").programs.len(), 2);
        engine.executor_mut().profile(scheme("ip-piecewise", 1));
        assert!(engine.path_profile().expect("paths were profiled").programs.is_empty(), "{}", tier.name());
        engine.call("b", &[]).expect("it ends");
        assert_eq!(engine.path_profile().expect("paths were profiled").programs.len(), 1, "{}", tier.name());
        engine.executor_mut().profile(scheme("bl", 1));
        assert!(engine.path_profile().expect("paths were profiled").programs.is_empty(), "{}", tier.name());
    }
}

//! Hot programs with calls of the host: recompilation, profiles and interrupts while the host is in between.

use super::{TIERS, captured};
use holloway::{CallError, Config, Context, Engine, Function, FunctionEdges, Results, Scheme, TierChoice, Value};
use std::sync::mpsc;

fn declare(engine: &mut Engine) {
    engine.function("add", |a: i64, b: i64| a.wrapping_add(b)).unwrap();
    engine.function("apply", |cx: &mut Context, f: Function<(i64,), i64>, n: i64| f.call(cx, (n,))).unwrap();
}

const SOURCE: &str = "
fn step(n: int) -> int { var s = 0\n for i in 0..n % 5 { if i % 2 == 0 { s += i } else { s = add(s, n) } }\n return s }
fn fails(n: int) -> int { if n % 3 == 0 { return 1 / (n % 3) }\n return step(n) }
fn work(n: int) -> int {
    var s = 0
    for i in 0..n {
        s += apply(step, i)
        try { s += apply(fails, i) } catch e { s += len(e) }
        if i % 100 == 0 { s = add(s, apply(inner, i % 7)) }
    }
    return s
}
fn inner(n: int) -> int { if n == 0 { return 1 }\n return apply(inner, n - 1) + 1 }
";

/// Functions are recompiled, and loops entered in their middle, while the host is between their frames.
#[test]
fn hot_programs_call_the_host() {
    let mut results = Vec::new();
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier)).unwrap();
        declare(&mut engine);
        engine.load("hot.hw", SOURCE).unwrap();
        let work: Function<(i64,), i64> = engine.typed("work").unwrap();
        results.push(work.call(&mut engine, (100_000,)).unwrap());
    }
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
}

#[test]
fn edges_are_counted_around_the_host() {
    let profile = |tier: TierChoice| -> Vec<FunctionEdges> {
        let mut engine = Engine::new(captured(tier)).unwrap();
        declare(&mut engine);
        engine.profile_by(Scheme::named("edge").expect("it is a scheme"));
        engine.load("hot.hw", SOURCE).unwrap();
        engine.call("work", &[Value::Int(3000)]).unwrap();
        engine.edge_profile()
    };
    let (interpreted, compiled) = (profile(TierChoice::Interp), profile(TierChoice::Baseline));
    assert_eq!(interpreted, compiled);
    assert!(interpreted.iter().any(|function| function.calls > 3000));
}

/// Paths and prefixes of a function with their counts, as text.
fn rows(results: &Results) -> String {
    format!("{:?}\n{:?}", results.paths, results.prefixes)
}

#[test]
fn paths_are_counted_around_the_host() {
    for scheme in ["bl", "k-bl", "ip-context", "ip-piecewise"] {
        let profile = |tier: TierChoice| {
            let mut engine = Engine::new(captured(tier)).unwrap();
            declare(&mut engine);
            engine.profile_by(Scheme::named(scheme).expect("it is a scheme"));
            engine.load("hot.hw", SOURCE).unwrap();
            let result = engine.call("work", &[Value::Int(1000)]).unwrap();
            let profile = engine.path_profile().expect("it was asked for");
            let counts: Vec<String> = profile.results().iter().map(|(_, results)| rows(results)).collect();
            (result, counts)
        };
        let (interpreted, compiled) = (profile(TierChoice::Interp), profile(TierChoice::Optimized));
        assert_eq!(interpreted.0, compiled.0, "{scheme}");
        for (one, other) in interpreted.1.iter().zip(&compiled.1) {
            assert_eq!(one, other, "{scheme}");
        }
    }
}

/// An interrupt ends the program, also where it is in a call that a function of the host has made.
#[test]
fn interrupts_reach_calls_of_the_host() {
    for tier in TIERS {
        let mut engine = Engine::new(Config { ..captured(tier) }).unwrap();
        let (tell, told) = mpsc::channel();
        engine
            .function("swallow", move |cx: &mut Context, f: Function<(i64,), i64>| {
                tell.send(()).unwrap();
                f.call(cx, (1,)).unwrap_or(-1)
            })
            .unwrap();
        engine
            .load("test.hw", "fn forever(n: int) -> int { loop { } }\nfn f() -> int { return swallow(forever) }")
            .unwrap();
        let handle = engine.interrupt_handle();
        let thread = std::thread::spawn(move || {
            told.recv().unwrap();
            handle.interrupt();
        });
        let error: CallError = engine.call("f", &[]).unwrap_err();
        assert_eq!(error.to_string(), "interrupted", "{tier:?}");
        thread.join().unwrap();
    }
}

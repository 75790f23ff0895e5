//! A program that is stopped at a back edge stops in the loop's header, in every tier: at the loop's place, with a path that ends there.
//!
//! In: programs, some of them random, whose output, once a piece of it is passed on, raises the interrupt, which the next poll notices. Out: the failure and the
//! path profile, compared with the interpreter's. Invariant: nothing depends on time.

use super::common::programs::seeds;
use super::common::{captured, engine, fuel, load, seen};
use holloway::internals::Executor;
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_generator::endless;
use holloway_machine::MOST_POLLS_IN_PLACE;
use holloway_profiler::scheme::{SCHEMES, Scheme};
use holloway_runtime::{InterruptHandle, Sink};
use holloway_study::report::{Shown, paths};
use std::sync::{Arc, Mutex};

/// Every scheme that counts paths.
fn schemes() -> impl Iterator<Item = Scheme> {
    SCHEMES.iter().map(Scheme::of).filter(|scheme| !scheme.counts_edges())
}

/// Loops of several forms. After the iteration that prints there is another: optimized code tests before it polls.
const LOOPS: [&str; 14] = [
    "while true { i += 1; g += i & 3; if i % 3 == 0 { g ^= 1 }; if i == 100 { print(big) } }",
    "while true { i += 1; if i % 3 == 0 { i += 1 }\n if i > 100 { print(big) } }",
    "for k in 0..1000 { i += k\n if k == 77 { print(big) } }",
    "while i < 1000 { i += 1\n for k in 0..3 { g += k }\n if i == 9 { print(big) } }",
    "while i < 1000 { i += 1\n for k in 0..5 { g += k\n if i == 9 && k == 2 { print(big) } } }",
    "while i < 1000 { i += 1\n if i == 9 { print(big) }\n if i & 1 == 0 { continue }\n g += i }",
    "loop { while i < 50 { i += 1\n if i == 40 { print(big) } }\n i = 0 }",
    "for a in 0..9 { while i & 7 != 7 { i += 1\n if a == 3 { print(big) } }\n i += 1 }",
    "for a in 0..9 { if a == 3 { print(big) }\n while i & 7 != 7 { i += 1 + g / 1000 }\n i += 1 }",
    "for a in 0..9 { while i & 7 != 7 { i += 1 + g / 1000 }\n if a == 3 { print(big) }\n i += 1 }",
    "while i < 900 { i += 1\n if i == 8 { print(big) }\n while i & 7 != 7 { i += 3 } }",
    // Tests one behind the other: what is pending behind the first is constant, if paths are told by their branches.
    "loop { i += 1\n if i > 900 { return 1 }\n if i % 7 == 9 { return 2 }\n if i == 8 { print(big) } }",
    // A call in the head, which is inlined: behind it the place in the block is another, and a path of the callee has ended.
    "while step(i) < 900 { i += 1\n if i == 8 { print(big) } }",
    "loop { if i > 900 { break }\n if g < 0 { break }\n if i % 7 == 9 { return 2 }\n i += 1\n if i == 8 { print(big) } }",
];

fn source(body: &str, calls: &str) -> String {
    format!(
        "var g = 0\nfn double(s: str) -> str {{ return s + s }}\nfn text() -> str {{\n var s = \"0123456789abcdef\"\n for k in 0..12 {{ s = double(s) }}\n return s\n}}\nfn step(x: int) -> int {{ g = g * 31 + x & 1023\n return x + 1 }}\nfn f(n: int, big: str) -> int {{\n var i = n\n {body}\n return i\n}}\n{calls}\n"
    )
}

/// An engine that is interrupted when output is passed on.
fn interrupted(tier: TierChoice, scheme: Option<Scheme>, source: &str) -> Engine {
    let handle: Arc<Mutex<Option<InterruptHandle>>> = Arc::default();
    let raise = Arc::clone(&handle);
    let passed_on = move |_: &[u8]| {
        if let Some(handle) = &*raise.lock().expect("nobody panics") {
            handle.interrupt();
        }
    };
    let config = Config { output: Sink::Callback(Box::new(passed_on)), ..captured(tier, &[]) };
    let mut engine = engine(config);
    if let Some(scheme) = scheme {
        engine.executor_mut().profile(scheme);
    }
    load(&mut engine, source);
    *handle.lock().expect("nobody panics") = Some(engine.interrupt_handle());
    engine
}

fn failure(engine: &mut Engine, source: &str) -> String {
    match engine.run() {
        Err(RunError::Failure(failure)) => format!("{failure:?}"),
        other => panic!("{other:?}: nothing stopped\n{source}"),
    }
}

fn programs() -> impl Iterator<Item = String> {
    let calls = [
        "print(f(0, text()))",
        "fn h(big: str) -> int {\n var t = 0\n for z in 0..3 { t += f(z, big) }\n return t\n}\nprint(h(text()))",
    ];
    LOOPS.into_iter().flat_map(move |body| calls.map(|calls| source(body, calls)))
}

#[test]
fn every_tier_stops_at_the_loop() {
    for source in programs() {
        let expected = failure(&mut interrupted(TierChoice::Interp, None, &source), &source);
        for tier in [TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto] {
            let found = failure(&mut interrupted(tier, None, &source), &source);
            assert_eq!(found, expected, "{tier:?}\n{source}");
        }
    }
}

/// Profiles by every scheme what a program has done until it is stopped, or ends: the same in both tiers. Returns whether it was stopped. Where a function
/// has too many paths for a scheme its loops may test more than their heads do before they poll, as in other code.
fn profiles_agree(source: &str) -> bool {
    let mut stopped = false;
    for scheme in schemes() {
        let profile = |tier| {
            let mut engine = interrupted(tier, Some(scheme), source);
            let ended = engine.run();
            let profile = engine.path_profile().expect("paths were profiled");
            (ended, paths::json(&engine, &profile, "program.hw", Shown::hottest(None)))
        };
        let expected = profile(TierChoice::Interp);
        if expected.1.to_string().contains("not_profiled") {
            continue;
        }
        let found = profile(TierChoice::Optimized);
        assert_eq!(format!("{:?}", found.0), format!("{:?}", expected.0), "{scheme:?}\n{source}");
        assert_eq!(found.1, expected.1, "{scheme:?}\n{source}");
        stopped = matches!(expected.0, Err(RunError::Failure(_)));
    }
    stopped
}

#[test]
fn the_path_that_is_cut_short_ends_in_the_block_that_is_named() {
    for source in programs() {
        assert!(profiles_agree(&source), "nothing stopped\n{source}");
    }
}

/// Many loops for what a pass does to few of them.
#[test]
fn paths_of_random_loops_are_cut_short_where_they_stop() {
    let seeds = seeds(14);
    let all = seeds.end - seeds.start;
    let stopped = seeds.filter(|seed| profiles_agree(&source(&endless(*seed), "print(f(0, text()))"))).count() as u64;
    assert!(stopped > all / 2, "{stopped} of {all} loops were stopped");
}

#[test]
fn loops_of_code_with_more_polls_than_are_in_place_stop_too() {
    let many: Vec<usize> = (0..MOST_POLLS_IN_PLACE + 5).collect();
    let function = |at: &usize| {
        format!("fn w{at}(n: int) -> int {{\n var i = n\n while i & 63 != {} {{ i += 7 }}\n return i\n}}\n", at & 63)
    };
    let call = |at: &usize| format!("g += w{at}({at} + 1)\n");
    let functions: String = many.iter().map(function).collect();
    let calls: String = many.iter().map(call).collect();
    let last = source(LOOPS[0], &format!("{functions}{calls}print(f(0, text()))"));
    let expected = failure(&mut interrupted(TierChoice::Interp, None, &last), &last);
    let mut engine = interrupted(TierChoice::Optimized, None, &last);
    assert_eq!(failure(&mut engine, &last), expected);
    let Executor::Compiled(machine) = engine.executor_mut() else { unreachable!("the tier is a compiled one") };
    assert!(machine.runtime.context().polls().count() >= MOST_POLLS_IN_PLACE);
}

/// Fuel ends at the entry of a function or at a loop's header, and each tier names the same place.
#[test]
fn fuel_ends_at_the_same_place() {
    let source = "fn leaf(n: int) -> int { return n + 1 }
fn deep(n: int) -> int { if n == 0 { return 0 }
 return 1 + deep(n - 1) }
fn work(n: int) -> int {
    for q in 0..n { leaf(q)
 var w = 5
 while w > 0 { w -= 2 } }
    loop { if deep(3) > 0 { break } }
    return n
}
print(work(3))
work(2)";
    for units in 0..60 {
        let tiers = [TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto];
        let ends = tiers.map(|tier| {
            let mut engine = engine(Config { limits: fuel(units), ..captured(tier, &[]) });
            load(&mut engine, source);
            seen(&mut engine)
        });
        assert!(ends.iter().all(|end| *end == ends[0]), "{units} units: {ends:#?}");
    }
}

//! Ticks cost the running code little, however deep calls are and whoever waits for on-stack replacement.
//!
//! In: programs in which outer activations wait in calls while inner ones run hot loops, decided by counts of polls. Out: how often back
//! edges called the runtime, how many frames were walked, and which functions were replaced. Invariant: nothing here depends on time.

use super::common::{captured, loaded, seen};
use holloway::internals::Executor;
use holloway::{Config, Engine, TierChoice};
use holloway_aos::event::{Kind, What};
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Calibration, Controller, Part, Parts, Session, Settings};
use holloway_machine::Machine;

/// Back edges of which one calls the runtime where polls are counted, rounded down: requests may add half as many calls again.
const BACK_EDGES_A_CALL: u64 = 600;

/// Runs a program whose decisions depend on counts of polls alone.
fn run(source: &str) -> (Engine, String) {
    run_without(Parts::NONE, source)
}

/// The same without some parts of the adaptive system.
fn run_without(without: Parts, source: &str) -> (Engine, String) {
    let controller = Controller::new(Settings::synchronous().without(without), STRATEGIES[0], Calibration::embedded);
    let session = Session::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Events);
    let mut engine =
        loaded(Config { adaptive: Some(holloway::Adaptive(session)), ..captured(TierChoice::Auto, &[]) }, source);
    let (output, ended) = seen(&mut engine);
    assert_eq!(ended, "status 0");
    (engine, output)
}

fn machine(engine: &Engine) -> &Machine {
    match engine.executor() {
        Executor::Compiled(machine) => machine,
        Executor::Interpreted(_) => unreachable!("the automatic tier is compiled code"),
    }
}

/// Number of times that back edges called the runtime.
fn calls(engine: &Engine) -> u64 {
    machine(engine).polls.back_edges
}

#[test]
fn outer_activations_that_wait_do_not_slow_the_running_one() {
    let programs = [
        (include_str!("../../../../tests/defects/slow_poll.hw"), [("300000000", "30000000"); 1], 30_000_000),
        (include_str!("../../../../tests/defects/slow_suffix.hw"), [("10000000", "1000000"); 1], 21_000_000),
        (include_str!("../../../../tests/defects/slow_mergesort.hw"), [("4000000", "1000000"); 1], 21_000_000),
    ];
    for (source, smaller, back_edges) in programs {
        let source = smaller.iter().fold(source.to_owned(), |source, (from, to)| source.replace(from, to));
        let (engine, _) = run(&source);
        let calls = calls(&engine);
        assert!(
            calls < back_edges / BACK_EDGES_A_CALL,
            "{calls} of {back_edges} back edges called the runtime:\n{source}"
        );
    }
}

/// Number of activations of a function that left baseline code.
fn left_baseline(engine: &Engine, function: &str) -> usize {
    let events = engine.executor().adaptive().expect("it decided").events().iter();
    let of_function = events.filter(|event| event.subject.function.as_deref() == Some(function));
    of_function.filter(|event| matches!(&event.what, What::Osr(osr) if osr.from_tier == Kind::Baseline)).count()
}

#[test]
fn a_caller_is_replaced_though_every_tick_finds_its_callee() {
    for end in ["return s", "if depth == 0 { fail(\"no\") }\n    return s"] {
        let source = format!(
            "fn nest(depth: int) -> int {{
    var s = depth
    var n = 999995
    if depth == 1 {{ n = 20 }}
    for i in 0..n {{
        if depth == 0 {{ s ^= i * 3 }} else {{ try {{ s += nest(0) }} catch e {{ s += len(e) }} }}
    }}
    {end}
}}
print(nest(1))
"
        );
        // Traces of the callee would be entered by its activations for as long as there is no code of them for calls.
        let (engine, _) = run_without([Part::Traces].into_iter().collect(), &source);
        // The first activation of the callee, the caller as soon as that ended, and two more of the callee: then there is code for
        // calls. Without a barrier at the return there are three, and the caller stays. No tick falls between two activations of the callee.
        assert_eq!(left_baseline(&engine, "nest"), 4, "the caller stayed in baseline code:\n{source}");
        let (calls, back_edges) = (calls(&engine), 20_000_000);
        assert!(
            calls < back_edges / BACK_EDGES_A_CALL,
            "{calls} of {back_edges} back edges called the runtime:\n{source}"
        );
    }
}

#[test]
fn an_inner_loop_does_not_withdraw_the_request_for_the_loop_around_it() {
    let source = "fn walk(n: int) -> int {
    var s = 0
    for r in 0..n {
        for i in 0..700 { s ^= i * r }
    }
    return s
}
print(walk(20000))
";
    let (engine, _) = run(source);
    let events = engine.executor().adaptive().expect("it decided").events();
    let lines: Vec<_> =
        events.iter().filter(|event| matches!(event.what, What::Osr(_))).map(|event| event.subject.loop_line).collect();
    assert_eq!(lines, [Some(3)], "the outer loop is where the activation is replaced");
}

#[test]
fn deep_calls_are_not_walked_at_each_tick() {
    let source = "fn up(n: int) -> int {
    if n == 0 {
        var s = 0
        for i in 0..20000000 { s ^= i * 3 }
        return s
    }
    return up(n - 1) + 1
}
print(up(50000))
";
    let (engine, _) = run(source);
    // There are some two thousand ticks, in all of which frames are in a version that is retired; and a few counts of the depth.
    let walked = machine(&engine).walked_frames;
    assert!((20_000..1_000_000).contains(&walked), "{walked} frames were walked");
}

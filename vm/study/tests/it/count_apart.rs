//! Isolated profiled runs: the counts they give, and the state they leave unchanged.
//!
//! In: a session with a program. Out: failures if counts differ between tiers, or if the program, its code or its
//! counts have changed afterwards.

use std::num::NonZeroU64;

use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Calibration, Controller, Session, Settings};

use super::common::scheme;
use holloway::Counted;
use holloway::internals::Executor;
use holloway::{Config, Engine, RunError, TierChoice};
use holloway_profiler::scheme::{Gap, Sampling, Scheme};
use holloway_runtime::{Limits, Sink};
use holloway_study::report::{Shown, paths};

const PROGRAM: &str = "\
fn collatz(n: int) -> int {
    var x = n
    var steps = 0
    while x != 1 {
        if x % 2 == 0 { x = x / 2 } else { x = 3 * x + 1 }
        steps += 1
    }
    return steps
}
struct Sum { of: int }
let f = collatz
let sum = Sum(of: 0)
var words = [\"none\"]
fn add(from: int, to: int) {
    for i in from..to { sum.of += f(i) }
    words = [words[0] + \"!\", str(sum.of)]
}
";

const TIERS: [TierChoice; 4] = [TierChoice::Auto, TierChoice::Interp, TierChoice::Baseline, TierChoice::Optimized];
fn schemes() -> [Scheme; 4] {
    [scheme("bl", 1), scheme("k-bl", 3), scheme("tfp", 4), scheme("bala", 1)]
}

fn engine(config: Config) -> Engine {
    let config = Config { output: Sink::Captured(Vec::new()), ..config };
    let mut engine = Engine::interactive(config).expect("there is memory for an engine");
    run(&mut engine, PROGRAM).expect("it does not fail");
    engine
}

fn run(engine: &mut Engine, code: &str) -> Result<(), RunError> {
    engine.load("input", code).expect("it compiles");
    engine.run_statements()
}

fn run_apart(engine: &mut Engine, scheme: Scheme, code: &str) -> (Result<(), RunError>, Counted) {
    engine.load("apart", code).expect("it compiles");
    engine.count_apart(scheme, Engine::run_statements).expect("there is memory for it")
}

/// The profile as JSON.
fn paths_of(engine: &mut Engine, scheme: Scheme, code: &str) -> String {
    let (result, counted) = run_apart(engine, scheme, code);
    result.expect("it does not fail");
    let Counted::Paths(profile) = counted else { panic!("paths were asked for") };
    paths::json(engine, &profile, "program", Shown::hottest(None))
}

fn printed(engine: &mut Engine) -> String {
    run(engine, "print(sum, words)").expect("it does not fail");
    String::from_utf8(engine.take_output()).expect("text")
}

#[test]
fn every_tier_counts_the_run_alone() {
    for scheme in schemes() {
        let seen = TIERS.map(|tier| {
            let mut engine = engine(Config { tier, ..Config::default() });
            run(&mut engine, "add(1, 50)").expect("it does not fail");
            let found = paths_of(&mut engine, scheme, "add(50, 100)");
            // The same run again: nothing is left of the first.
            run(&mut engine, "add(1, 50)").expect("it does not fail");
            (found, printed(&mut engine))
        });
        assert!(seen[0].0.contains("collatz"));
        for other in &seen[1..] {
            assert_eq!(other, &seen[0], "{}", scheme.name());
        }
    }
}

#[test]
fn edges_are_counted_in_every_tier() {
    for tier in TIERS {
        let mut engine = engine(Config { tier, ..Config::default() });
        run(&mut engine, "add(1, 50)").expect("it does not fail");
        let before = engine.edge_profile();
        let (result, counted) = run_apart(&mut engine, scheme("edge", 1), "add(50, 100)");
        result.expect("it does not fail");
        let Counted::Edges(edges) = counted else { panic!("edges were asked for") };
        let collatz = engine.function_named("collatz").expect("it is defined");
        let calls = edges.iter().find(|edges| edges.func == collatz).map(|edges| edges.calls);
        assert_eq!(calls, Some(50), "{tier:?}");
        let after = engine.edge_profile();
        assert_eq!(after[..before.len()], before, "{tier:?}");
    }
}

#[test]
fn a_failure_takes_back_what_it_left_undefined() {
    for tier in TIERS {
        let mut engine = engine(Config { tier, ..Config::default() });
        let code = "fn half(n: int) -> int { return n / zero }\nlet zero = 0\nlet a = 4\nlet b = half(a)";
        let (result, counted) = run_apart(&mut engine, scheme("bl", 1), code);
        assert!(matches!(result, Err(RunError::Failure(_))), "{tier:?}");
        let Counted::Paths(profile) = counted else { panic!("paths were asked for") };
        assert!(paths::text(&engine, &profile, Shown::hottest(None), 80).contains("cut short by failures"), "{tier:?}");
        run(&mut engine, "print(a)").expect("it is there");
        assert_eq!(engine.take_output(), b"4\n");
        assert!(engine.load("input", "b").is_err(), "{tier:?}");
    }
}

#[test]
fn code_that_counts_fuel_leaves_it_to_the_interpreter() {
    let limits = Limits { fuel: Some(1_000_000), time: None };
    let mut fuelled = engine(Config { limits, ..Config::default() });
    let mut free = engine(Config::default());
    let found = paths_of(&mut fuelled, schemes()[1], "add(1, 100)");
    assert_eq!(found, paths_of(&mut free, schemes()[1], "add(1, 100)"));
    assert!(matches!(fuelled.executor(), Executor::Compiled(_)));
    assert_eq!(printed(&mut fuelled), printed(&mut free));
}

#[test]
fn samples_and_limits_are_kept() {
    let length = |n| NonZeroU64::new(n).expect("not zero");
    let sample = Some(Sampling { burst: length(10), gap: Gap::Ids(length(10)) });
    let mut scheme = scheme("k-bl", 2);
    (scheme.settings.forest_limit, scheme.settings.sample) = (Some(1 << 20), sample);
    let mut engine = engine(Config::default());
    assert!(paths_of(&mut engine, scheme, "add(1, 100)").contains("\"sample\""));
}

#[test]
fn the_adaptive_system_does_not_notice() {
    let session = || {
        let controller = Controller::new(Settings::synchronous(), STRATEGIES[0], Calibration::embedded);
        Session::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Events)
    };
    let told = |apart: bool| {
        let mut engine = engine(Config { adaptive: Some(holloway::Adaptive(session())), ..Config::default() });
        let events = |engine: &Engine| engine.executor().adaptive().map_or(0, |session| session.events().len());
        for scheme in schemes().into_iter().take(4) {
            run(&mut engine, "add(1, 5_000)").expect("it does not fail");
            if apart {
                let before = events(&engine);
                paths_of(&mut engine, scheme, "add(1, 2)");
                assert_eq!(events(&engine), before);
            } else {
                run(&mut engine, "add(1, 2)").expect("it does not fail");
            }
        }
        assert!(events(&engine) > 4, "enough ran for something to be decided");
        let tiers = {
            let Executor::Compiled(machine) = engine.executor() else { panic!("the tier has code") };
            let collatz = engine.function_named("collatz").expect("it is defined");
            machine.code.version(collatz).map(|version| version.tier)
        };
        (printed(&mut engine), tiers)
    };
    assert_eq!(told(true), told(false));
}

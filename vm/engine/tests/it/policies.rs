//! Whoever decides, a program does the same: random programs under each strategy, and under the advice that each gave.
//!
//! Time is a count of polls, so that a program decides alike each time. Chance decides in `stress.rs`.
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` are as in `agreement.rs`.

use super::common::programs::seeds;
use super::common::{captured, fuel, loaded, patient, seen};
use holloway::{Adaptive, Config, Engine, TierChoice, Value};
use holloway_aos::event::What;
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Advice, Calibration, Controller, ReplayController, Session, Settings};
use holloway_generator::{Size, program};

/// A run of a program.
struct Run {
    /// Its output and end.
    shown: String,
    /// Versions that were installed.
    versions: usize,
    advice: Option<Advice>,
}

/// Calls of each function at most, so that something is hot for some milliseconds.
const CALLS: i64 = 40;
/// Fuel of a call. What takes more is not called again: a program may double a list at each call.
const MOST_FUEL: u64 = 100_000;

/// The arguments of a call, if the function of this head takes numbers alone.
fn arguments(params: &str, nth: i64) -> Option<Vec<Value>> {
    let value = |param: &str| match param.split(": ").nth(1)? {
        "int" => Some(Value::Int(nth % 9)),
        "float" => Some(Value::Float(nth as f64 / 4.0)),
        "bool" => Some(Value::Bool(nth % 3 == 0)),
        _ => None,
    };
    params.split(", ").filter(|param| !param.is_empty()).map(value).collect()
}

/// Calls functions again and again, each as often as `calls` says, or until one takes too much fuel; gives what they
/// return, print and fail with, and how often each was called.
fn call_all(engine: &mut Engine, calls: Option<&[i64]>) -> (String, Vec<i64>) {
    let heads: Vec<String> = engine.definitions().into_iter().map(|definition| definition.head).collect();
    let functions = heads.iter().filter_map(|head| head.strip_prefix("fn ")?.split_once('('));
    let (mut shown, mut done) = (String::new(), Vec::new());
    for (index, (name, rest)) in functions.enumerate() {
        let params = rest.split(')').next().expect("a part");
        let most = calls.map_or(CALLS, |calls| calls[index]);
        let mut so_far = 0;
        while so_far < most
            && let Some(args) = arguments(params, so_far)
        {
            let ended = engine.call(name, &args);
            so_far += 1;
            let is_dear = ended.as_ref().is_err_and(|error| error.to_string() == "out of fuel");
            if calls.is_none() && is_dear {
                return (shown, [done, vec![so_far - 1]].concat());
            }
            shown += &format!("{ended:?}\n{}", String::from_utf8_lossy(&engine.take_output()));
        }
        done.push(so_far);
    }
    (shown, done)
}

/// Runs a program under a policy and calls its functions, each so often.
fn run(policy: PolicyOfRun, source: &str, calls: &[i64]) -> Run {
    let adaptive = Some(Adaptive(Session::new(policy, Keep::Events)));
    let mut engine = loaded(Config { adaptive, limits: patient(), ..captured(TierChoice::Auto, &[]) }, source);
    let (output, ended) = seen(&mut engine);
    let (called, _) = call_all(&mut engine, Some(calls));
    let session = engine.executor().adaptive().expect("somebody decides");
    let events = session.events().iter();
    Run {
        shown: format!("{output}\n{ended}\n{called}"),
        versions: events.filter(|event| matches!(event.what, What::Installed(_))).count(),
        advice: session.controller().map(Controller::advice),
    }
}

/// The interpreter's output, ends and results; and how often each function is called.
fn expected(source: &str) -> (String, Vec<i64>) {
    let mut engine = loaded(Config { limits: fuel(MOST_FUEL), ..captured(TierChoice::Interp, &[]) }, source);
    let _ = seen(&mut engine);
    let (_, mut calls) = call_all(&mut engine, None);
    let mut engine = loaded(Config { limits: patient(), ..captured(TierChoice::Interp, &[]) }, source);
    calls.resize(engine.definitions().len(), 0);
    let (output, ended) = seen(&mut engine);
    let (called, _) = call_all(&mut engine, Some(&calls));
    (format!("{output}\n{ended}\n{called}"), calls)
}

#[test]
fn random_programs_do_not_notice_who_decides() {
    let mut versions = [0; STRATEGIES.len()];
    for seed in seeds(8) {
        let source = program(seed, Size::Large);
        let (expected, calls) = expected(&source);
        for (strategy, versions) in STRATEGIES.into_iter().zip(&mut versions) {
            let controller = Controller::new(Settings::synchronous(), strategy, Calibration::embedded);
            let first = run(PolicyOfRun::Controller(Box::new(controller)), &source, &calls);
            let advice = first.advice.expect("a controller decided").to_json();
            let advice = Advice::parse(&advice).expect("it reads back");
            let replay = PolicyOfRun::Replay(Box::new(ReplayController::new(advice)));
            let again = run(replay, &source, &calls);
            assert_eq!(first.shown, expected, "seed {seed}, {}", strategy.name);
            assert_eq!(again.shown, expected, "seed {seed}, replay of {}", strategy.name);
            assert_eq!(again.versions, first.versions, "seed {seed}, replay of {}", strategy.name);
            *versions += first.versions;
        }
    }
    println!("versions installed, by strategy: {versions:?}");
    assert!(versions.iter().all(|count| *count > 0), "somebody decided nothing: {versions:?}");
}

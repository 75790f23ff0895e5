//! Shared parts of tests of whole programs: engines, the programs they run, and the end of a run.
//!
//! In: a configuration, a program. Out: an engine that can be run, its output, its end. Invariant: output is captured;
//! a program that is meant to compile fails the test if it does not.
#![allow(dead_code, reason = "each test binary uses its part")]

pub(crate) mod interpret;
pub(crate) mod programs;

use holloway::{Adaptive, Config, Engine, RunError, TierChoice};
use holloway_aos::event::{DropReason, What};
use holloway_aos::session::{Keep, PolicyOfRun};
use holloway_aos::strategies::STRATEGIES;
use holloway_aos::{Calibration, Controller, Event, Parts, Session, Settings};
use holloway_jit::graph_of::graph_of;
use holloway_lang::ir::Function;
use holloway_profiler::scheme::{FunctionPlan, NotProfiled, Scheme};
use holloway_runtime::{Limits, Sink};
use std::time::Duration;

/// A configuration whose output can be taken.
pub(crate) fn captured(tier: TierChoice, args: &[&str]) -> Config {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    Config { tier, args, output: Sink::Captured(Vec::new()), ..Config::default() }
}

/// Limits for programs that end by themselves, on a machine with any load; one that hangs is still found.
pub(crate) fn patient() -> Limits {
    Limits { fuel: None, time: Some(Duration::from_secs(600)) }
}

/// Limits for programs that a reducer has left parts out of: they may not end.
pub(crate) fn impatient() -> Limits {
    Limits { fuel: None, time: Some(Duration::from_secs(10)) }
}

/// Limits for programs that need not end.
pub(crate) fn fuel(fuel: u64) -> Limits {
    Limits { fuel: Some(fuel), time: None }
}

/// A scheme of the registry, with K where it has one.
pub(crate) fn scheme(name: &str, k: u64) -> Scheme {
    let scheme = Scheme::named(name).expect("the registry has it");
    scheme.with_k(k).unwrap_or(scheme)
}

/// The plan of a function by a scheme that counts its paths for itself.
pub(crate) fn plan_of(scheme: Scheme, body: &Function) -> Result<FunctionPlan, NotProfiled> {
    scheme.plan(graph_of(body), None).expect("it plans each function for itself")
}

/// An engine without a program.
pub(crate) fn engine(config: Config) -> Engine {
    Engine::new(config).expect("there is memory for an engine")
}

/// Gives an engine its program.
pub(crate) fn load(engine: &mut Engine, source: &str) {
    engine.load("program.hw", source).unwrap_or_else(|error| panic!("{error}\n{source}"));
}

/// An engine with a program.
pub(crate) fn loaded(config: Config, source: &str) -> Engine {
    let mut engine = engine(config);
    load(&mut engine, source);
    engine
}

/// Runs the loaded program. Returns the output, and the end with the span and the call stack of a failure.
pub(crate) fn seen(engine: &mut Engine) -> (String, String) {
    let ended = match engine.run() {
        Ok(status) => format!("status {status}"),
        Err(RunError::Failure(failure)) => format!("{failure:?}"),
        Err(other) => format!("{other:?}"),
    };
    (String::from_utf8_lossy(&engine.take_output()).into_owned(), ended)
}

/// A program in a tier, under a controller if one is given: its output and end, and the events of its recompilation.
pub(crate) fn adapted(tier: TierChoice, adaptive: Option<Session>, source: &str) -> (String, Vec<Event>) {
    let config = Config { adaptive: adaptive.map(Adaptive), limits: patient(), ..captured(tier, &[]) };
    let mut engine = loaded(config, source);
    let (output, ended) = seen(&mut engine);
    let events = engine.executor().adaptive().map(|session| session.events().to_vec()).unwrap_or_default();
    (output + &ended, events)
}

/// The traces of the versions that counters decide on, and why versions were left: of a program that prints the same without them.
pub(crate) fn versions_with_traces(source: &str) -> Vec<String> {
    let (found, events) = adapted(TierChoice::Auto, Some(counted(Parts::NONE)), source);
    assert_eq!(found, adapted(TierChoice::Optimized, None, source).0);
    let told = events.iter().filter_map(|event| match &event.what {
        What::TraceFormed(formed) => Some(format!("{} traces", formed.traces)),
        What::Dropped(dropped) if dropped.reason == DropReason::GuardsFail => {
            let next = dropped.next_k.map_or("no more".to_owned(), |k| format!("K {k}"));
            Some(format!("{:?}, then {next}", dropped.reason))
        }
        _ => None,
    });
    // A loop is entered at several places, each with the same traces.
    let mut told: Vec<String> = told.collect();
    told.dedup();
    told
}

/// The adaptive system as counters drive it, without some of its parts.
pub(crate) fn counted(without: Parts) -> Session {
    let settings = Settings::synchronous().without(without);
    let controller = Controller::new(settings, STRATEGIES[0], Calibration::embedded);
    Session::new(PolicyOfRun::Controller(Box::new(controller)), Keep::Events)
}

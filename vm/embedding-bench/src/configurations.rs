//! One typed call in each configuration that a host may choose.

use holloway::{Config, Engine, Function, Limits, TierChoice};
use std::time::Duration;

const SOURCE: &str = "fn score(level: int, weight: float) -> float { return float(level) * weight }";

/// The call in a configuration.
pub struct Configured {
    /// The configuration.
    pub name: &'static str,
    /// Calls once.
    pub run: Box<dyn FnMut()>,
}

/// The same call with two numbers in all of them.
pub fn configurations() -> Vec<Configured> {
    let time = Limits { time: Some(Duration::from_secs(10)), fuel: None };
    let fuel = Limits { time: None, fuel: Some(1 << 60) };
    let all = [
        ("default", TierChoice::Auto, Limits::default()),
        ("time limit", TierChoice::Auto, time),
        ("fuel", TierChoice::Auto, fuel),
        ("baseline", TierChoice::Baseline, Limits::default()),
        ("optimized", TierChoice::Optimized, Limits::default()),
        ("optimized, time limit", TierChoice::Optimized, time),
        ("interpreter", TierChoice::Interp, Limits::default()),
    ];
    all.map(|(name, tier, limits)| configured(name, Config { tier, limits, ..Config::default() })).into()
}

fn configured(name: &'static str, config: Config) -> Configured {
    let mut engine = Engine::new(config).expect("there is memory");
    engine.load("work.hw", SOURCE).expect("it is correct");
    let score: Function<(i64, f64), f64> = engine.typed("score").expect("it fits");
    let run = move || assert_eq!(score.call(&mut engine, (3, 0.5)).expect("it ends"), 1.5);
    Configured { name, run: Box::new(run) }
}

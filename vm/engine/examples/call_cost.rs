//! The cost of a call from the host, in each configuration: `cargo run --release -p holloway --example call_cost`.

use holloway::{Config, Engine, Function, Limits, TierChoice, Value};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SOURCE: &str = "fn score(level: int, weight: float) -> float { return float(level) * weight }
    fn calls(n: int) -> int { var s = 0\n for i in 0..n { s = add(s, i) }\n return s }";

/// Nanoseconds of one of so many calls: the least of some measurements, as others use the machine too.
fn cost(many: u32, mut call: impl FnMut()) -> f64 {
    let once = |call: &mut dyn FnMut()| {
        let begun = Instant::now();
        (0..many).for_each(|_| call());
        begun.elapsed().as_nanos() as f64 / f64::from(many)
    };
    (0..20).map(|_| once(&mut call)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let time = Limits { fuel: None, time: Some(Duration::from_secs(10)) };
    let fuel = Limits { fuel: Some(1_000_000), time: None };
    let both = Limits { fuel: Some(1_000_000), time: Some(Duration::from_secs(10)) };
    let tiers = [TierChoice::Auto, TierChoice::Baseline, TierChoice::Optimized, TierChoice::Interp];
    for tier in tiers {
        for (name, limits) in [("no limit", Limits::default()), ("time", time), ("fuel", fuel), ("both", both)] {
            let mut engine = Engine::new(Config { tier, limits, ..Config::default() })?;
            engine.function("add", |a: i64, b: i64| a.wrapping_add(b))?;
            engine.load("score.hw", SOURCE)?;
            let score: Function<(i64, f64), f64> = engine.typed("score")?;
            let mut failed = false;
            let typed = cost(100_000, || failed |= black_box(score.call(&mut engine, (black_box(3), 0.5))).is_err());
            let args = [Value::Int(3), Value::Float(0.5)];
            let by_name = cost(100_000, || failed |= black_box(engine.call("score", &args)).is_err());
            let calls: Function<(i64,), i64> = engine.typed("calls")?;
            let host = cost(20, || failed |= calls.call(&mut engine, (10_000,)).is_err()) / 10_000.0;
            assert!(!failed, "no call fails");
            println!(
                "{:<10}{name:<10}typed {typed:>6.1} ns  by name {by_name:>6.1} ns  of the host {host:>6.1} ns",
                tier.name()
            );
        }
    }
    Ok(())
}

//! The work in Holloway, by functions that were looked up once.

use crate::work::{self, CALLS, NUMBERS, Work};
use holloway::{Array, Config, Engine, Function, Holloway};

const SOURCE: &str = "
fn score(level: int, weight: float) -> float { return float(level) * weight }
fn calls(n: int) -> int { var s = 0\n for i in 0..n { s = add(s, i) }\n return s }
fn norm(p: Point) -> float { return p.x * p.x + p.y * p.y + p.z * p.z }
fn sum(of: [float]) -> float { var s = 0.0\n for x in of { s += x }\n return s }
";

#[derive(Holloway, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
    z: f64,
}

fn engine() -> Engine {
    let mut engine = Engine::new(Config::default()).expect("there is memory");
    engine.function("add", |a: i64, b: i64| a.wrapping_add(b)).expect("it is a name");
    engine.function("origin", || Point { x: 0.0, y: 0.0, z: 0.0 }).expect("it is a name");
    engine.load("work.hw", SOURCE).expect("it is correct");
    engine
}

pub(super) fn work() -> Vec<Work> {
    let mut on = engine();
    let score: Function<(i64, f64), f64> = on.typed("score").expect("it fits");
    let call = move || assert_eq!(score.call(&mut on, (3, 0.5)).expect("it ends"), 1.5);
    let mut on = engine();
    let calls: Function<(i64,), i64> = on.typed("calls").expect("it fits");
    let host = move || assert_eq!(calls.call(&mut on, (CALLS as i64,)).expect("it ends"), 499_500);
    let mut on = engine();
    let norm: Function<(Point,), f64> = on.typed("norm").expect("it fits");
    let structure = move || {
        assert_eq!(norm.call(&mut on, (Point { x: 1.0, y: 2.0, z: 3.0 },)).expect("it ends"), 14.0);
    };
    let mut on = engine();
    let sum: Function<(Array<f64>,), f64> = on.typed("sum").expect("it fits");
    let numbers = on.array(&[0.5; NUMBERS]).expect("there is memory");
    let floats = move || assert_eq!(sum.call(&mut on, (numbers.clone(),)).expect("it ends"), 500.0);
    let creation = || {
        let mut on = engine();
        let score: Function<(i64, f64), f64> = on.typed("score").expect("it fits");
        assert_eq!(score.call(&mut on, (3, 0.5)).expect("it ends"), 1.5);
    };
    work::all("holloway", call, host, structure, floats, creation)
}

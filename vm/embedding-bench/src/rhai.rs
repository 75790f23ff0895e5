//! The work in Rhai.

use crate::work::{self, CALLS, NUMBERS, Work};
use rhai::{AST, Array, Dynamic, Engine, Map, Scope};
use std::rc::Rc;

const SOURCE: &str = "
fn score(level, weight) { level * weight }
fn calls(n) { let s = 0; for i in 0..n { s = add(s, i) } s }
fn norm(p) { p.x * p.x + p.y * p.y + p.z * p.z }
fn sum(of) { let s = 0.0; for x in of { s += x } s }
";

fn engine() -> (Engine, AST) {
    let mut engine = Engine::new();
    engine.register_fn("add", |a: i64, b: i64| a.wrapping_add(b));
    let program = engine.compile(SOURCE).expect("it is correct");
    (engine, program)
}

pub(super) fn work() -> Vec<Work> {
    let on = Rc::new(engine());
    let inside = Rc::clone(&on);
    let call = move || {
        let value = inside.0.call_fn::<f64>(&mut Scope::new(), &inside.1, "score", (3.0, 0.5)).expect("it ends");
        assert_eq!(value, 1.5);
    };
    let inside = Rc::clone(&on);
    let host = move || {
        let value = inside.0.call_fn::<i64>(&mut Scope::new(), &inside.1, "calls", (CALLS as i64,)).expect("it ends");
        assert_eq!(value, 499_500);
    };
    let inside = Rc::clone(&on);
    let structure = move || {
        let point: Map = [("x", 1.0), ("y", 2.0), ("z", 3.0)]
            .into_iter()
            .map(|(name, value)| (name.into(), Dynamic::from(value)))
            .collect();
        let value = inside.0.call_fn::<f64>(&mut Scope::new(), &inside.1, "norm", (point,)).expect("it ends");
        assert_eq!(value, 14.0);
    };
    let inside = Rc::clone(&on);
    let numbers: Array = vec![Dynamic::from(0.5); NUMBERS];
    let numbers = Dynamic::from(numbers).into_shared();
    let floats = move || {
        let value = inside.0.call_fn::<f64>(&mut Scope::new(), &inside.1, "sum", (numbers.clone(),)).expect("it ends");
        assert_eq!(value, 500.0);
    };
    let creation = || {
        let (engine, program) = engine();
        let value = engine.call_fn::<f64>(&mut Scope::new(), &program, "score", (3.0, 0.5)).expect("it ends");
        assert_eq!(value, 1.5);
    };
    work::all("rhai", call, host, structure, floats, creation)
}

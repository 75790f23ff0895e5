//! Loops that keep fields in registers are stopped at a poll: memory is then as the program has it between two
//! iterations.
//!
//! In: a program that never ends. Out: a failed test that tells what a later call finds. Invariant: nothing here
//! depends on how long anything takes.

use super::common::*;
use holloway::{TierChoice, Value};
use std::thread;
use std::time::Duration;

const PROGRAM: &str = "
struct Pair { a: int, b: int, odd: bool }
let pair = Pair(a: 0, b: 0, odd: false)
fn count(p: Pair) {
    loop {
        p.a += 1
        p.odd = !p.odd
        if p.a & 7 != 3 { p.b += 1 } else { p.b = p.a }
    }
}
fn forever() { count(pair) }
fn counted() -> int { return pair.a }
fn is_as_it_was() -> bool { return pair.a == pair.b && pair.odd == (pair.a & 1 == 1) }
";

#[test]
fn an_interrupt_finds_fields_as_they_are_between_iterations() {
    for tier in [TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto] {
        let mut engine = loaded(captured(tier, &[]), PROGRAM);
        let mut wait = Duration::from_millis(5);
        engine.run().expect("its statements end");
        while matches!(engine.call("counted", &[]).expect("it ends"), Some(Value::Int(0))) {
            let handle = engine.interrupt_handle();
            let stopper = thread::spawn(move || {
                thread::sleep(wait);
                handle.interrupt();
            });
            assert_eq!(engine.call("forever", &[]).expect_err("it never ends").to_string(), "interrupted");
            stopper.join().expect("it sleeps");
            wait *= 2;
        }
        let is_as_it_was = engine.call("is_as_it_was", &[]).expect("it ends");
        assert!(matches!(is_as_it_was, Some(Value::Bool(true))), "{}", tier.name());
    }
}

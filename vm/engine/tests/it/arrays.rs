//! Programs that grow, or get values from outside, after code was compiled by what they showed of their arrays.

use super::common::*;
use holloway::{Engine, TierChoice, Value};

const TIERS: [TierChoice; 3] = [TierChoice::Baseline, TierChoice::Optimized, TierChoice::Auto];

/// The output of a session, input after input, in an engine where later definitions replace earlier ones.
fn session(tier: TierChoice, inputs: &[&str]) -> String {
    let mut engine = Engine::interactive(captured(tier, &[])).expect("there is memory for an engine");
    let mut output = String::new();
    for input in inputs {
        load(&mut engine, input);
        if let Err(error) = engine.run_statements() {
            output += &error.to_string();
        }
        output += &String::from_utf8(engine.take_output()).expect("it prints text");
    }
    output
}

fn agrees(inputs: &[&str]) -> String {
    let expected = session(TierChoice::Interp, inputs);
    for tier in TIERS {
        assert_eq!(session(tier, inputs), expected, "{}", tier.name());
    }
    expected
}

const SUM: &str = "fn sum(n: int) -> int { var s = 0; for i in 0..n { s += t[i % len(t)] }; return s }";

#[test]
fn a_body_that_is_replaced_may_have_written() {
    let inputs = ["let t = [1, 2, 3]", "fn put() { t[0] = 99 }", "put()", "fn put() { }", SUM, "print(sum(9))"];
    assert_eq!(agrees(&inputs), "312\n");
}

#[test]
fn a_body_that_is_replaced_may_have_made_the_array() {
    let long = "fn mk() -> [int] { return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }";
    let inputs = [
        "fn mk() -> [int] { return [1, 2] }",
        "let t = mk()",
        long,
        "fn get(i: int) -> int { return t[i] }",
        "fn poke(i: int) { t[i] = 77 }",
        "print(get(1))",
        "print(get(5))",
        "poke(8)",
    ];
    let said = agrees(&inputs);
    assert!(said.starts_with("2\n") && said.matches("index out of range").count() == 2, "{said}");
}

#[test]
fn an_array_that_was_assigned_by_an_earlier_body_is_longer() {
    let set = "fn set() { t = [1, 2, 3, 4] }";
    let inputs = ["var t = [1, 2]", set, "set()", "fn set() { t = [9, 9] }", SUM, "print(sum(8))", "print(len(t))"];
    assert_eq!(agrees(&inputs), "20\n4\n");
}

#[test]
fn a_global_that_is_defined_again_gives_its_functions_other_bodies() {
    let inputs = [
        "let t = [1, 2, 3]",
        "let keep = t",
        "fn put() { t[0] = 99 }",
        "put()",
        "let t = [7]",
        "print(keep[0] + t[0])",
    ];
    assert_eq!(agrees(&inputs), "106\n");
}

#[test]
fn what_is_written_later_is_no_table_any_more() {
    let inputs = [
        "let t = [1, 2, 3]",
        SUM,
        "print(sum(99))",
        "t[0] = 5",
        "print(sum(99))",
        "fn put() { t[1] = 0 }\nput()",
        "print(sum(99))",
    ];
    assert_eq!(agrees(&inputs), "198\n330\n264\n");
}

#[test]
fn an_input_that_fails_takes_its_functions_back() {
    let inputs = [
        "let t = [1, 2, 3]",
        "fn put(k: int) { }",
        "let fs = [put]",
        "fn get(i: int) -> int { return t[i] }",
        "print(get(0))",
        "fn put(k: int) { if k == 0 { t[0] = 99 } else { print(z) } }; let z = [1][5]",
        "fs[0](0)",
        "print(get(0))",
    ];
    assert!(agrees(&inputs).ends_with("1\n"));
}

#[test]
fn arrays_and_functions_come_from_outside() {
    let source = "let t = [1, 2, 3]
fn sum(xs: [int]) -> int { var s = 0; for i in 0..len(xs) { s += xs[i] }; return s }
fn put(xs: [int]) { xs[0] = 50 }
fn apply(f: fn([int])) { f(t) }
fn first() -> int { return sum(t) }
fn main() { print(first()) }";
    for tier in TIERS {
        let mut engine = Engine::new(captured(tier, &[])).expect("there is memory for an engine");
        load(&mut engine, source);
        engine.run().expect("it ends");
        let longer = Value::from(vec![Value::Int(4); 5]);
        assert_eq!(engine.call("sum", &[longer]).expect("it ends"), Some(Value::Int(20)), "{}", tier.name());
        engine.call("apply", &[Value::Function("put".to_owned())]).expect("it ends");
        assert_eq!(engine.call("first", &[]).expect("it ends"), Some(Value::Int(55)), "{}", tier.name());
    }
}

/// Indices that are in range at both ends of a loop, and wrap in between.
#[test]
fn indices_may_wrap_between_the_ends_of_a_loop() {
    let indices = [
        "i * w",
        "(i + i + i + i) * w",
        "(i + i + i) * (w + w)",
        "i * w + i * w",
        "(i - w) * w",
        "(i << 15) * w",
        "(i + i + i + i + i + i + i + i) * w",
        "i * w * 3",
    ];
    let least = ["-2147483648", "-536870912", "-1073741824", "-4611686018427387904", "-3"];
    let factors = ["-2147483648", "2147483647", "1073741824", "536870912", "4294967296", "1"];
    let cases = indices.iter().flat_map(|index| least.iter().map(move |least| (index, least)));
    for ((index, least), factor) in cases.flat_map(|case| factors.iter().map(move |factor| (case, factor))) {
        // Nothing is caught: loops with handlers keep their checks. The first call is one of small values.
        let source = format!(
            "fn f(a: [int], lo: int, hi: int, w: int) -> int {{
                 var s = 0
                 for i in lo..hi {{ s += a[{index}] }}
                 return s
             }}
             let a = [7; 100]
             let lo = [0, {least}]
             let w = [1, {factor}]
             for k in 0..2 {{ print(f(a, lo[k], 1, w[k])) }}"
        );
        let [expected, optimized] = [TierChoice::Interp, TierChoice::Optimized].map(|tier| {
            let mut engine = Engine::new(captured(tier, &[])).expect("there is memory for an engine");
            load(&mut engine, &source);
            seen(&mut engine)
        });
        assert_eq!(optimized, expected, "{source}");
    }
}

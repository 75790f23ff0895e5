//! Calls from the host: operands and results of every type come and go, in registers and on the stack, in every tier.

use super::across::TIERS;
use super::common::{captured, engine, load};
use holloway::Value;

/// The types of the operands that functions have more and more of: an odd and an even number of them are on the stack.
const TYPES: [&str; 3] = ["int", "float", "bool"];

/// A function that shows its first `n` operands, and returns the last.
fn shows(n: usize) -> String {
    let ty = |at: usize| TYPES[at % TYPES.len()];
    let params: Vec<String> = (0..n).map(|at| format!("p{at}: {}", ty(at))).collect();
    let shown: Vec<String> = (0..n).map(|at| format!("p{at}")).collect();
    let last = n - 1;
    format!("fn f{n}({}) -> {} {{\n print({})\n return p{last}\n}}\n", params.join(", "), ty(last), shown.join(", "))
}

fn argument(at: usize) -> Value {
    match at % TYPES.len() {
        0 => Value::Int(-(at as i64)),
        1 => Value::Float(at as f64 + 0.5),
        _ => Value::Bool(at.is_multiple_of(2)),
    }
}

#[test]
fn operands_and_results_of_every_type() {
    const MOST: usize = 30;
    let text: String = (1..=MOST).map(shows).collect();
    for tier in TIERS {
        let mut engine = engine(captured(tier, &[]));
        load(&mut engine, &text);
        for n in 1..=MOST {
            let args: Vec<Value> = (0..n).map(argument).collect();
            let result = engine.call(&format!("f{n}"), &args).expect("it ends");
            assert_eq!(result, args.last().cloned(), "{n} operands in {tier:?}");
        }
        let shown = |at: usize| match argument(at) {
            Value::Int(value) => value.to_string(),
            Value::Float(value) => value.to_string(),
            Value::Bool(value) => value.to_string(),
            other => unreachable!("no operand is {other:?}"),
        };
        let line = |n: usize| (0..n).map(shown).collect::<Vec<_>>().join(" ") + "\n";
        let expected: String = (1..=MOST).map(line).collect();
        assert_eq!(String::from_utf8_lossy(&engine.take_output()), expected, "{tier:?}");
    }
}

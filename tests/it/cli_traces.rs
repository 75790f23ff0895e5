//! Programs whose loops repeat paths get traces.
//!
//! In: small programs, and the events of their runs. Out: checks that what repeats is found, and that traces of it are formed.

use super::command::{holloway, run};
use serde_json::Value;

/// An interpreter whose program has two loops, of three and of four instructions, that run for two hundred rounds in turn.
const TWO_LOOPS: &str = "
let program = [
    0, 200, 1, 7, 2, 3, 3, 2,
    0, 200, 2, 9, 1, 5, 1, 1, 3, 10,
    4, 0,
]
fn interpret(code: [int], rounds: int) -> int {
    var pc = 0
    var left = 0
    var turns = rounds
    var a = 1
    loop {
        let op = code[pc]
        let arg = code[pc + 1]
        pc += 2
        match op {
            0 => { left = arg }
            1 => { a = (a * 3 + arg) & 0xFFFF }
            2 => { a = a ^ arg }
            3 => {
                left -= 1
                if left != 0 { pc = arg }
            }
            4 => {
                turns -= 1
                if turns == 0 { return a }
                pc = 0
            }
        }
    }
}
fn main() { print(interpret(program, 3000)) }
";

fn events(source: &str, without: &[&str]) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.hw"), source).expect("the folder is ours");
    let args = [&["run", "--sync-compile", "--events", "-"], without, &["p.hw"]].concat();
    let done = run(holloway(folder.path(), args));
    (serde_json::from_str(&done.out).expect("events are JSON"), done.err)
}

/// A loop in a function that is small enough to be inlined, as soon as its caller is optimized. That is before the function has a trace of its own: it would be called
/// then.
const INLINED: &str = "
fn scan(data: [int], from: int) -> int {
    var sum = from
    var at = 0
    while at < len(data) {
        let x = data[at]
        if x < 10 { sum += x } else if x < 100 { sum = (sum ^ x) * 3 } else { sum -= x % 7 }
        at += 1
    }
    return sum
}
fn main(args: [str]) {
    let data = [3; 20 + len(args)]
    data[19] = 50
    var sum = 0
    for r in 0..1200000 { sum = scan(data, sum) & 0xFFFF }
    print(sum)
}
";

#[test]
fn a_loop_of_an_inlined_function_is_profiled_where_it_is_inlined() {
    let (events, output) = events(INLINED, &[]);
    let place = serde_json::json!({ "function": "scan", "file": "p.hw", "call_line": 16 });
    let of_it = |event: &&Value| event["args"]["callee"] == place && event["args"]["event"] == "persistent";
    let found = events.iter().find(of_it).unwrap_or_else(|| panic!("it was not profiled: {events:#?}"));
    assert_eq!((&found["args"]["function"], &found["args"]["loop_line"]), (&"main".into(), &5.into()));
    assert!(found["args"]["coverage"].as_f64().is_some_and(|share| share > 0.85), "{found}");
    let (_, general) = self::events(INLINED, &["--without", "traces,splits"]);
    assert_eq!(output, general, "probes change nothing");
}

#[test]
fn each_of_two_loops_of_an_interpreted_program_becomes_a_trace() {
    let (events, output) = events(TWO_LOOPS, &[]);
    let args = |what: &'static str| {
        events.iter().map(|event| &event["args"]).filter(move |args| args["event"] == what).collect::<Vec<_>>()
    };
    let found = args("persistent");
    let period = |found: &&Value| found["period"] == 4 && found["coverage"].as_f64().is_some_and(|share| share > 0.9);
    assert!(found.iter().any(period), "{found:?}");
    let formed = args("trace-formed");
    assert!(formed.iter().any(|trace| trace["traces"] == 2), "{formed:?}");
    let (_, general) = self::events(TWO_LOOPS, &["--without", "traces,splits"]);
    assert_eq!(output, general, "traces compute the same");
}

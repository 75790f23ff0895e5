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

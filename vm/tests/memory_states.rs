//! Loops that are split by a state in memory do what they did: whoever else writes the state, whatever fails, whoever takes over.
//!
//! In: state machines with their state in a field, an element or a global, which other names, callees and failures disturb. Out: a
//! failed test with the program, if some tier differs from the interpreter, under stress as well, or if a loop is not split.
//! `HOLLOWAY_PROGRAMS` and `HOLLOWAY_FIRST_SEED` choose the seeds of stress. Invariant: nothing depends on time.

use super::common::programs::seeds;
use super::common::{adapted, counted};
use super::traces::check;
use crate::TierChoice;
use crate::adaptive::event::What;
use crate::adaptive::{Part, Session};
use holloway_jit::trace::chance::Random;

/// Definitions for all machines. Both records of a machine are one now and then, and so are both arrays.
const WORLD: &str = "
struct Machine { state: int, small: byte, zero: int }
var mode = 0
var machine = Machine(state: 0, small: 0, zero: 0)
var states = [0, 0, 0]
fn poke(m: Machine, a: [int], i: int) {
    m.state = i % 3
    m.small = i % 3
    a[0] = i % 3
    mode = i % 3
}
fn grow(a: [int]) -> [int] {
    let grown = [0; len(a) + 1]
    copy(grown, 0, a, 0, len(a))
    return grown
}
";

/// A machine: where its state is, as reports name it, and what happens in each iteration besides.
type Case = (&'static str, &'static str);

const CASES: &[Case] = &[
    ("m.state", ""),
    ("m.small", ""),
    ("a[0]", ""),
    ("a[at]", ""),
    ("mode", ""),
    ("machine.state", ""),
    ("states[1]", ""),
    // Another name.
    ("m.state", "if i % 700 == 3 { o.state = i & 1 }"),
    ("m.small", "if i % 700 == 3 { o.small = 256 + (i & 1) }"),
    ("a[0]", "b[i & 1] = 1"),
    ("a[at]", "if i % 900 == 1 { a[0] = 2; b[at] = 0 }"),
    ("machine.state", "if i % 800 == 9 { m.state = 2 }"),
    // A callee or the runtime.
    ("m.state", "if i % 1000 == 5 { poke(o, b, i) }"),
    ("a[0]", "if i % 1000 == 5 { poke(o, b, i) }"),
    ("mode", "if i % 1000 == 5 { poke(o, b, i) }"),
    ("a[0]", "if i % 1000 == 5 { fill(b, i % 3) }"),
    ("a[at]", "if i % 1000 == 5 { sort(b) }"),
    // The object is replaced, by a larger one too.
    ("machine.state", "if i % 600 == 7 { machine = Machine(state: i & 1, small: 0, zero: 0) }"),
    ("states[1]", "if i % 600 == 7 { states = grow(states) }"),
    ("states[1]", "if i % 600 == 7 { states = [i & 1, 2, i & 3] }"),
    // A failure in the middle of an iteration, behind a change of the state.
    ("m.state", "if i == n - 100 { m.state = 1; s /= o.zero }"),
    ("a[0]", "if i == n - 100 { a[0] = 2; b[i] = 1 }"),
    ("states[1]", "if i == n - 100 { states = [7] }"),
    // Not a state of the machine's, which is then reset.
    ("m.state", "if i % 500 == 77 { m.state = 9 }"),
    ("m.state", "if i % 500 == 77 { m.state += 1 }"),
];

/// A byte keeps the low bits of what is stored in it.
const BEYOND_A_BYTE: Case = ("m.small", "if i % 500 == 77 { m.small = 257 }");

fn source(&(place, disturbance): &Case, n: u32) -> String {
    // A failure ends the calls that would follow.
    let calls = if disturbance.contains("n - 100") { 40 } else { 4 };
    format!(
        "{WORLD}
fn turn(m: Machine, o: Machine, a: [int], b: [int], at: int, n: int, reads: bool) -> int {{
    var s = 1
    for i in 0..n {{
        if reads {{
            if {place} == 0 {{
                s += i & 7
                if i % 500 == 499 {{ {place} = 1 }}
            }} else if {place} == 1 {{
                s ^= i
                if i % 300 == 299 {{ {place} = 2 }}
            }} else {{
                s -= 3
                if i % 200 == 199 {{ {place} = 0 }}
            }}
        }}
        {disturbance}
    }}
    return s
}}
fn run(o: Machine, b: [int], n: int) {{
    states = [0, 0, 0]
    let m = if o.zero == 1 {{ Machine(state: 0, small: 0, zero: 0) }} else {{ o }}
    let a = if o.zero == 1 {{ [0, 0, 0] }} else {{ b }}
    try {{
        print(turn(m, o, a, b, 1, n, true))
    }} catch why {{
        print(why)
    }}
    print(m, o, a, b, mode, machine, states)
}}
fn main() {{
    for k in 0..{calls} {{ run(Machine(state: 0, small: 0, zero: k & 1), [0, 0, 0], {n} / {calls}) }}
    let m = Machine(state: 0, small: 0, zero: 0)
    states = []
    try {{
        print(turn(m, m, [], [], 8, {n} / 100, false))
    }} catch why {{
        print(why)
    }}
    try {{
        print(turn(m, m, [], [], 8, 1, true))
    }} catch why {{
        print(why)
    }}
    print(m)
}}"
    )
}

fn run(tier: TierChoice, adaptive: Option<Session>, source: &str) -> (String, Vec<String>) {
    let (seen, events) = adapted(tier, adaptive, source);
    let splits = events.iter().filter_map(|event| match &event.what {
        What::SplitFormed(split) => Some(split.state.clone()),
        _ => None,
    });
    (seen, splits.collect())
}

#[test]
fn every_tier_does_the_same_under_stress_too() {
    for case in CASES {
        let source = source(case, 6_000);
        let (expected, _) = run(TierChoice::Interp, None, &source);
        for tier in [TierChoice::Baseline, TierChoice::Optimized] {
            assert_eq!(run(tier, None, &source).0, expected, "{tier:?}\n{source}");
        }
        for seed in seeds(3) {
            let (found, _) = run(TierChoice::Auto, Some(Session::by_chance(seed)), &source);
            assert_eq!(found, expected, "seed {seed}\n{source}");
        }
    }
}

#[test]
fn bodies_that_are_split_at_random_do_the_same() {
    for case in CASES.iter().chain([&BEYOND_A_BYTE]) {
        let source = source(case, 600).replace("i % 1000 ==", "i % 11 ==").replace("i % 600 ==", "i % 13 ==");
        for seed in seeds(24) {
            check(&source, &source, &[], &mut Random(seed));
        }
    }
}

#[test]
fn loops_are_split_by_states_in_memory() {
    for case in CASES {
        let source = source(case, 3_000_000);
        let (expected, _) = run(TierChoice::Optimized, None, &source);
        let session = counted([Part::Traces].into_iter().collect());
        let (found, splits) = run(TierChoice::Auto, Some(session), &source);
        assert_eq!(found, expected, "{source}");
        println!("{case:?}: {splits:?}");
        assert!(splits.iter().any(|state| state == case.0), "split by {splits:?} only:\n{source}");
    }
}

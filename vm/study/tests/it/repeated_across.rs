//! Loops with one path, whose iterations optimized code counts at their exits, where paths keep a context or run across calls: counts and
//! prefixes are those of the interpreter, and those of the tracker of `across.rs`.
//!
//! In: programs by hand; random ones are in `path_tiers.rs`. Out: failed tests that name the scheme.

use super::across;
use super::common::{captured, engine, load, scheme};
use super::path_tiers::check_by;
use holloway::TierChoice;
use holloway_machine::profile::program::procedure_of;
use holloway_profiler::counts::TableKind;
use holloway_profiler::repeat::{Repeat, Repeats};

/// Functions with such loops, reached with several numbers of completions, in paths of their own and in those of callers; by value; a loop of several
/// blocks that divide what is added, one within another, and one behind which a path goes on to a callee; and failures in the first iteration, in the
/// second and in later ones, that callers, the function itself and nobody catch. Two loops fail in their headers, where the register lacks a multiple of
/// the completions.
const LOOPS: &str = "
fn sum_of(a: [int], n: int) -> int {
    var s = 0
    for i in 0..n { s += a[i] }
    return s
}

fn first_of(a: [int], n: int) -> int {
    var i = 0
    while true {
        if i > n { break }
        i += a[i]
        if i < 0 { fail \"below\" }
    }
    if i % 2 == 0 { return i }
    return sum_of(a, i % 4)
}

fn nested(a: [int], n: int) -> int {
    var s = 0
    for i in 0..n {
        if i % 3 == 0 { s += 1 }
        for k in 0..i { s += a[k] * i }
        while s % 7 != 0 { s += 1 }
    }
    return s + sum_of(a, n)
}

fn caught(a: [int], n: int) -> int {
    var s = 0
    try {
        for i in 0..n { s += a[i] }
        s += 100
    } catch message {
        for i in 0..3 { s += len(message) }
    }
    for i in 0..n % 3 { s += i }
    return s
}

fn down(a: [int], n: int) -> int {
    var s = 0
    for i in 0..n { s += a[i] }
    if n == 0 { return s }
    return s + down(a, n - 1)
}

fn apply(f: fn([int], int) -> int, a: [int], n: int) -> int { return f(a, n) + f(a, n + 1) }

fn place_of(a: [int], n: int) -> int {
    var i = 0
    while true {
        if a[i] >= n { break }
        i += 1
    }
    return i
}

fn place_by_steps(a: [int], n: int) -> int {
    var i = 0
    while true {
        if a[i] >= n { break }
        if n % 2 == 0 { i += 1 } else { i += 3 - i % 3 }
    }
    return i
}

fn places(a: [int], n: int) -> int {
    var s = place_of(a, n)
    if s % 2 == 0 { s += 1 }
    s += place_by_steps(a, n)
    if s % 3 == 0 { s += place_of(a, n + 1) } else { s += place_by_steps(a, n + 1) }
    if s % 5 == 0 { return place_of(a, 1) }
    return s
}

let a = [1, 2, 3, 4]
";

/// Statements that use some of them each: few enough that paths across calls are counted in arrays.
const USES: [&str; 5] = [
    "for n in 0..7 {
    try { print(sum_of(a, n), first_of(a, n)) } catch message { print(message) }
    if n % 2 == 0 { print(sum_of(a, n / 2)) }
}
var g = 0
for k in 0..30 { g ^= k }
print(g)
print(sum_of(a, 9))",
    "for n in 0..7 { try { print(nested(a, n)) } catch message { print(message) } }",
    "for n in 0..7 { try { print(caught(a, n), down(a, n)) } catch message { print(message) } }",
    "for n in 0..7 { try { print(apply(sum_of, a, n), apply(nested, a, n)) } catch message { print(message) } }",
    "for n in 0..7 {
    try { print(places(a, n)) } catch message { print(message) }
    try { print(places(a[0..n % 3], n)) } catch message { print(message) }
}",
];

fn programs() -> [String; 5] {
    USES.map(|uses| format!("{LOOPS}{uses}\n"))
}

#[test]
fn iterations_counted_at_exits_are_those_of_the_interpreter() {
    for table in [TableKind::Array, TableKind::Hash] {
        let counted = |name: &str| {
            let mut scheme = scheme(name, 1);
            scheme.settings.table = Some(table);
            scheme
        };
        for program in &programs() {
            check_by(["context", "ip-context", "ip-piecewise", "ip-hybrid"].map(counted), program, &[], "loops");
            let (crossing, prefixes) =
                across::check_by(["ip-context", "ip-piecewise"].map(counted), program, &[], "loops");
            assert!(crossing > 0 && prefixes > 0);
        }
    }
}

/// Every way in which a path goes on behind an iteration occurs in these programs: from a register, without a caller, and with a constant; and with
/// a function of the completions.
#[test]
fn such_loops_are_found_for_each_kind_of_paths() {
    let found = |name: &str| {
        let mut found = Vec::new();
        for program in &programs() {
            let mut engine = engine(captured(TierChoice::Interp, &[]));
            engine.executor_mut().profile(scheme(name, 1));
            load(&mut engine, program);
            let _ = engine.run();
            let profile = engine.path_profile().expect("paths were profiled");
            let plan = profile.programs[0].plan().expect("it fits");
            for plan in engine.module().funcs.keys().filter_map(|func| plan.function(procedure_of(func))) {
                found.extend(Repeats::find(&plan.graph, &plan.plan).iter().copied());
            }
        }
        let is_some = |is: fn(&Repeat) -> bool| found.iter().any(is);
        [
            is_some(|repeat| repeat.from.is_some()),
            is_some(|repeat| repeat.detached.is_some()),
            is_some(|repeat| repeat.from.is_none() && repeat.detached.is_none()),
            is_some(|repeat| repeat.restart.a != 0),
        ]
    };
    assert_eq!(found("ip-context"), [true, false, true, true]);
    assert_eq!(found("ip-piecewise"), [false, true, false, false]);
}

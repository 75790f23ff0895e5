//! Code follows a program that comes to do what its profile said it hardly ever does, wherever it is then, and however often it was called.
//!
//! In: programs with a first phase that fills the profiles, and a second one that contradicts them. Out: failed tests where the second phase goes on in code of
//! the first: by the calls that it makes, and by the versions that activations leave. Invariant: nothing depends on time.

use super::common::{captured, counted, loaded, seen};
use holloway::internals::Executor;
use holloway::{Adaptive, Config, TierChoice};
use holloway_aos::event::{DropReason, Kind, What};
use holloway_aos::{Event, Part, Parts};

/// A run that counts of polls decide.
struct Run {
    output: String,
    /// Entries of functions: each polls where polls are counted.
    entries: u64,
    events: Vec<Event>,
}

fn run(source: &str, args: &[&str], without: Parts) -> Run {
    let config = Config { adaptive: Some(Adaptive(counted(without))), ..captured(TierChoice::Auto, args) };
    let mut engine = loaded(config, source);
    let (output, ended) = seen(&mut engine);
    assert_eq!(ended, "status 0", "{output}");
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("the automatic tier is compiled code") };
    let events = engine.executor().adaptive().expect("it decided").events().to_vec();
    Run { output, entries: machine.polls.entries, events }
}

/// Entries of functions in the second phase, which is as long as the last argument says.
fn entries_of_second(source: &str, args: [&str; 2], without: Parts) -> (u64, Vec<Event>) {
    let [first, second] = [[args[0], "0"], args].map(|args| run(source, &args, without));
    let mut optimized = loaded(captured(TierChoice::Optimized, &args), source);
    assert_eq!(second.output, seen(&mut optimized).0);
    (second.entries - first.entries, second.events)
}

/// OSR exits from a kind of code, counted as events tell them.
fn left(events: &[Event], kind: Kind) -> usize {
    events.iter().filter(|event| matches!(&event.what, What::Osr(osr) if osr.from_tier == kind)).count()
}

fn dropped_by_guards(events: &[Event]) -> bool {
    let failed =
        |event: &Event| matches!(&event.what, What::Dropped(dropped) if dropped.reason == DropReason::GuardsFail);
    events.iter().any(failed)
}

/// A branch is hardly ever taken in so many calls; then it is always taken, in one call or in many.
const COLD_BECOMES_HOT: &str = include_str!("../../../../tests/defects/cold_becomes_hot.hw");

#[test]
fn an_activation_leaves_traces_whose_guards_fail_however_often_its_function_was_called() {
    let (entries, events) = entries_of_second(COLD_BECOMES_HOT, ["4000", "1000000"], Parts::NONE);
    assert!(dropped_by_guards(&events), "{events:#?}");
    assert!(left(&events, Kind::Specialized) > 0, "{events:#?}");
    assert!(entries < 600_000, "{entries} calls in a million iterations");
}

#[test]
fn an_activation_leaves_optimized_code_whose_profile_is_out_of_date() {
    let without = [Part::Traces, Part::Splits].into_iter().collect();
    // A callee with a loop is not inlined where it is hardly ever called.
    let source = COLD_BECOMES_HOT
        .replace("    let t = a[i & 7] + s\n", "    var t = s\n    for k in 0..1 { t += a[i + k & 7] }\n");
    assert_ne!(source, COLD_BECOMES_HOT);
    let (entries, events) = entries_of_second(&source, ["1000", "1000000"], without);
    assert!(left(&events, Kind::Optimized) > 0, "{events:#?}");
    assert!(entries < 600_000, "{entries} calls in a million iterations");
}

#[test]
fn later_calls_run_code_that_inlines_what_is_hot_by_then() {
    let source =
        COLD_BECOMES_HOT.replace("s ^= run(second, 1, a)", "for k in 0..second / 1000 { s ^= run(1000, 1, a) }");
    for without in [Parts::NONE, [Part::Traces, Part::Splits].into_iter().collect()] {
        let (entries, events) = entries_of_second(&source, ["4000", "1000000"], without);
        assert!(entries < 600_000, "{entries} calls in a million iterations: {events:#?}");
    }
}

/// The loop that is specialized stands in another one, which comes round once in the second phase.
#[test]
fn an_inner_loop_is_left_off_its_traces() {
    let source = COLD_BECOMES_HOT
        .replace("    for i in 0..n {\n", "    for r in 0..1 {\n    for i in 0..n {\n")
        .replace("    return s\n}\nfn main", "    }\n    return s\n}\nfn main");
    assert_ne!(source, COLD_BECOMES_HOT);
    let (entries, events) = entries_of_second(&source, ["4000", "1000000"], Parts::NONE);
    assert!(dropped_by_guards(&events), "{events:#?}");
    assert!(left(&events, Kind::Specialized) > 0, "{events:#?}");
    assert!(entries < 800_000, "{entries} calls in a million iterations");
}

/// A loop calls one function all the time, and then another.
const TARGET_CHANGES: &str = "
fn one(s: int, i: int) -> int { return if s & 1 == 0 { s * 5 + i } else { (s ^ i) * 3 + (s >> 7) - (i & 15) * (s & 31) } }
fn other(s: int, i: int) -> int { return if i & 1 == 0 { s * 7 - i } else { (s + i) * 9 - (s >> 5) + (i & 31) * (s & 15) } }
fn walk(step: fn(int, int) -> int, n: int) -> int {
    var s = 0
    for i in 0..n { s = step(s, i) + 1 }
    return s
}
fn main(args: [str]) {
    var s = 0
    for k in 0..parse_int(args[0], 0) { s ^= walk(one, 1000) }
    s ^= walk(other, parse_int(args[1], 0))
    print(s)
}";

#[test]
fn a_loop_is_optimized_for_what_it_calls_by_then() {
    let (entries, _) = entries_of_second(TARGET_CHANGES, ["1000", "1000000"], Parts::NONE);
    assert!(entries < 400_000, "{entries} calls in a million iterations");
    let called_again = TARGET_CHANGES.replace(
        "s ^= walk(other, parse_int(args[1], 0))",
        "for k in 0..parse_int(args[1], 0) / 1000 { s ^= walk(other, 1000) }",
    );
    let (entries, _) = entries_of_second(&called_again, ["1000", "1000000"], Parts::NONE);
    assert!(entries < 400_000, "{entries} calls in a million iterations");
}

/// Targets that take turns have code each, but only a few times.
#[test]
fn a_loop_whose_targets_take_turns_is_compiled_a_few_times() {
    let source = TARGET_CHANGES.replace(
        "s ^= walk(other, parse_int(args[1], 0))",
        "for k in 0..40 { s ^= walk(if k & 1 == 0 { other } else { one }, parse_int(args[1], 0)) }",
    );
    let Run { events, .. } = run(&source, &["1000", "100000"], Parts::NONE);
    let compiled =
        |event: &&Event| event.subject.function.as_deref() == Some("walk") && matches!(event.what, What::CompileEnd(_));
    let compiled = events.iter().filter(compiled).count();
    assert!((4..30).contains(&compiled), "{compiled} compilations");
}

//! Differences of small runs that are made by hand.

use super::*;
use crate::run::record::{Doing, End, Frame, Head, Sample, Source, Stack, Version};
use holloway_aos::Micros;
use holloway_aos::input::BodyHash;
use std::num::NonZeroUsize;
use std::slice::from_ref;

/// A run of `walk` at a line, with so much time in its second line.
fn run(name: &str, line: u32, hash: u64, micros: f64) -> Run {
    let function = |name: &str, line, hash| Function {
        name: name.to_owned(),
        file: "walk.hw".to_owned(),
        line,
        last_line: line + 3,
        hash: BodyHash(hash),
    };
    let text = format!("{}fn {name}() {{\n    step()\n}}\n", "\n".repeat(line as usize - 1));
    Run {
        head: Head { program: "walk.hw".to_owned(), ..Head::default() },
        sources: vec![Source { file: "walk.hw".to_owned(), text }],
        functions: vec![function(name, line, hash), function("main", 90, 1)],
        versions: vec![Version {
            id: 1,
            name: format!("{name}/baseline-1"),
            function: 0,
            tier: "baseline".to_owned(),
            entry_line: None,
            bytes: 9,
        }],
        frames: vec![
            Frame { function: 0, line: line + 1, version: 0, inlined: false },
            Frame { function: 1, line: 91, version: 0, inlined: false },
        ],
        stacks: vec![
            Stack { doing: Doing::Code, frames: vec![0, 1], left_out: None },
            Stack { doing: Doing::Code, frames: vec![1], left_out: None },
        ],
        samples: vec![
            Sample { at: micros, weight: micros, stack: 0 },
            Sample { at: micros + 500.0, weight: 500.0, stack: 1 },
        ],
        end: Some(End { cpu: micros + 500.0, sampled: micros + 500.0, lost: 0, status: 0 }),
        ..Run::default()
    }
}

#[test]
fn functions_that_moved_are_compared_line_by_line() {
    let difference = RunDifference::between([&[run("walk", 1, 7, 1000.0)], &[run("walk", 5, 7, 3000.0)]]);
    let walk = &difference.functions[0];
    assert_eq!((walk.function.as_str(), walk.matched), ("walk", Match::Same));
    assert_eq!(walk.own.map(|own| own.median), [1000.0, 3000.0]);
    let places = [Some(("walk.hw".to_owned(), 2)), Some(("walk.hw".to_owned(), 6))];
    assert_eq!(difference.lines[0].places, places);
    assert_eq!(difference.lines[0].own.map(|own| own.median), [1000.0, 3000.0]);
}

#[test]
fn renamed_changed_gone_and_new_functions_are_told_apart() {
    let matched = |b: Run| {
        let difference = RunDifference::between([&[run("walk", 1, 7, 1000.0)], &[b]]);
        let named =
            |part: &str| difference.functions.iter().find(|one| one.function.contains(part)).map(|one| one.matched);
        (named("walk"), named("stroll"))
    };
    assert_eq!(matched(run("stroll", 1, 7, 1.0)), (Some(Match::Renamed), Some(Match::Renamed)));
    assert_eq!(matched(run("walk", 1, 8, 1.0)), (Some(Match::Changed), None));
    assert_eq!(matched(run("stroll", 1, 8, 1.0)), (Some(Match::Gone), Some(Match::New)));
}

#[test]
fn several_runs_of_a_side_have_a_spread() {
    let a = [run("walk", 1, 7, 1000.0), run("walk", 1, 7, 1400.0)];
    let b = [run("walk", 1, 7, 1300.0), run("walk", 1, 7, 2300.0)];
    let difference = RunDifference::between([&a, &b]);
    assert_eq!(difference.cpu[0], Spread { median: 1700.0, least: 1500.0, most: 1900.0, runs: 2 });
    let (slowdown, is_sure) = difference.slowdown().expect("times are known");
    assert!(slowdown > 0.3 && !is_sure, "the slowest of a takes longer than the fastest of b");
    let sure = RunDifference::between([&a, &[run("walk", 1, 7, 2500.0), run("walk", 1, 7, 2600.0)]]);
    assert!(sure.slowdown().is_some_and(|(_, is_sure)| is_sure));
}

#[test]
fn nothing_is_said_of_times_that_are_not_known() {
    let unsampled = Run { samples: Vec::new(), end: None, ..run("walk", 1, 7, 1000.0) };
    assert_eq!(RunDifference::between([from_ref(&unsampled), from_ref(&unsampled)]).slowdown(), None);
}

#[test]
fn namesakes_have_their_own_times() {
    let two = |first: f64, second: f64| {
        let mut run = run("fn", 3, 7, first);
        let other = Function { line: 9, hash: BodyHash(8), ..run.functions[0].clone() };
        run.functions.push(other);
        run.frames.push(Frame { function: 2, line: 10, version: 0, inlined: false });
        run.stacks.push(Stack { doing: Doing::Code, frames: vec![2], left_out: None });
        run.samples.push(Sample { at: first + 500.0 + second, weight: second, stack: 2 });
        run
    };
    let moved = |mut run: Run| {
        run.functions[0].line = 9;
        run.functions[2].line = 15;
        run
    };
    let difference = RunDifference::between([&[two(1000.0, 10.0)], &[moved(two(1000.0, 90.0))]]);
    let own = |name: &str| {
        let found = difference.functions.iter().find(|one| one.function == name).expect("it is there");
        found.own.map(|own| own.median)
    };
    assert_eq!((own("fn:3"), own("fn:9")), ([1000.0; 2], [10.0, 90.0]));
}

#[test]
fn the_text_shows_each_sides_own_source() {
    let (a, mut b) = (run("walk", 1, 7, 1000.0), run("walk", 1, 8, 3000.0));
    b.sources[0].text = b.sources[0].text.replace("step()", "leap()");
    let difference = RunDifference::between([from_ref(&a), from_ref(&b)]);
    let text = text(&difference, [&a, &b], NonZeroUsize::new(5), 100);
    for told in [
        "b takes 133.3% longer than a",
        "its body differs",
        "step()",
        "in b walk.hw:2",
        "leap()",
        "the same was decided",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn the_first_decision_that_differs_is_the_earliest() {
    use holloway_aos::event::{CompileStart, Event, Kind, Subject, Thread, What};
    let compiled = |time, plan| Event {
        time: Micros(time),
        thread: Thread::Compiler,
        subject: Subject {
            function: Some("walk".to_owned()),
            file: Some("walk.hw".to_owned()),
            line: Some(1),
            ..Subject::default()
        },
        what: What::CompileStart(CompileStart {
            compilation: holloway_aos::CompilationId(0),
            plan,
            entry_line: None,
            why: "it is hot".into(),
            ir_size: 1,
            estimate: 1.0,
        }),
    };
    let with = |events: Vec<Event>| Run { events, ..run("walk", 1, 7, 1000.0) };
    let a = with(vec![compiled(10, Kind::Optimized), compiled(20, Kind::Profiled)]);
    let b = with(vec![compiled(12, Kind::Optimized), compiled(29, Kind::Specialized)]);
    let first = RunDifference::between([from_ref(&a), &[b]]).first.expect("they differ");
    assert_eq!((first.function.as_str(), first.same), ("walk", 1));
    let told = first.sides.map(|side| side.expect("both went on").what);
    assert_eq!(told, ["compiled it profiled", "compiled it specialized"]);
    assert_eq!(RunDifference::between([from_ref(&a), from_ref(&a)]).first, None);
}

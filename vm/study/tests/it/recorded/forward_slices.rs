//! Slices that are computed forward, while the program runs, beside those of an execution that was kept.
//!
//! In: random programs, and small ones; lines, with the variables that are visible there. Out: that both ways give the same lines for the same reasons.

use super::programs::{ARRAYS, TestProgram};
use crate::common::programs::{FAILURES, seeds};
use holloway_generator::{Size, program};
use holloway_profiler::wpp::slice::{Approach, Slicer};
use holloway_study::trace::facts::names::VisibleNames;
use holloway_study::trace::facts::place::function_of;
use holloway_study::trace::slice::slice_with;
use holloway_study::trace::{AnswerError, SliceQuestion, slice_forward};

/// Questions about one program.
const QUESTIONS: usize = 20;

fn check(source: &str) -> usize {
    check_program(source, &TestProgram::new(source))
}

/// Compares the slices of a program. Returns how many had lines.
pub(super) fn check_program(source: &str, program: &TestProgram) -> usize {
    let sourced = program.sourced();
    let run = program.execution("");
    let mut slicer = Slicer::new(&run.execution, &run.memory);
    let mut questions: Vec<(u32, String)> = Vec::new();
    for line in 1..=source.lines().count() as u32 {
        let Some(first) = sourced.statements_at(program.line(line)).into_iter().next() else { continue };
        let names = VisibleNames::new(sourced.module, sourced.sources, function_of(first.procedure));
        let at = sourced.span_of(first).expect("it is on a line").start;
        questions.extend(names.names(at).into_iter().map(|name| (line, name)));
    }
    let mut with_lines = 0;
    for (nth, (line, variable)) in questions.iter().enumerate().step_by(questions.len() / QUESTIONS + 1) {
        let occurrence = [None, Some(1), Some(2), Some(7)][nth % 4];
        let at = program.line(*line);
        let question = SliceQuestion { at, variable, occurrence, approach: Approach::Instances };
        let expected = slice_with(&mut slicer, sourced, &run, question);
        let found = slice_forward(sourced, (&mut program.runtime(""), None), question);
        let (expected, found) = match (expected, found) {
            (Ok(expected), Ok(found)) => (expected, found),
            (Err(expected), found) => {
                assert_eq!(found, Err(AnswerError::Place(expected)), "{line}, {variable}, {occurrence:?}\n{source}");
                continue;
            }
            (Ok(_), Err(error)) => panic!("{line}, {variable}, {occurrence:?}: {error}\n{source}"),
        };
        assert_eq!(found.executions, expected.executions, "executions of line {line}\n{source}");
        assert_eq!(found.lines, expected.lines, "line {line}, {variable}, {occurrence:?}\n{source}");
        assert_eq!(found.is_unset, expected.is_unset, "line {line}, {variable}, {occurrence:?}\n{source}");
        with_lines += usize::from(!found.lines.is_empty());
    }
    with_lines
}

#[test]
fn slices_of_random_programs_are_the_same_forward() {
    let of = |seed| check(&program(seed, if seed % 4 == 0 { Size::Medium } else { Size::Small }));
    let with_lines: usize = seeds(4).map(of).sum();
    assert!(with_lines > 8, "{with_lines} slices had lines");
}

#[test]
fn slices_through_failures_are_the_same_forward() {
    assert!(check(FAILURES) > 0);
}

#[test]
fn slices_through_calls_and_memory_are_the_same_forward() {
    let with_lines = check(ARRAYS);
    assert!(with_lines > 5, "{with_lines} slices had lines");
}

//! Currency over whole runs: lines executed in several activations, and globals.

use super::common::{captured, loaded};
use holloway::TierChoice;
use holloway_runtime::{Runtime, RuntimeConfig, Sink};
use holloway_study::trace::currency::run::{CurrencyOccurrence, CurrencyQuestion, RightValue, currency};
use holloway_study::trace::execution::execute_path;
use holloway_study::trace::facts::place::{PlaceError, SourceLine, SourceProgram};
use std::sync::Arc;

/// The answers for a variable at a line of a program that is run.
fn asked(source: &str, variable: &str, line: u32) -> Result<Vec<CurrencyOccurrence>, PlaceError> {
    let engine = loaded(captured(TierChoice::Interp, &[]), source);
    let config = RuntimeConfig { sink: Sink::Captured(Vec::new()), ..RuntimeConfig::default() };
    let mut runtime = Runtime::new(Arc::clone(engine.module()), config).expect("memory");
    let run = execute_path(&mut runtime, None).expect("nothing is compared");
    let program = SourceProgram { module: engine.module(), sources: engine.sources(), variables: None };
    let file = engine.sources().files().find(|(_, file)| file.name == "program.hw").expect("it was loaded").0;
    let found = currency(program, &run, CurrencyQuestion { at: SourceLine { file, line }, variable })?;
    let stretches = found.stretches().map(|(_, from, to)| to - from + 1);
    assert_eq!(stretches.sum::<u64>(), found.len() as u64);
    Ok(found.iter().cloned().collect())
}

/// For each execution of the line whether the variable is current, the line of the value shown and that of the right one.
fn lines(source: &str, variable: &str, line: u32) -> Vec<(bool, Option<u32>, Option<u32>)> {
    let answers = asked(source, variable, line).unwrap_or_else(|error| panic!("{error}"));
    let line = |at: Option<SourceLine>| at.map(|at| at.line);
    answers.iter().map(|answer| (answer.is_current, line(answer.value_of), line(answer.right))).collect()
}

const HOISTED: &str = "fn f(n: int, a: int) -> int {
    var s = 0
    var x = 1
    for i in 0..n {
        s += x
        x = a * a
        s ^= x
    }
    return s
}
var total = 0
print(f(2, 5))
total = f(0, 5)
total += f(1, 5)
print(total)
";

#[test]
fn executions_are_numbered_over_all_activations() {
    let early = (false, Some(6), Some(3));
    assert_eq!(lines(HOISTED, "x", 5), [early, (true, Some(6), Some(6)), early]);
    let (hoisted, before) = ((true, Some(6), Some(6)), (true, Some(3), Some(3)));
    assert_eq!(lines(HOISTED, "x", 9), [hoisted, before, hoisted]);
    assert_eq!(lines(HOISTED, "a", 6), [(true, Some(1), Some(1)); 3]);
}

#[test]
fn a_global_is_current() {
    assert_eq!(lines(HOISTED, "total", 12), [(true, Some(11), Some(11))]);
    assert_eq!(lines(HOISTED, "total", 15), [(true, Some(14), Some(14))]);
}

#[test]
fn what_failed_is_not_assigned() {
    let source = "fn f(a: [int]) -> int {
    var x = 1
    try {
        x = a[0] + 1
        x = a[1] + x
    } catch e {
        return x
    }
    return x
}
print(f([7]))
print(f([7, 8]))
";
    assert_eq!(lines(source, "x", 7), [(true, Some(4), Some(4))]);
    assert_eq!(lines(source, "x", 9), [(true, Some(5), Some(5))]);
}

#[test]
fn a_value_that_was_folded_is_known() {
    let source = "fn f(a: int) -> int {
    let six = 6
    let folded = six * 7
    return a - folded
}
print(f(3))
";
    let answers = asked(source, "folded", 4).expect("the line is executed");
    let [answer] = answers.as_slice() else { panic!("{answers:?}") };
    assert!(!answer.is_current && answer.value_of.is_none() && answer.is_certain, "{answer:?}");
    assert_eq!(answer.known, Some(RightValue::Constant("42".to_owned())));
}

#[test]
fn questions_that_name_nothing_are_refused() {
    assert_eq!(asked(HOISTED, "x", 100), Err(PlaceError::NoStatement));
    assert!(matches!(asked(HOISTED, "nobody", 5), Err(PlaceError::NoVariable { .. })));
}

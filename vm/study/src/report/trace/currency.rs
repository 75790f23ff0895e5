//! The currency of a variable at each execution of a line: if a debugger of optimized code would show its right value.
//!
//! In: the answer for each. Out: text, where all executions with one answer are one row, or JSON with all.
//! Invariant: executions count from 1.

use super::place;
use crate::report::text::{grouped, one_line};
use crate::report::trace::asked;
use crate::trace::SourceLine;
use crate::trace::currency::run::{CurrencyAnswers, CurrencyOccurrence, RightValue};
use holloway_lang::source::SourceMap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Stretches of executions with one answer that are told.
const RANGES: usize = 4;

/// As JSON.
pub fn json(found: &CurrencyAnswers, sources: &SourceMap) -> String {
    let occurrence = |(n, at): (u64, &CurrencyOccurrence)| {
        json!({
            "n": n,
            "current": at.is_current,
            "value_of": at.value_of.map(|line| place(sources, line)),
            "right": at.right.map(|line| place(sources, line)),
            "certain": at.is_certain,
            "undecided": at.may_be_current && !at.is_current,
        })
    };
    let occurrences: Vec<Value> = (1..).zip(found.iter()).map(occurrence).collect();
    format!("{}\n", json!({ "occurrences": occurrences }))
}

/// As text: a row for each answer, with the first of its executions.
pub fn text(found: &CurrencyAnswers, sources: &SourceMap, (variable, at): (&str, &asked::SourceLine)) -> String {
    let count = |is_one: &dyn Fn(&CurrencyOccurrence) -> bool| found.iter().filter(|at| is_one(at)).count();
    let current = count(&|at| at.is_current);
    let undecided = count(&|at| at.may_be_current && !at.is_current);
    let (variable, all) = (one_line(variable), grouped(found.len()));
    let mut out = format!("{variable} at {at} is current in {} of {all} executions", grouped(current));
    if undecided > 0 {
        write!(out, "; in {} it depends on the copy of the code, which the path does not tell", grouped(undecided))
            .expect("strings take all text");
    }
    out.push('\n');
    let lines = Lines::of(found, sources);
    for Alike { answer, times, ranges } in alike(found) {
        writeln!(out, "{:>10} times  {}", grouped(times), lines.sentence(answer)).expect("strings take all text");
        if times < found.len() {
            writeln!(out, "{:>18}{}", "", told_ranges(&ranges)).expect("strings take all text");
        }
    }
    out
}

/// Executions with one answer.
struct Alike<'a> {
    answer: &'a CurrencyOccurrence,
    times: usize,
    /// The first of their stretches, and how many there are.
    ranges: (Vec<(u64, u64)>, usize),
}

/// The answers in the order in which they come first.
fn alike(found: &CurrencyAnswers) -> Vec<Alike<'_>> {
    let mut all: Vec<Alike<'_>> = Vec::new();
    for (answer, from, to) in found.stretches() {
        let at = all.iter().position(|other| other.answer == answer).unwrap_or_else(|| {
            all.push(Alike { answer, times: 0, ranges: (Vec::new(), 0) });
            all.len() - 1
        });
        let Alike { times, ranges: (first, count), .. } = &mut all[at];
        *times += (to - from + 1) as usize;
        *count += 1;
        if first.len() < RANGES {
            first.push((from, to));
        }
    }
    all
}

fn told_ranges((first, count): &(Vec<(u64, u64)>, usize)) -> String {
    let number = |n: &u64| grouped(*n as usize);
    let range = |(from, to): &(u64, u64)| match from == to {
        true => number(from),
        false => format!("{} to {}", number(from), number(to)),
    };
    let mut told: Vec<String> = first.iter().map(range).collect();
    if *count > first.len() {
        told.push(format!("and {} stretches more", grouped(count - first.len())));
    }
    format!("executions {}", told.join(", "))
}

/// Names of lines: without their file, if all are of one.
struct Lines<'a> {
    sources: &'a SourceMap,
    is_one_file: bool,
}

impl Lines<'_> {
    fn of<'a>(found: &CurrencyAnswers, sources: &'a SourceMap) -> Lines<'a> {
        let different = found.different().iter();
        let mut files =
            different.flat_map(|at| [at.value_of, at.value_otherwise, at.right]).flatten().map(|at| at.file);
        let first = files.next();
        Lines { sources, is_one_file: files.all(|file| Some(file) == first) }
    }

    fn name(&self, line: SourceLine) -> String {
        match self.is_one_file {
            true => format!("line {}", line.line),
            false => one_line(&place(self.sources, line)),
        }
    }

    fn sentence(&self, at: &CurrencyOccurrence) -> String {
        let of = |line: Option<SourceLine>| match line {
            Some(line) => format!("the value of {}", self.name(line)),
            None => "no value yet".to_owned(),
        };
        // A line may assign the variable at several places, or again and again.
        let wrong = |line: Option<SourceLine>| match line {
            Some(line) if Some(line) == at.right => format!("another value of {}", self.name(line)),
            line => of(line),
        };
        let right = match at.right {
            Some(_) if at.value_of == at.right || at.may_be_current => String::new(),
            right => format!(", right is {}", of(right)),
        };
        let known = match &at.known {
            None => String::new(),
            Some(RightValue::Constant(value)) => format!("; it is {}", one_line(value)),
            Some(RightValue::OfLine(line)) => format!("; {} computed it", self.name(*line)),
        };
        match (at.is_current, at.may_be_current) {
            (true, _) => format!("current: {}", of(at.value_of)),
            (false, true) => format!("undecided: {} where it is current, else {}", of(at.right), wrong(at.value_of)),
            (false, false) if at.is_certain => format!("not current: shows {}{right}{known}", wrong(at.value_of)),
            (false, false) => {
                let (shown, other) = (wrong(at.value_of), wrong(at.value_otherwise));
                let shown = if shown == other { shown } else { format!("{shown} or {other}") };
                format!("not current: shows {shown}{right}{known}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: CurrencyOccurrence = CurrencyOccurrence {
        is_current: true,
        may_be_current: true,
        is_certain: true,
        value_of: None,
        value_otherwise: None,
        right: None,
        known: None,
    };

    fn told_of(found: impl Iterator<Item = CurrencyOccurrence>) -> String {
        let mut sources = SourceMap::default();
        sources.add("p.hw", "");
        let found: CurrencyAnswers = found.collect();
        text(&found, &sources, ("x", &asked::SourceLine { file: "p.hw".to_owned(), line: 9 }))
    }

    fn line(line: u32) -> Option<SourceLine> {
        Some(SourceLine { file: holloway_lang::source::FileId::from_u32(0), line })
    }

    #[test]
    fn answers_that_take_turns_are_a_row_each() {
        let of = |at: Option<SourceLine>| CurrencyOccurrence { value_of: at, value_otherwise: at, right: at, ..RIGHT };
        let text = told_of((0..3000).map(|nth| of(line(if nth % 3 == 0 { 7 } else { 8 }))));
        assert_eq!(
            text,
            "x at p.hw:9 is current in 3,000 of 3,000 executions\n     \
             1,000 times  current: the value of line 7\n                  \
             executions 1, 4, 7, 10, and 996 stretches more\n     \
             2,000 times  current: the value of line 8\n                  \
             executions 2 to 3, 5 to 6, 8 to 9, 11 to 12, and 996 stretches more\n"
        );
    }

    #[test]
    fn what_the_path_does_not_tell_is_called_undecided() {
        let undecided = CurrencyOccurrence {
            is_current: false,
            is_certain: false,
            value_of: line(9),
            value_otherwise: line(9),
            right: line(9),
            ..RIGHT
        };
        let text = told_of(std::iter::repeat_n(undecided, 10));
        assert_eq!(
            text,
            "x at p.hw:9 is current in 0 of 10 executions; in 10 it depends on the copy of the code, which the path does not tell\n        \
             10 times  undecided: the value of line 9 where it is current, else another value of line 9\n"
        );
        let stale = CurrencyOccurrence { may_be_current: false, is_certain: true, ..told_stale(line(5)) };
        assert!(
            told_of(std::iter::once(stale))
                .ends_with("not current: shows the value of line 5, right is the value of line 9\n")
        );
    }

    fn told_stale(shown: Option<SourceLine>) -> CurrencyOccurrence {
        CurrencyOccurrence { is_current: false, value_of: shown, value_otherwise: shown, right: line(9), ..RIGHT }
    }
}

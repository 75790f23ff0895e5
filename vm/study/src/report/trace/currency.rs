//! The currency of a variable at each execution of a line: if a debugger of optimized code would show its right value.
//!
//! In: the answer for each. Out: text, where executions in a row with equal answers are one line, or JSON.
//! Invariant: executions count from 1.

use super::place;
use crate::report::text::one_line;
use crate::report::trace::asked;
use crate::trace::SourceLine;
use crate::trace::currency::run::{CurrencyOccurrence, RightValue};
use holloway_lang::source::SourceMap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// As JSON.
pub fn json(found: &[CurrencyOccurrence], sources: &SourceMap) -> String {
    let occurrence = |at: &CurrencyOccurrence| {
        json!({
            "n": at.n,
            "current": at.is_current,
            "value_of": at.value_of.map(|line| place(sources, line)),
            "right": at.right.map(|line| place(sources, line)),
            "certain": at.is_certain,
        })
    };
    let occurrences: Vec<Value> = found.iter().map(occurrence).collect();
    format!("{}\n", json!({ "occurrences": occurrences }))
}

/// As text.
pub fn text(found: &[CurrencyOccurrence], sources: &SourceMap, (variable, at): (&str, &asked::SourceLine)) -> String {
    let current = found.iter().filter(|occurrence| occurrence.is_current).count();
    let (variable, all) = (one_line(variable), found.len());
    let mut out = format!("{variable} at {at} is current in {current} of {all} executions\n");
    for alike in found.chunk_by(|a, b| told(a) == told(b)) {
        let (first, last) = (alike[0].n, alike[alike.len() - 1].n);
        let range = if first == last { format!("{first}") } else { format!("{first} to {last}") };
        writeln!(out, "{range:>16}  {}", sentence(&alike[0], sources)).expect("strings take all text");
    }
    out
}

/// The parts of an answer that its sentence tells.
fn told(at: &CurrencyOccurrence) -> impl PartialEq {
    (at.is_current, at.is_certain, at.value_of, at.right, at.known.clone())
}

fn sentence(at: &CurrencyOccurrence, sources: &SourceMap) -> String {
    let of = |line: Option<SourceLine>| match line {
        Some(line) => format!("the value of {}", one_line(&place(sources, line))),
        None => "no value yet".to_owned(),
    };
    if at.is_current {
        return format!("current: {}", of(at.value_of));
    }
    let known = match &at.known {
        None => String::new(),
        Some(RightValue::Constant(value)) => format!("; it is {}", one_line(value)),
        Some(RightValue::OfLine(line)) => format!("; {} computed it", one_line(&place(sources, *line))),
    };
    let shown = if at.is_certain { "shows" } else { "may show" };
    format!("{shown} {}, right is {}{known}", of(at.value_of), of(at.right))
}

//! Occurrences of a path.
//!
//! In: what was found. Out: its number, and the first positions. Invariant: positions count from 1.

use crate::report::text::{grouped, one_line, plural};
use holloway_profiler::wpp::{Occurrence, Occurrences};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// As JSON.
pub fn json(found: &Occurrences) -> String {
    let position = |at: &Occurrence| json!({ "event": at.event, "step": at.step });
    let first: Vec<Value> = found.first.iter().map(position).collect();
    format!("{}\n", json!({ "count": found.count, "first": first }))
}

/// As text.
pub fn text(function: &str, found: &Occurrences) -> String {
    let mut out = format!("{}: {}\n", one_line(function), plural(found.count as usize, "occurrence"));
    for at in &found.first {
        let (event, step) = (grouped(at.event as usize), grouped(at.step as usize));
        writeln!(out, "  from step {step} of its activation, complete at event {event}")
            .expect("strings take all text");
    }
    out
}

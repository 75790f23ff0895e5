//! The number of times that a data-flow fact held.
//!
//! In: an answer. Out: text, or JSON. Invariant: a lower bound is called so.

use super::place;
use crate::report::text::{cut, grouped, one_line, share};
use crate::report::trace::asked;
use crate::trace::{Fact, FactAnswer, FactPart, SourceLine};
use holloway_lang::source::SourceMap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// As JSON.
pub fn json(found: &FactAnswer, sources: &SourceMap) -> String {
    let source = |(at, times): &(SourceLine, u64)| json!({ "at": place(sources, *at), "times": times });
    let from: Vec<Value> = found.sources.iter().map(source).collect();
    let part = |part: &FactPart| {
        let FactPart { span, executions, holds } = part;
        json!({ "source": sources.snippet(*span), "executions": executions, "holds": holds })
    };
    let parts: Vec<Value> = found.parts.iter().map(part).collect();
    let (executions, holds, queries) = (found.executions, found.holds, found.queries);
    format!(
        "{}\n",
        json!({
            "executions": executions,
            "holds": holds,
            "queries": queries,
            "exact": found.is_exact,
            "sources": from,
            "parts": parts,
        })
    )
}

/// As text.
pub fn text(found: &FactAnswer, sources: &SourceMap, (fact, at): (Fact, &asked::SourceLine)) -> String {
    let fact = match fact {
        Fact::Load => "a value that is loaded was in hand",
        Fact::Expression => "an operation's result was known in its activation",
        Fact::Definition => "a definition reached",
    };
    let (holds, executions) = (grouped(found.holds as usize), grouped(found.executions as usize));
    let percent = share(found.holds, found.executions);
    let queries = match found.queries {
        0 => String::new(),
        queries => format!(", found with {} queries", grouped(queries as usize)),
    };
    let bound = if found.is_exact { "" } else { ", at least" };
    let mut out = format!("{at}: {fact} {holds} times of {executions} ({percent}{bound}){queries}\n");
    // A single one is the line.
    for FactPart { span, executions, holds } in found.parts.iter().filter(|_| found.parts.len() > 1) {
        let percent = share(*holds, *executions);
        let [holds, executions] = [*holds, *executions].map(|number| grouped(number as usize));
        let source = one_line(sources.snippet(*span));
        writeln!(out, "{holds:>12} times of {executions} ({percent})  {}", cut(&source))
            .expect("strings take all text");
    }
    for (source, times) in &found.sources {
        let times = grouped(*times as usize);
        writeln!(out, "{times:>12} times from {}", one_line(&place(sources, *source))).expect("strings take all text");
    }
    out
}

//! The parting of the decisions of two runs.
//!
//! In: the events of both. Out: the first decision about a function that the other run did not make at that place. Decisions about one function
//! are compared in order; those about several have no order between them, since the time of a tick is chance.
//! Invariant: figures do not make decisions differ, only what was done does.

use super::functions::{Key, Matches};
use crate::run::Run;
use holloway_aos::Micros;
use holloway_aos::event::{Event, What};
use serde::Serialize;
use std::collections::BTreeMap;

/// The first decision that differs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parting {
    /// The function.
    pub function: String,
    /// The number of decisions about it that were the same before.
    pub same: usize,
    /// The decision of each side instead; `None` if it did nothing more about the function.
    pub sides: [Option<Decision>; 2],
}

/// A decision.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// Its time, in microseconds.
    pub time: Micros,
    /// The decision in words.
    pub what: String,
}

/// The first decision that differs.
pub(super) fn parting(runs: [&Run; 2], matches: &Matches) -> Option<Parting> {
    let by_function = runs.map(|run| decisions(run, matches));
    let mut keys: Vec<&Key> = by_function.iter().flat_map(BTreeMap::keys).collect();
    keys.sort();
    keys.dedup();
    let partings = keys.into_iter().filter_map(|key| {
        let [a, b] = by_function.each_ref().map(|of| of.get(key).map_or(&[][..], Vec::as_slice));
        let same = a.iter().zip(b).take_while(|(a, b)| a.what == b.what).count();
        let sides = [a.get(same).cloned(), b.get(same).cloned()];
        sides.iter().any(Option::is_some).then(|| Parting { function: matches.name(key), same, sides })
    });
    let time = |parting: &Parting| parting.sides.iter().flatten().map(|decision| decision.time).min();
    partings.min_by_key(time)
}

fn decisions(run: &Run, matches: &Matches) -> BTreeMap<Key, Vec<Decision>> {
    let mut all: BTreeMap<Key, Vec<Decision>> = BTreeMap::new();
    for event in &run.events {
        let subject = &event.subject;
        let is_of = |name: &String, file: &Option<String>, line: &Option<u32>| {
            let found = run.functions.iter().find(|function| {
                function.name == *name && Some(&function.file) == file.as_ref() && Some(function.line) == *line
            });
            found.map(|function| matches.key(function))
        };
        let key = subject.function.as_ref().and_then(|name| is_of(name, &subject.file, &subject.line));
        let (Some(key), Some(what)) = (key, done(event)) else { continue };
        all.entry(key).or_default().push(Decision { time: event.time, what });
    }
    all
}

/// The decision that an event tells of, without figures.
fn done(event: &Event) -> Option<String> {
    let at = event.subject.loop_line.map(|line| format!(" of the loop at line {line}")).unwrap_or_default();
    match &event.what {
        What::CompileStart(start) => {
            let entry = start.entry_line.map(|line| format!(", entered at line {line}")).unwrap_or_default();
            Some(format!("compiled it {}{entry}", start.plan.name()))
        }
        What::TraceFormed(formed) => Some(format!("formed {}{at}", formed.form())),
        What::Dropped(dropped) => {
            Some(format!("dropped {}: {}", event.subject.tier?.name(), serde_name(&dropped.reason)))
        }
        What::Refused(refused) => Some(format!("could not have it {}", refused.plan.name())),
        _ => None,
    }
}

/// The name of a value in files.
fn serde_name(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

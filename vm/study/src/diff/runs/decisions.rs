//! The parting of the decisions of two runs.
//!
//! In: the events of both. Out: the first decision about a function that the other run did not make at that place. Decisions about one function
//! are compared in order; those about several have no order between them, since the time of a tick is chance.
//! Invariant: figures do not make decisions differ, only what was done does.

use super::functions::Matches;
use crate::run::Run;
use crate::run::record::Function;
use holloway_aos::Micros;
use holloway_aos::event::{Event, What};
use holloway_aos::version::VersionState;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
    let by_function = [0, 1].map(|side| decisions(runs[side], |function| matches.number(side, function)));
    let numbers: BTreeSet<usize> = by_function.iter().flat_map(BTreeMap::keys).copied().collect();
    let partings = numbers.into_iter().filter_map(|number| {
        let [a, b] = by_function.each_ref().map(|of| of.get(&number).map_or(&[][..], Vec::as_slice));
        let same = a.iter().zip(b).take_while(|(a, b)| a.what == b.what).count();
        let sides = [a.get(same).cloned(), b.get(same).cloned()];
        sides.iter().any(Option::is_some).then(|| Parting { function: matches.name(number), same, sides })
    });
    let time = |parting: &Parting| parting.sides.iter().flatten().map(|decision| decision.time).min();
    partings.min_by_key(time)
}

fn decisions(run: &Run, number: impl Fn(&Function) -> usize) -> BTreeMap<usize, Vec<Decision>> {
    let functions = run.functions_by_place();
    let mut all: BTreeMap<usize, Vec<Decision>> = BTreeMap::new();
    for event in &run.events {
        let function = functions.get(&event.subject.place());
        let (Some(function), Some(what)) = (function, done(event)) else { continue };
        let number = number(&run.functions[*function as usize]);
        all.entry(number).or_default().push(Decision { time: event.time, what });
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
            let reason = VersionState::Dropped(dropped.reason).words();
            Some(format!("dropped {}: {reason}", event.subject.tier?.name()))
        }
        What::Refused(refused) => Some(format!("could not have it {}", refused.plan.name())),
        _ => None,
    }
}

//! The loops that profiles were made of, with the episodes of each, and what was found in words.

use crate::report::settings::SHOWN_LINES;
use crate::report::text::{percent, plural};
use std::collections::BTreeMap;

use holloway_aos::event::{Episode, Event, Persistent, Subject, episodes};

/// A loop of a function, or of one that is inlined into it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoopName {
    /// The inlined function and the call, in words.
    pub(super) inlined: Option<String>,
    pub(super) file: String,
    pub(super) line: u32,
}

/// The loops of a function that were profiled, each with its episodes in order.
pub(super) fn rows<'a>(events: &[&'a Event]) -> BTreeMap<LoopName, Vec<&'a Episode>> {
    let mut rows: BTreeMap<LoopName, Vec<&Episode>> = BTreeMap::new();
    for (subject, episode) in episodes(events.iter().copied()) {
        let file = subject.loop_file().unwrap_or_default().to_owned();
        let name = LoopName { inlined: subject.inlined_at(), file, line: episode.loop_line };
        rows.entry(name).or_default().push(episode);
    }
    rows
}

/// A loop by its last profile.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfiledLoop {
    /// The function whose code it is, or the inlined one in words.
    pub function: String,
    /// The line of its header.
    pub line: u32,
    /// Its repetition, in words.
    pub found: String,
    /// The greatest part of the iterations that one path or one sequence of paths had.
    pub share: f64,
    /// True iff a version was made of it.
    pub is_specialized: bool,
    /// Reason for which the profile led to nothing.
    pub declined: Option<String>,
}

/// All loops that were profiled in a run.
pub fn profiled_loops(events: &[Event]) -> Vec<ProfiledLoop> {
    let mut all: Vec<(Subject, ProfiledLoop)> = Vec::new();
    for (subject, episode) in episodes(events) {
        let known = all.iter().position(|(known, _)| *known == subject);
        let before = known.map(|at| all.remove(at).1);
        let found = ProfiledLoop {
            function: subject.inlined_at().or_else(|| subject.function.clone()).unwrap_or_default(),
            line: episode.loop_line,
            found: what_repeats(episode.found.as_ref()),
            share: episode.found.as_ref().map_or(0.0, share),
            is_specialized: episode.formed.is_some() || before.is_some_and(|before| before.is_specialized),
            declined: episode.declined.as_ref().map(ToString::to_string),
        };
        all.insert(known.unwrap_or(all.len()), (subject, found));
    }
    all.into_iter().map(|(_, found)| found).collect()
}

fn share(found: &Persistent) -> f64 {
    let in_a_row = found.executions.map_or(0.0, |executions| executions as f64 / found.iterations.max(1) as f64);
    found.coverage.unwrap_or_default().max(in_a_row)
}

/// The repetition in words: lines, period, coverage.
pub(super) fn what_repeats(found: Option<&Persistent>) -> String {
    let Some(found) = found else { return "nothing that repeats".to_owned() };
    let mut lines: Vec<String> = found.lines.iter().take(SHOWN_LINES).map(u32::to_string).collect();
    if found.lines.len() > SHOWN_LINES {
        lines.push("...".to_owned());
    }
    let path = if lines.is_empty() { String::new() } else { format!("lines {}: ", lines.join(" ")) };
    let covered = found.coverage.map(percent).unwrap_or_default();
    let paths = |period: u32| if period == 1 { "one path".to_owned() } else { format!("a period of {period} paths") };
    let period = found.period.map(|period| match found.alternatives {
        None => format!("{} in {covered} of the iterations", paths(period)),
        Some(several) => format!("{several} cycles in {covered} of the iterations, the first is {}", paths(period)),
    });
    let way = found.way.map(|way| match found.alternatives {
        None => format!("a way through the loop of {way} iterations, {covered} of all"),
        Some(several) => format!("{several} ways through the loop, {covered} of the iterations, the first of {way}"),
    });
    let run = found.executions.map(|executions| format!("{executions} iterations in a row alike"));
    let parts: Vec<String> = period.into_iter().chain(way).chain(run).chain(no_room(found)).collect();
    match (parts.is_empty(), found.untaken.is_empty()) {
        (false, _) => path + &parts.join(", "),
        (true, false) => format!("{path}blocks on {} not taken", plural(found.untaken.len(), "line")),
        (true, true) => format!("{path}nothing that repeats"),
    }
}

/// Repeated paths that have no room in the traces of their loop, by the limit that decides.
pub(super) fn no_room(found: &Persistent) -> Option<String> {
    let has_traces = found.period.or(found.way).is_some();
    let large = found.too_large.map(|number| match has_traces {
        true => format!("{number} more would make its traces too large"),
        false => format!("{} too large for a trace", plural(number as usize, "cycle")),
    });
    let many = found.too_many.map(|number| format!("{number} more would make them too many"));
    let both: Vec<String> = large.into_iter().chain(many).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::event::{What, examples};

    /// The example run with its episodes changed.
    fn changed(change: impl Fn(&mut Episode)) -> Vec<Event> {
        let mut events = examples();
        for event in &mut events {
            if let What::Transition(transition) = &mut event.what {
                transition.loops.iter_mut().for_each(&change);
            }
        }
        events
    }

    #[test]
    fn loops_are_specialized_or_have_a_reason() {
        let too_little = |one: &mut Episode| {
            if one.loop_line == 14 {
                one.declined = Some("it should save too little".into());
            }
        };
        let found = profiled_loops(&changed(too_little));
        let shown: Vec<_> =
            found.iter().map(|one| (one.line, one.share, one.is_specialized, one.declined.as_deref())).collect();
        let one_path = "its blocks lead nowhere else but out of the loop, so a trace would leave nothing out";
        let expected = [
            (5, 1.0, true, None),
            (9, 1.0, false, Some(one_path)),
            (14, 1.0, false, Some("it should save too little")),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_repeats_in_turn_is_counted_and_so_is_what_has_no_room() {
        let Some(What::Persistent(found)) = examples()
            .into_iter()
            .map(|event| event.what)
            .find(|what| matches!(what, What::Persistent(found) if found.period.is_some()))
        else {
            panic!("one has a period")
        };
        let told = |found: &Persistent| what_repeats(Some(found)).split_once(": ").expect("it has lines").1.to_owned();
        assert_eq!(told(&found), "one path in 100.0% of the iterations");
        let several = Persistent { alternatives: Some(3), too_many: Some(2), ..found.clone() };
        let cycles = "3 cycles in 100.0% of the iterations, the first is one path";
        assert_eq!(told(&several), format!("{cycles}, 2 more would make them too many"));
        let none = Persistent { period: None, coverage: None, too_large: Some(1), ..found };
        assert_eq!(told(&none), "1 cycle too large for a trace");
    }

    #[test]
    fn a_part_of_the_iterations_is_that_of_the_most() {
        let events = changed(|one| {
            if let Some(found) = &mut one.found {
                (found.coverage, found.executions) = (Some(0.49), None);
            }
        });
        assert!(profiled_loops(&events).iter().all(|one| one.share == 0.49));
    }
}

//! The loops that profiles were made of: what was found in each, and what became of it.
//!
//! In: the events of a function. Out: a [`LoopRow`] a loop. Invariant: a gain that was not measured is called expected.

use crate::report::settings::SHOWN_LINES;
use crate::report::text::plural;
use std::collections::BTreeMap;

use super::chapter::chapters;
use super::table::Left;
use holloway_aos::event::{Choice, DropReason, Event, Persistent, Subject, Trigger, What};

/// One loop.
#[derive(Default)]
pub(super) struct LoopRow {
    /// Profiles of it.
    profiles: u64,
    /// Findings of the last of them, in words.
    found: String,
    /// The greatest part of the iterations, in the last of them, that one path or one sequence of paths had.
    share: f64,
    /// Specializations that were formed.
    formed: u64,
    /// The form of the last.
    form: String,
    expected: Option<f64>,
    /// The measured gains of its versions, with their bounds.
    measured: Vec<(f64, (f64, f64))>,
    dropped: BTreeMap<&'static str, u64>,
    /// The part of iterations that failed a guard, as reported last.
    failing: f64,
    /// That part for each version that was invalidated for it.
    failed: Vec<f64>,
    /// True iff the last thing that happened to a specialization was that it was formed.
    stands: bool,
    /// Reason for which the last profile led to nothing.
    declined: Option<String>,
}

/// A loop of a function, or of one that is inlined into it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoopName {
    /// The inlined function and the call, in words.
    pub(super) inlined: Option<String>,
    pub(super) file: String,
    pub(super) line: u32,
}

impl LoopName {
    fn of(subject: &Subject) -> Option<LoopName> {
        let file = subject.loop_file().unwrap_or_default().to_owned();
        Some(LoopName { inlined: subject.inlined_at(), file, line: subject.loop_line? })
    }
}

/// The loops of a function that profiles or specializations are known of.
pub(super) fn rows(events: &[&Event]) -> BTreeMap<LoopName, LoopRow> {
    let mut rows: BTreeMap<LoopName, LoopRow> = BTreeMap::new();
    // The loops of the last profile: what is decided on it is about them.
    let mut profiled: Vec<LoopName> = Vec::new();
    for event in events {
        match (&event.what, LoopName::of(&event.subject)) {
            (What::Persistent(found), Some(name)) => {
                let row = rows.entry(name.clone()).or_default();
                row.profiles += 1;
                (row.found, row.share) = (what_repeats(Some(found)), share(found));
                row.declined = found.declined.clone();
                profiled.push(name);
            }
            (What::Considered(considered), about) if considered.trigger == Trigger::WindowFull => {
                if let (true, Some(name)) = (profiled.is_empty(), about)
                    && considered.choice != Choice::Specialize
                {
                    let row = rows.entry(name.clone()).or_default();
                    row.profiles += 1;
                    (row.found, row.share) = (what_repeats(None), 0.0);
                    row.declined = None;
                    profiled.push(name);
                }
                for name in profiled.drain(..).filter(|_| considered.choice != Choice::Specialize) {
                    rows.entry(name).or_default().declined.get_or_insert_with(|| considered.reason.clone());
                }
            }
            (What::TraceFormed(trace), Some(name)) => {
                formed(rows.entry(name).or_default(), trace.form(), trace.estimated_gain);
            }
            (What::Gain(gain), Some(name)) => {
                rows.entry(name).or_default().measured.extend(gain.measured.zip(gain.interval))
            }
            (What::GuardReport(guards), Some(name)) => rows.entry(name).or_default().failing = guards.rate,
            (What::Dropped(dropped), Some(name)) if dropped.reason.is_failure() => {
                let row = rows.entry(name).or_default();
                match dropped.reason {
                    DropReason::GuardsFail => row.failed.push(row.failing),
                    reason => *row.dropped.entry(Left::from(reason).words()).or_default() += 1,
                }
                row.stands = false;
            }
            _ => {}
        }
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
    let mut all = Vec::new();
    for chapter in chapters(events) {
        all.extend(rows(&chapter.events).into_iter().filter(|(_, row)| row.profiles > 0).map(|(name, row)| {
            ProfiledLoop {
                function: name.inlined.unwrap_or_else(|| chapter.function.to_owned()),
                line: name.line,
                found: row.found,
                share: row.share,
                is_specialized: row.formed > 0,
                declined: row.declined,
            }
        }));
    }
    all
}

fn share(found: &Persistent) -> f64 {
    let in_a_row = found.executions.map_or(0.0, |executions| executions as f64 / found.iterations.max(1) as f64);
    found.coverage.unwrap_or_default().max(in_a_row)
}

fn formed(row: &mut LoopRow, form: String, gain: f64) {
    row.formed += 1;
    (row.form, row.expected, row.stands) = (form, Some(gain), true);
}

/// The repetition in words: lines, period, coverage.
fn what_repeats(found: Option<&Persistent>) -> String {
    let Some(found) = found else { return "nothing that repeats".to_owned() };
    let mut lines: Vec<String> = found.lines.iter().take(SHOWN_LINES).map(u32::to_string).collect();
    if found.lines.len() > SHOWN_LINES {
        lines.push("...".to_owned());
    }
    let path = if lines.is_empty() { String::new() } else { format!("lines {}: ", lines.join(" ")) };
    let covered = found.coverage.map(|coverage| format!("{:.1}%", coverage * 100.0)).unwrap_or_default();
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

impl LoopRow {
    /// Lines of text about the loop: what was found, what was done, what came of it.
    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.profiles > 0 {
            lines.push(format!("found      {}", self.found));
        }
        if self.formed == 0 {
            lines.extend(self.declined.as_ref().map(|reason| format!("left       {reason}")));
            return lines;
        }
        let times = if self.formed == 1 { String::new() } else { format!(" ({} versions in all)", self.formed) };
        let percent = |gain: f64| format!("{:.1}%", gain * 100.0);
        let expected = self.expected.map(|gain| format!(", expected to save {} of its time", percent(gain)));
        lines.push(format!("compiled   {}{}{times}", self.form, expected.unwrap_or_default()));
        lines.extend(self.gains());
        let dropped = self.dropped.iter().map(|(why, times)| format!("{why} {times}x"));
        let dropped: Vec<String> = self.left_by_failures().into_iter().chain(dropped).collect();
        let dropped = if dropped.is_empty() { String::new() } else { format!("; before: {}", dropped.join("; ")) };
        let state = if self.stands { "in use".to_owned() + &dropped } else { format!("general again{dropped}") };
        lines.push(format!("outcome    {state}"));
        lines
    }

    /// Versions that were invalidated because their guards failed, in words.
    fn left_by_failures(&self) -> Option<String> {
        let percent = |part: f64| format!("{:.1}%", part * 100.0);
        let (least, most) =
            (self.failed.iter().copied().reduce(f64::min)?, self.failed.iter().copied().reduce(f64::max)?);
        let range = if least == most { percent(most) } else { format!("{} to {}", percent(least), percent(most)) };
        let times = self.failed.len();
        Some(format!("invalidated {times}x, when {range} of the iterations failed a guard"))
    }

    /// The measured gains in words.
    fn gains(&self) -> Option<String> {
        let percent = |gain: f64| format!("{:.1}%", gain * 100.0);
        match self.measured.as_slice() {
            [] => None,
            [(gain, (least, most))] => {
                let which = if self.formed == 1 { "it" } else { "one version" };
                let verb = if *gain >= 0.0 { "saves" } else { "costs" };
                let (gain, least, most) = (percent(gain.abs()), percent(*least), percent(*most));
                Some(format!(
                    "measured   {which} {verb} {gain} of the program's time in use ({least} to {most} by turns with general code)"
                ))
            }
            several => {
                let gains = || several.iter().map(|(gain, _)| *gain);
                let (least, most) = (gains().fold(f64::MAX, f64::min), gains().fold(f64::MIN, f64::max));
                let versions = several.len();
                let (least, most) = (percent(least), percent(most));
                Some(format!(
                    "measured   {versions} versions save {least} to {most} of the program's time in use (by turns with general code)"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::event::examples;

    #[test]
    fn loops_are_specialized_or_have_a_reason() {
        let mut events = examples();
        let is_decision =
            |event: &&Event| matches!(&event.what, What::Considered(one) if one.trigger == Trigger::WindowFull);
        let mut decision = events.iter().find(is_decision).expect("there is one").clone();
        if let What::Considered(considered) = &mut decision.what {
            (considered.choice, considered.reason) = (Choice::Optimize, "it should save too little".to_owned());
        }
        events.push(decision);
        let found = profiled_loops(&events);
        let shown: Vec<_> =
            found.iter().map(|one| (one.line, one.share, one.is_specialized, one.declined.as_deref())).collect();
        assert_eq!(
            shown,
            [
                (5, 1.0, true, None),
                (
                    9,
                    1.0,
                    false,
                    Some("its blocks lead nowhere else but out of the loop, so a trace would leave nothing out")
                ),
                (14, 1.0, false, Some("it should save too little")),
            ]
        );
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
    fn the_part_that_failed_a_guard_is_told_of_each_version_that_was_left_for_it() {
        let mut row = LoopRow { formed: 3, stands: true, ..LoopRow::default() };
        let outcome = |row: &LoopRow| row.text().pop().expect("there is an outcome");
        row.failed = vec![0.25];
        assert_eq!(
            outcome(&row),
            "outcome    in use; before: invalidated 1x, when 25.0% of the iterations failed a guard"
        );
        row.failed = vec![0.25, 0.5, 0.3];
        row.dropped = [("no gain", 2)].into();
        let both = "invalidated 3x, when 25.0% to 50.0% of the iterations failed a guard; no gain 2x";
        assert_eq!(outcome(&row), format!("outcome    in use; before: {both}"));
    }

    #[test]
    fn a_part_of_the_iterations_is_that_of_the_most() {
        let mut events = examples();
        for event in &mut events {
            if let What::Persistent(found) = &mut event.what {
                (found.coverage, found.executions) = (Some(0.49), None);
            }
        }
        assert!(profiled_loops(&events).iter().all(|one| one.share == 0.49));
    }
}

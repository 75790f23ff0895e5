//! The loops that profiles were made of: what was found in each, and what became of it.
//!
//! In: the events of a function. Out: a [`LoopRow`] a loop. Invariant: a gain that was not measured is called expected.

use crate::report::settings::SHOWN_LINES;
use crate::report::text::plural;
use std::collections::BTreeMap;

use super::chapter::chapters;
use super::table::Left;
use crate::adaptive::event::{Choice, Event, Persistent, Subject, Trigger, What};

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
            (What::SplitFormed(split), Some(name)) => {
                formed(rows.entry(name).or_default(), format!("a split by {}", split.state), split.estimated_gain);
            }
            (What::Gain(gain), Some(name)) if gain.called.is_empty() => {
                rows.entry(name).or_default().measured.extend(gain.measured.zip(gain.interval))
            }
            (What::Dropped(dropped), Some(name)) if dropped.reason.is_failure() => {
                let row = rows.entry(name).or_default();
                *row.dropped.entry(Left::from(dropped.reason).words()).or_default() += 1;
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
    let period = found.period.zip(found.coverage).map(|(period, coverage)| {
        let paths = if period == 1 { "one path".to_owned() } else { format!("a period of {period} paths") };
        format!("{paths} in {:.1}% of the iterations", coverage * 100.0)
    });
    let way = found
        .way
        .zip(found.coverage)
        .map(|(way, coverage)| format!("a way through the loop of {way} iterations, {:.1}% of all", coverage * 100.0));
    let run = found.executions.map(|executions| format!("{executions} iterations in a row alike"));
    let parts: Vec<String> = period.into_iter().chain(way).chain(run).collect();
    match (parts.is_empty(), found.untaken.is_empty()) {
        (false, _) => path + &parts.join(", "),
        (true, false) => format!("{path}blocks on {} never taken", plural(found.untaken.len(), "line")),
        (true, true) => format!("{path}nothing that repeats"),
    }
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
        let dropped: Vec<String> = self.dropped.iter().map(|(why, times)| format!("{why} {times}x")).collect();
        let dropped = if dropped.is_empty() { String::new() } else { format!("; before: {}", dropped.join(", ")) };
        let state = if self.stands { "in use".to_owned() + &dropped } else { format!("general again{dropped}") };
        lines.push(format!("outcome    {state}"));
        lines
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
    use crate::adaptive::event::examples;

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
                (9, 1.0, false, Some("it has one path only, of which a trace would leave nothing out")),
                (14, 1.0, false, Some("it should save too little")),
            ]
        );
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

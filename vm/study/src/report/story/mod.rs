//! `explain`: the events of a run as a report in source terms: one screen, the whole story, what is about one thing of
//! it, or all as JSON. The story has a chapter for each function on which the controller acted. Invariant: everything
//! in it is in an event or a version; its length grows with the number of events, not with that of the run.

mod chapter;
mod code;
mod episodes;
mod findings;
mod inlining;
mod loops;
mod measured;
mod overview;
mod sentence;
mod table;
mod target;
mod timeline;

use serde_json::{Value, json};

use crate::report::style::Style;
use crate::report::text::one_line;
use crate::run::record::Inlining;
use crate::run::{Run, Time};
use chapter::Chapter;
use holloway_aos::event::{Persistent, SCHEMA_VERSION, What};
use holloway_aos::{Clock, Controller, Event, Micros};

pub use chapter::{Lines, Story};
pub use findings::{Finding, findings};
pub use loops::{ProfiledLoop, profiled_loops};
pub use measured::MeasuredGain;
pub use table::{VersionRow, by_kind};
pub use target::Target;

/// One event in words, as the story tells it; `None` of those whose contents others have.
pub(crate) fn event_in_words(event: &Event, run: &Run) -> Option<String> {
    let file = event.subject.loop_file().unwrap_or_default();
    let source = |line: u32| {
        let text = run.line(file, line).unwrap_or_default();
        format!("{line} | {}", one_line(text.trim()))
    };
    sentence::tell(event, run.head.clock, &source)
}

pub(crate) fn found_in_words(found: Option<&Persistent>) -> String {
    loops::what_repeats(found)
}

impl<'a> Story<'a> {
    /// The report of a run.
    pub fn of(events: &'a [Event], controller: &Controller, lines: &'a dyn Lines) -> Self {
        let versions = controller.records().map(|(_, info, record)| VersionRow::of(info, record)).collect();
        Self {
            events,
            versions,
            lines,
            clock: controller.settings().clock,
            end: controller.last_tick(),
            measured: None,
            run: None,
        }
    }

    /// The report of a recorded run.
    pub fn of_run(run: &'a Run) -> Self {
        let end = match &run.end {
            Some(end) if run.head.clock == Clock::Real => Micros(end.cpu as u64),
            _ => run.last_event(),
        };
        Self {
            events: &run.events,
            versions: run.figures.clone(),
            lines: run,
            clock: run.head.clock,
            end,
            measured: None,
            run: Some(run),
        }
    }

    /// The first screen.
    pub fn overview(&self, style: Style) -> String {
        overview::text(self, &self.telling(style))
    }

    /// The story of one thing, with the versions of its function; `None` if nothing was decided about it.
    pub fn why(&self, target: &Target, style: Style) -> Option<String> {
        if let Target::Inlining(function) = target {
            return inlining::text(self.run?, function);
        }
        let events: Vec<Event> = self.events.iter().filter(|event| target.is_of(event)).cloned().collect();
        let mut versions = self.versions.clone();
        match target {
            Target::Version(version) => versions.retain(|row| row.version == *version),
            Target::Function(name) => versions.retain(|row| row.function == *name),
            Target::Guard(..) => {
                let reported: Vec<u32> = events.iter().filter_map(|event| event.subject.version).collect();
                versions.retain(|row| reported.contains(&row.version));
            }
            Target::Inlining(_) => unreachable!("it is told above"),
            Target::Place(..) => {
                let chapters = Story { events: &events, versions: Vec::new(), ..*self }.chapters();
                versions.retain(|row| chapters.iter().any(|chapter| chapter.has(row)));
            }
        }
        if events.is_empty() && versions.is_empty() {
            return None;
        }
        let mut text = Story { events: &events, versions, ..*self }.text(style);
        if let (Target::Version(version), Some(run)) = (target, self.run) {
            text.push_str(&code::text(run, *version, style.width).unwrap_or_default());
        }
        Some(text)
    }

    /// The places of guards that were told to fail, as `FILE:LINE`.
    pub fn guards(&self) -> Vec<String> {
        let of = |event: &Event| {
            let What::GuardReport(guards) = &event.what else { return Vec::new() };
            let file = event.subject.loop_file().unwrap_or_default();
            guards.worst.iter().map(|guard| format!("{file}:{}", guard.line)).collect()
        };
        self.events.iter().flat_map(of).collect()
    }

    /// The functions in whose code there were calls of known functions.
    pub fn inlining(&self) -> Vec<String> {
        let of = |inlining: &Inlining, run: &Run| {
            run.functions[run.versions[inlining.version as usize].function as usize].name.clone()
        };
        self.run.iter().flat_map(|run| run.inlining.iter().map(|inlining| of(inlining, run))).collect()
    }

    /// The whole story as text.
    pub fn text(&self, style: Style) -> String {
        let telling = self.telling(style);
        let mut text = String::new();
        let chapters = self.chapters();
        for chapter in chapters.iter().filter(|chapter| chapter.acts()) {
            text.push_str(&telling.chapter(chapter));
            text.push('\n');
        }
        let left: Vec<&Chapter<'_>> = chapters.iter().filter(|chapter| !chapter.acts()).collect();
        text.push_str(&telling.left(&left));
        text.push_str(&telling.heading("Versions"));
        text.push_str(&table::render(&self.versions, self.clock));
        if let Some(compiling) = self.compiling() {
            text.push_str(&format!("\n{compiling}\n"));
        }
        text
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let mut json = json!({ "schema": SCHEMA_VERSION, "events": self.events, "versions": self.versions });
        if let Some(run) = self.sampled() {
            json["cpu"] = json!(run.cpu());
            json["findings"] = json!(findings(run, &Time::of(run)));
        }
        if let Some(measured) = &self.measured {
            json["measured_gain"] = json!(measured);
        }
        json
    }
}

#[cfg(test)]
mod tests;

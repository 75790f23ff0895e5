//! `explain`: the events of a run as a report in source terms.
//!
//! In: [`Event`]s in order, the versions, and the source text. Out: one screen, the whole story, or what is about one thing of it, as text;
//! or all as JSON. The story has one chapter for each function on which the controller acted, in the order of first events; then the
//! functions that were considered only; then a table of all versions.
//! Invariant: everything in the report is in an event or a version; its length grows with the number of events, not
//! with that of the run.

mod loops;
mod measured;
mod overview;
mod sentence;
mod table;
mod target;
mod timeline;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::text::one_line;
use crate::adaptive::event::{Choice, SCHEMA_VERSION, What};
use crate::adaptive::{Clock, Controller, Event, Micros};
use crate::config::{Color, Style};
use holloway_lang::source::SourceMap;

pub use measured::MeasuredGain;
pub use table::{Left, VersionRow, by_kind};
pub use target::Target;

/// Source lines by file and number.
pub trait Lines {
    /// A line, if it exists.
    fn line(&self, file: &str, number: u32) -> Option<String>;
}

impl Lines for SourceMap {
    fn line(&self, file: &str, number: u32) -> Option<String> {
        // If a file was loaded several times, its current text.
        let (_, file) = self.files().filter(|(_, found)| found.name == file).last()?;
        (1..=file.line_count()).contains(&number).then(|| file.line_text(number).to_owned())
    }
}

/// Contents of the report.
pub struct Story<'a> {
    /// The events, in order.
    pub events: &'a [Event],
    /// The versions.
    pub versions: Vec<VersionRow>,
    /// The program's text.
    pub lines: &'a dyn Lines,
    /// Measure of times.
    pub clock: Clock,
    /// The end of what was observed.
    pub end: Micros,
    /// The gain of traces and splits, if it was measured.
    pub measured: Option<MeasuredGain>,
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
        }
    }

    /// The first screen.
    pub fn overview(&self, style: Style) -> String {
        overview::text(self, &self.telling(style))
    }

    /// The story of one thing, with the versions of its function; `None` if nothing was decided about it.
    pub fn why(&self, target: &Target, style: Style) -> Option<String> {
        let events: Vec<Event> = self.events.iter().filter(|event| target.is_of(event)).cloned().collect();
        let functions: Vec<&String> = events.iter().filter_map(|event| event.subject.function.as_ref()).collect();
        let mut versions = self.versions.clone();
        match target {
            Target::Version(version) => versions.retain(|row| row.version == *version),
            Target::Function(name) => versions.retain(|row| row.function == *name),
            Target::Place(..) => versions.retain(|row| functions.contains(&&row.function)),
        }
        if events.is_empty() && versions.is_empty() {
            return None;
        }
        Some(Story { events: &events, versions, ..*self }.text(style))
    }

    fn telling(&self, style: Style) -> Telling<'_> {
        Telling { lines: self.lines, style, clock: self.clock }
    }

    /// Sampled time in all versions of a function.
    fn time_in(&self, function: &str) -> f64 {
        self.versions.iter().filter(|row| row.function == function).fold(0.0, |sum, row| sum + row.time_us)
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
        text
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let mut json = json!({ "schema": SCHEMA_VERSION, "events": self.events, "versions": self.versions });
        if let Some(measured) = &self.measured {
            json["measured_gain"] = json!(measured);
        }
        json
    }

    /// The events of each function, in the order of the functions' first events.
    fn chapters(&self) -> Vec<Chapter<'a>> {
        let mut chapters: Vec<Chapter<'a>> = Vec::new();
        let mut numbers: BTreeMap<(&str, &str, u32), usize> = BTreeMap::new();
        for event in self.events {
            let subject = &event.subject;
            let Some(function) = &subject.function else { continue };
            let (file, line) = (subject.file.as_deref().unwrap_or_default(), subject.line.unwrap_or_default());
            let number = *numbers.entry((file, function, line)).or_insert_with(|| {
                chapters.push(Chapter { function, file, line, events: Vec::new() });
                chapters.len() - 1
            });
            chapters[number].events.push(event);
        }
        chapters
    }
}

/// A function and its events.
struct Chapter<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    events: Vec<&'a Event>,
}

impl Chapter<'_> {
    /// Returns whether any event is more than a consideration.
    fn acts(&self) -> bool {
        let only_thought =
            |event: &&Event| matches!(&event.what, What::Considered(considered) if considered.choice == Choice::Stay);
        !self.events.iter().all(only_thought)
    }
}

/// The report's text style.
struct Telling<'a> {
    lines: &'a dyn Lines,
    style: Style,
    clock: Clock,
}

impl Telling<'_> {
    /// Columns before what is told: the time.
    fn margin(&self) -> usize {
        match self.clock {
            Clock::Real => 12,
            Clock::Polls => 18,
        }
    }

    fn heading(&self, text: &str) -> String {
        match self.style.color {
            Color::Plain => format!("{text}\n"),
            Color::Ansi => format!("\u{1b}[1m{text}\u{1b}[0m\n"),
        }
    }

    fn chapter(&self, chapter: &Chapter<'_>) -> String {
        let place = format!("{} ({}:{})", chapter.function, chapter.file, chapter.line);
        let mut text = self.heading(&one_line(&place));
        let mut shown_loop = None;
        for event in &chapter.events {
            let Some(told) = sentence::tell(event, self.clock, &|line| self.source(chapter.file, line)) else {
                continue;
            };
            if let Some(line) = event.subject.loop_line.filter(|line| shown_loop != Some(*line)) {
                shown_loop = Some(line);
                let source = self.source(chapter.file, line);
                text.push_str(&format!("{:width$}loop at line {source}\n", "", width = self.margin()));
            }
            let time = self.clock.show(event.time.as_f64());
            let mut told = told.lines();
            let first = told.next().unwrap_or_default();
            text.push_str(&format!("{time:>width$}  {first}\n", width = self.margin() - 2));
            for line in told {
                text.push_str(format!("{:width$}{line}", "", width = self.margin()).trim_end());
                text.push('\n');
            }
        }
        text
    }

    /// A source line with its number, truncated to the width.
    fn source(&self, file: &str, line: u32) -> String {
        let found = self.lines.line(file, line).unwrap_or_default();
        let found = one_line(found.trim_end());
        let room = self.style.width.max(60) - self.margin() - 12;
        let cut = match found.char_indices().nth(room) {
            Some((at, _)) => format!("{}...", &found[..at]),
            None => found,
        };
        format!("{line:>4} | {cut}").trim_end().to_owned()
    }

    /// The functions that were considered only.
    fn left(&self, chapters: &[&Chapter<'_>]) -> String {
        if chapters.is_empty() {
            return String::new();
        }
        let mut text = self.heading("Considered and left as they are");
        for chapter in chapters {
            let last = chapter.events.last().expect("a chapter has events");
            if let What::Considered(considered) = &last.what {
                let ticks = sentence::count(considered.ticks, "tick");
                let line = format!("{} ({}:{}), {ticks}: ", chapter.function, chapter.file, chapter.line);
                text.push_str(&format!("  {}{}\n", one_line(&line), considered.reason));
            }
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests;

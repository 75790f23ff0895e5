//! The parts of a report: functions with their events, in order, and the way that events are told.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::collections::BTreeMap;

use super::measured::MeasuredGain;
use super::sentence;
use super::table::VersionRow;
use crate::report::style::{Color, Style};
use crate::report::text::{one_line, percent};
use crate::run::Run;
use holloway_aos::event::{Choice, What};
use holloway_aos::{Clock, Event, Micros};
use holloway_lang::source::SourceMap;

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

impl Lines for Run {
    fn line(&self, file: &str, number: u32) -> Option<String> {
        // Of files of one name the last one was loaded last.
        let source = self.sources.iter().rev().find(|source| source.file == file)?;
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        source.text.lines().nth(at).map(str::to_owned)
    }
}

/// Contents of the report.
pub struct Story<'a> {
    pub events: &'a [Event],
    pub versions: Vec<VersionRow>,
    pub lines: &'a dyn Lines,
    pub clock: Clock,
    /// The end of what was observed.
    pub end: Micros,
    /// The gain of traces, if it was measured.
    pub measured: Option<MeasuredGain>,
    pub run: Option<&'a Run>,
}

impl<'a> Story<'a> {
    /// The run, if it was recorded with samples.
    pub(super) fn sampled(&self) -> Option<&'a Run> {
        self.run.filter(|run| !run.samples.is_empty())
    }

    pub(super) fn telling(&self, style: Style) -> Telling<'_> {
        Telling { lines: self.lines, style, clock: self.clock }
    }

    pub(super) fn time_in(&self, chapter: &Chapter<'_>) -> f64 {
        self.versions.iter().filter(|row| chapter.has(row)).fold(0.0, |sum, row| sum + row.time_us)
    }

    /// The CPU time that all compilation took, as a sentence; `None` where it is not told, since two runs would not take the same.
    pub(super) fn compiling(&self) -> Option<String> {
        let end = self.events.iter().rev().find_map(|event| match &event.what {
            What::RunEnd(end) => Some(end),
            _ => None,
        })?;
        Some(format!(
            "All compilation, looking through profiles included, took {} of CPU time, {} of it of the program's thread: {} of the {} of all threads.",
            self.clock.brief(end.compiling.as_f64()),
            self.clock.brief(end.on_program_thread.as_f64()),
            percent(end.share),
            self.clock.brief(end.cpu.as_f64())
        ))
    }

    /// The events of each function, in the order of the functions' first events.
    pub(super) fn chapters(&self) -> Vec<Chapter<'a>> {
        let mut chapters: Vec<Chapter<'_>> = Vec::new();
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

pub(super) struct Chapter<'a> {
    pub(super) function: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) events: Vec<&'a Event>,
}

impl Chapter<'_> {
    pub(super) fn has(&self, row: &VersionRow) -> bool {
        (row.function.as_str(), row.file.as_str(), row.line) == (self.function, self.file, self.line)
    }

    /// Returns whether any event is more than a consideration.
    pub(super) fn acts(&self) -> bool {
        let only_thought =
            |event: &&Event| matches!(&event.what, What::Considered(considered) if considered.choice == Choice::Stay);
        !self.events.iter().all(only_thought)
    }
}

pub(super) struct Telling<'a> {
    lines: &'a dyn Lines,
    pub(super) style: Style,
    clock: Clock,
}

impl Telling<'_> {
    /// Columns before what is told: the time.
    pub(super) fn margin(&self) -> usize {
        match self.clock {
            Clock::Real => 12,
            Clock::Polls => 18,
        }
    }

    pub(super) fn heading(&self, text: &str) -> String {
        match self.style.color {
            Color::Plain => format!("{text}\n"),
            Color::Ansi => format!("\u{1b}[1m{text}\u{1b}[0m\n"),
        }
    }

    pub(super) fn chapter(&self, chapter: &Chapter<'_>) -> String {
        let place = format!("{} ({}:{})", chapter.function, chapter.file, chapter.line);
        let mut text = self.heading(&one_line(&place));
        let mut shown_loop = None;
        for event in &chapter.events {
            let file = event.subject.loop_file().unwrap_or(chapter.file);
            let Some(told) = sentence::tell(event, self.clock, &|line| self.source(file, line)) else {
                continue;
            };
            let inlined = event.subject.inlined_at();
            if let Some(line) = event.subject.loop_line.filter(|line| shown_loop != Some((*line, inlined.clone()))) {
                let of = inlined.as_ref().map(|inlined| format!(" of {inlined},")).unwrap_or_default();
                shown_loop = Some((line, inlined));
                let source = self.source(file, line);
                text.push_str(&format!("{:width$}loop{of} at line {source}\n", "", width = self.margin()));
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
    pub(super) fn source(&self, file: &str, line: u32) -> String {
        let found = self.lines.line(file, line).unwrap_or_default();
        let found = one_line(found.trim_end());
        let room = self.style.width.max(60) - self.margin() - 12;
        let cut = match found.char_indices().nth(room) {
            Some((at, _)) => format!("{}...", &found[..at]),
            None => found,
        };
        format!("{line:>4} | {cut}").trim_end().to_owned()
    }

    pub(super) fn left(&self, chapters: &[&Chapter<'_>]) -> String {
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

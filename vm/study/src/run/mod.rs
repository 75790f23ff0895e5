//! Recorded runs: what a run was like, kept once and looked at in many ways.
//!
//! In: a program that is about to run, or the file of one that ran. Out: a [`Run`], of which `explain`, `profile --scheme time`, `diff`
//! and `export` tell. `record` is what a run consists of; `file` writes and reads it; `recorder` watches a program; `places` leads from addresses
//! to the program; `time` sums samples up.
//! Invariant: a run that is being recorded and the same run read back are equal, but for what a killed process did not write.

mod file;
mod places;
pub mod record;
mod recorder;
mod time;

use crate::report::story::{Left, Lines, VersionRow};
use holloway_aos::event::What;
use holloway_aos::{Clock, Event, Micros};
use record::{Code, End, Frame, Function, Head, Record, Sample, Source, Stack, Version};

pub use file::{ReadError, RunFile, is_run, read};
pub use recorder::{Recorded, Recorder};
pub use time::{FunctionTime, LineTime, Spent, Time, VersionTime};

/// A run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// What ran, and how.
    pub head: Option<Head>,
    /// The program's files.
    pub sources: Vec<Source>,
    /// Functions that code was compiled of.
    pub functions: Vec<Function>,
    /// Versions, in the order in which they were placed.
    pub versions: Vec<Version>,
    /// Places that samples fell on.
    pub frames: Vec<Frame>,
    /// Stacks that samples fell on.
    pub stacks: Vec<Stack>,
    /// Samples, in order.
    pub samples: Vec<Sample>,
    /// Events, in order.
    pub events: Vec<Event>,
    /// What became of the versions that the adaptive system knew.
    pub figures: Vec<VersionRow>,
    /// The machine code of versions.
    pub code: Vec<Code>,
    /// The end; `None` if the run was killed.
    pub end: Option<End>,
}

impl Run {
    /// Takes what was observed next.
    pub fn add(&mut self, record: Record) {
        match record {
            Record::Run(head) => self.head = Some(head),
            Record::Source(source) => self.sources.push(source),
            Record::Function(function) => self.functions.push(function),
            Record::Version(version) => self.versions.push(version),
            Record::Frame(frame) => self.frames.push(frame),
            Record::Stack(stack) => self.stacks.push(stack),
            Record::Samples { samples } => self.samples.extend(samples),
            Record::Event { event } => self.events.push(event),
            Record::Figures(row) => self.figures.push(row),
            Record::Code(code) => self.code.push(code),
            Record::End(end) => self.end = Some(end),
        }
    }

    /// The measure of its times.
    pub fn clock(&self) -> Clock {
        self.head.as_ref().map_or(Clock::Real, |head| head.clock)
    }

    /// When the last event happened that is not the end of the run.
    pub fn last_event(&self) -> Micros {
        self.events.iter().map(|event| event.time).max().unwrap_or(Micros(0))
    }

    /// The version with a number.
    pub fn version(&self, id: u32) -> Option<(usize, &Version)> {
        self.versions.iter().enumerate().find(|(_, version)| version.id == id)
    }

    /// A run that was killed, with what can be told of its versions by what is known.
    fn completed(mut self) -> Run {
        if self.end.is_some() || !self.figures.is_empty() {
            return self;
        }
        let time = Time::of(&self);
        let row = |(index, version): (usize, &Version)| {
            let function = &self.functions[version.function as usize];
            let row = VersionRow::unknown(version, function, time.in_version(index as u32));
            VersionRow { compile_us: self.compile_time(version.id), left: self.left(version.id), ..row }
        };
        self.figures = self.versions.iter().enumerate().map(row).collect();
        self
    }

    /// How long a version took to compile, in microseconds, if that was decided.
    fn compile_time(&self, id: u32) -> Option<u64> {
        let compilation = self.events.iter().find_map(|event| match &event.what {
            What::Installed(installed) if event.subject.version == Some(id) => installed.compilation,
            _ => None,
        })?;
        self.events.iter().find_map(|event| match &event.what {
            What::CompileEnd(end) if end.compilation == compilation => Some(end.figures.micros.0),
            _ => None,
        })
    }

    /// What had become of a version.
    fn left(&self, id: u32) -> Left {
        let dropped = self.events.iter().rev().find_map(|event| match &event.what {
            What::Dropped(dropped) if event.subject.version == Some(id) => Some(dropped.reason),
            _ => None,
        });
        dropped.map_or(Left::InUse, Left::Dropped)
    }

    /// True iff what records refer to is there, as it is in every file that was written by this program.
    fn is_sound(&self) -> bool {
        let below = |at: u32, count: usize| (at as usize) < count;
        let (functions, versions) = (self.functions.len(), self.versions.len());
        self.head.is_some()
            && self.versions.iter().all(|version| below(version.function, functions))
            && self.frames.iter().all(|frame| below(frame.function, functions) && below(frame.version, versions))
            && self.stacks.iter().all(|stack| stack.frames.iter().all(|frame| below(*frame, self.frames.len())))
            && self.samples.iter().all(|sample| below(sample.stack, self.stacks.len()))
            && self.code.iter().all(|code| {
                let functions = code.instructions.iter().filter_map(|instruction| instruction.at);
                below(code.version, versions)
                    && functions.into_iter().all(|(function, _)| below(function, self.functions.len()))
            })
    }
}

impl Lines for Run {
    fn line(&self, file: &str, number: u32) -> Option<String> {
        let source = self.sources.iter().rev().find(|source| source.file == file)?;
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        source.text.lines().nth(at).map(str::to_owned)
    }
}

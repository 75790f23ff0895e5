//! Recorded runs: what a run was like, kept once and looked at in many ways.
//!
//! In: a program that is about to run, or the file of one that ran. Out: a [`Run`], of which `explain`, `profile --scheme time`, `diff`
//! and `export` tell. `record` is what a run consists of; `file` writes and reads it; `recorder` watches a program; `places` leads from addresses
//! to the program; `time` sums samples up; `sound` checks what was read; `code` makes text of machine code; `killed` completes what a killed process did not tell.
//! Invariant: a run that is being recorded and the same run read back are equal, but for what a killed process did not write.

mod code;
mod file;
mod killed;
mod places;
pub mod record;
mod recorder;
mod sound;
mod time;

use crate::report::story::VersionRow;
use crate::report::unique_names::function_names;
use holloway_aos::{Clock, Event, Micros};
use record::{Code, End, Frame, Function, Head, Inlining, MachineCode, Record, Sample, Source, Stack, Version};
use std::collections::HashMap;

pub use file::{ReadError, RunFile, is_run, read};
pub use recorder::{Recorded, Recorder};
pub use time::{FunctionTime, LineTime, Spent, Time, VersionTime};

/// A run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// The program, and the way it ran.
    pub head: Head,
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
    /// Figures of the versions that the adaptive system knew.
    pub figures: Vec<VersionRow>,
    /// Names of addresses that code refers to.
    pub addresses: Vec<(u64, String)>,
    /// The machine code of versions.
    pub machine_code: Vec<MachineCode>,
    /// The same as text, once it was made.
    pub code: Vec<Code>,
    /// Decisions about the calls in versions.
    pub inlining: Vec<Inlining>,
    /// The end; `None` if the run was killed.
    pub end: Option<End>,
}

impl Run {
    /// Takes what was observed next.
    pub fn add(&mut self, record: Record) {
        match record {
            Record::Run(head) => self.head = head,
            Record::Source(source) => self.sources.push(source),
            Record::Function(function) => self.functions.push(function),
            Record::Version(version) => self.versions.push(version),
            Record::Frame(frame) => self.frames.push(frame),
            Record::Stack(stack) => self.stacks.push(stack),
            Record::Samples { samples } => self.samples.extend(samples),
            Record::Event { event } => self.events.push(*event),
            Record::Figures(row) => self.figures.push(row),
            Record::Addresses { names } => self.addresses.extend(names),
            Record::Code(code) => self.machine_code.push(code),
            Record::Inlining(inlining) => self.inlining.push(inlining),
            Record::End(end) => self.end = Some(end),
        }
    }

    /// The time that all samples stand for, in microseconds.
    pub fn sampled(&self) -> f64 {
        self.samples.iter().map(|sample| sample.weight).sum()
    }

    /// CPU time of the program's thread, in microseconds: up to the last sample if the run was killed.
    pub fn cpu(&self) -> f64 {
        let sampled = self.samples.last().map_or(0.0, |sample| sample.at);
        self.end.as_ref().map_or(sampled, |end| end.cpu.max(sampled))
    }

    /// Functions by file, line and name, as events name them.
    pub fn functions_by_place(&self) -> HashMap<(&str, u32, &str), u32> {
        let places = (0..).zip(&self.functions);
        places.map(|(at, function)| ((function.file.as_str(), function.line, function.name.as_str()), at)).collect()
    }

    /// Names of the functions, told apart.
    pub fn function_names(&self) -> Vec<String> {
        let all: Vec<_> = self
            .functions
            .iter()
            .map(|function| (function.name.as_str(), function.file.as_str(), function.line))
            .collect();
        function_names(&all)
    }

    /// The end of all that is known of it, in the measure of its times.
    pub fn end_of_time(&self) -> f64 {
        let last = self.last_event().as_f64();
        match self.head.clock {
            Clock::Real => self.cpu().max(last),
            Clock::Polls => last,
        }
    }

    /// The time of the last event.
    pub fn last_event(&self) -> Micros {
        self.events.iter().map(|event| event.time).max().unwrap_or(Micros(0))
    }

    /// The version with a number.
    pub fn version(&self, id: u32) -> Option<(usize, &Version)> {
        self.versions.iter().enumerate().find(|(_, version)| version.id == id)
    }
}

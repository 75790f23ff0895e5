//! Recorded runs: what a run was like, kept once and looked at in many ways.
//!
//! In: a program that is about to run, or the file of one that ran. Out: a [`Run`], of which `explain`, `profile --scheme time`, `diff`
//! and `export` tell. `record` is what a run consists of; `file` writes and reads it; `recorder` watches a program; `places` leads from addresses
//! to the program; `time` sums samples up; `code` makes text of machine code; `killed` completes what a killed process did not tell.
//! Invariant: a run that is being recorded and the same run read back are equal, but for what a killed process did not write.

mod code;
mod file;
mod killed;
mod places;
pub mod record;
mod recorder;
mod time;

use crate::report::story::VersionRow;
use crate::report::unique_names::function_names;
use holloway_aos::{Event, Micros};
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
        self.cpu().max(self.last_event().as_f64())
    }

    /// The time of the last event.
    pub fn last_event(&self) -> Micros {
        self.events.iter().map(|event| event.time).max().unwrap_or(Micros(0))
    }

    /// The version with a number.
    pub fn version(&self, id: u32) -> Option<(usize, &Version)> {
        self.versions.iter().enumerate().find(|(_, version)| version.id == id)
    }

    /// True iff what records refer to is there, as it is in every file that was written by this program.
    fn is_sound(&self) -> bool {
        let below = |at: u32, count: usize| (at as usize) < count;
        let (functions, versions) = (self.functions.len(), self.versions.len());
        self.versions.iter().all(|version| below(version.function, functions))
            && self.frames.iter().all(|frame| below(frame.function, functions) && below(frame.version, versions))
            && self.stacks.iter().all(|stack| stack.frames.iter().all(|frame| below(*frame, self.frames.len())))
            && self.samples.iter().all(|sample| below(sample.stack, self.stacks.len()))
            && self.inlining.iter().all(|inlining| {
                let in_functions = |call: &record::Call| below(call.at.0, functions) && below(call.callee, functions);
                let within = |call: &record::Call| call.within.is_none_or(|call| below(call, inlining.calls.len()));
                below(inlining.version, versions)
                    && inlining.calls.iter().all(|call| in_functions(call) && within(call))
            })
            && self.machine_code.iter().all(|code| {
                let is_sound =
                    |(start, end, function, _): &(u32, u32, u32, u32)| start <= end && below(*function, functions);
                below(code.version, versions) && code.lines.iter().all(is_sound)
            })
    }
}

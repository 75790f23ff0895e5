//! A profile for `pprof`: a protocol buffer, compressed by gzip.
//!
//! In: a [`Run`]. Out: its stacks with count and CPU time of their samples; lines, and functions inlined at one place as one location; version, tier and
//! what the thread did as labels, for `-tagfocus` and `-tagroot`. Invariant: the first string is empty, and every index is one of a table.
//! The messages are those of `profile.proto` in the repository of pprof, as far as there is something to say in them.

use super::stacks::{Place, nanos, places, weights};
use crate::run::Run;
use crate::run::record::Doing;
use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use std::collections::HashMap;
use std::io::{self, Write};

#[derive(Clone, PartialEq, Message)]
pub(super) struct Profile {
    #[prost(message, repeated, tag = "1")]
    pub(super) sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    pub(super) sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    pub(super) location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    pub(super) function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    pub(super) string_table: Vec<String>,
    #[prost(int64, tag = "9")]
    pub(super) time_nanos: i64,
    #[prost(int64, tag = "10")]
    pub(super) duration_nanos: i64,
    #[prost(message, optional, tag = "11")]
    pub(super) period_type: Option<ValueType>,
    #[prost(int64, tag = "12")]
    pub(super) period: i64,
    #[prost(int64, repeated, tag = "13")]
    pub(super) comment: Vec<i64>,
    #[prost(int64, tag = "14")]
    pub(super) default_sample_type: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueType {
    #[prost(int64, tag = "1")]
    pub(super) kind: i64,
    #[prost(int64, tag = "2")]
    pub(super) unit: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Sample {
    /// Innermost first.
    #[prost(uint64, repeated, tag = "1")]
    pub(super) location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    pub(super) value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    pub(super) label: Vec<Label>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Label {
    #[prost(int64, tag = "1")]
    pub(super) key: i64,
    #[prost(int64, tag = "2")]
    pub(super) text: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Location {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    /// Innermost first; all but the last one are inlined into the next.
    #[prost(message, repeated, tag = "4")]
    pub(super) line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Line {
    #[prost(uint64, tag = "1")]
    pub(super) function_id: u64,
    #[prost(int64, tag = "2")]
    pub(super) line: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Function {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(int64, tag = "2")]
    pub(super) name: i64,
    #[prost(int64, tag = "3")]
    pub(super) system_name: i64,
    #[prost(int64, tag = "4")]
    pub(super) filename: i64,
    #[prost(int64, tag = "5")]
    pub(super) start_line: i64,
}

/// The profile of a run, compressed.
pub(super) fn bytes(run: &Run) -> io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(&profile(run).encode_to_vec())?;
    out.finish()
}

fn profile(run: &Run) -> Profile {
    let mut tables = Tables::default();
    tables.text("");
    let [samples, count, cpu, nanoseconds] = ["samples", "count", "cpu", "nanoseconds"].map(|text| tables.text(text));
    let cpu_type = ValueType { kind: cpu, unit: nanoseconds };
    let mut profile = Profile {
        sample_type: vec![ValueType { kind: samples, unit: count }, cpu_type.clone()],
        default_sample_type: cpu,
        period_type: Some(cpu_type),
        duration_nanos: nanos(run.cpu()) as i64,
        ..Profile::default()
    };
    let head = &run.head;
    profile.period = head.hz.map_or(0, |hz| 1_000_000_000 / i64::from(hz.max(1)));
    profile.time_nanos = i64::try_from(head.date).unwrap_or(0).saturating_mul(1_000_000_000);
    profile.comment.push(tables.text(&format!("holloway {}: {}", head.holloway, head.program)));
    for (stack, count, weight) in weights(run) {
        profile.sample.push(Sample {
            location_id: tables.locations(run, stack),
            value: vec![count as i64, weight as i64],
            label: tables.labels(run, stack),
        });
    }
    profile.location = tables.locations;
    profile.function = tables.functions;
    profile.string_table = tables.texts;
    profile
}

/// A profile under construction. Identifiers of locations and functions are one more than their index: zero stands for none.
#[derive(Default)]
struct Tables {
    texts: Vec<String>,
    known_texts: HashMap<String, i64>,
    locations: Vec<Location>,
    known_locations: HashMap<Vec<Place>, u64>,
    functions: Vec<Function>,
    known_functions: HashMap<(String, String, u32), u64>,
}

impl Tables {
    fn text(&mut self, text: &str) -> i64 {
        let texts = &mut self.texts;
        *self.known_texts.entry(text.to_owned()).or_insert_with(|| {
            texts.push(text.to_owned());
            texts.len() as i64 - 1
        })
    }

    /// The locations of a stack, innermost first.
    fn locations(&mut self, run: &Run, stack: u32) -> Vec<u64> {
        let mut places = places(run, stack);
        places.reverse();
        let is_inlined = |place: &Place| place.frame(run).is_some_and(|frame| frame.inlined);
        let mut locations = Vec::new();
        let mut rest = places.as_slice();
        while !rest.is_empty() {
            let inlined = rest.iter().take_while(|place| is_inlined(place)).count();
            let (together, behind) = rest.split_at((inlined + 1).min(rest.len()));
            locations.push(self.location(run, together));
            rest = behind;
        }
        locations
    }

    fn location(&mut self, run: &Run, together: &[Place]) -> u64 {
        if let Some(known) = self.known_locations.get(together) {
            return *known;
        }
        let lines = together.iter().map(|place| {
            let frame = place.frame(run);
            let function_id = match frame.map(|frame| &run.functions[frame.function as usize]) {
                Some(function) => self.function(&function.name, &function.file, function.line),
                None => self.function(place.words(), "", 0),
            };
            Line { function_id, line: frame.map_or(0, |frame| frame.line.into()) }
        });
        let line = lines.collect();
        let id = self.locations.len() as u64 + 1;
        self.locations.push(Location { id, line });
        self.known_locations.insert(together.to_vec(), id);
        id
    }

    fn function(&mut self, name: &str, file: &str, line: u32) -> u64 {
        let key = (name.to_owned(), file.to_owned(), line);
        if let Some(known) = self.known_functions.get(&key) {
            return *known;
        }
        let (text, filename) = (self.text(name), self.text(file));
        let id = self.functions.len() as u64 + 1;
        self.functions.push(Function { id, name: text, system_name: text, filename, start_line: line.into() });
        self.known_functions.insert(key, id);
        id
    }

    /// The version and the tier of the innermost code, and what the thread did.
    fn labels(&mut self, run: &Run, stack: u32) -> Vec<Label> {
        let stack = &run.stacks[stack as usize];
        let doing = match stack.doing {
            Doing::Code => "code",
            Doing::Runtime => "runtime",
            Doing::Outside => "outside",
        };
        let mut all = vec![("doing", doing)];
        if let Some(frame) = stack.frames.first() {
            let version = &run.versions[run.frames[*frame as usize].version as usize];
            all.extend([("tier", version.tier.as_str()), ("version", version.name.as_str())]);
        }
        all.into_iter().map(|(key, text)| Label { key: self.text(key), text: self.text(text) }).collect()
    }
}

//! The contents of the tables of a run.
//!
//! In: a [`Run`]. Out: [`Table`]s of text, with the type of each column behind its name where it is a number: `:i` an
//! integer, `:r` a real. Invariant: every row has as many cells as its table has columns; a cell of what is unknown is
//! empty.

use crate::export::decisions::word;
use crate::export::stacks::{Names, nanos, places};
use crate::run::record::{Doing, Function, Version};
use crate::run::{Run, Spent, Time};
use crc::{CRC_64_XZ, Crc};
use holloway_aos::event::{Kind, What, episodes};
use std::io;

/// Columns of every table.
const KEYS: &str = "run program_hash";

/// A table.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) of: CellType,
}

/// The types of the cells of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellType {
    Text,
    Integer,
    Real,
}

impl Column {
    fn parse(text: &'static str) -> Column {
        match text.split_once(':') {
            Some((name, "i")) => Column { name, of: CellType::Integer },
            Some((name, _)) => Column { name, of: CellType::Real },
            None => Column { name: text, of: CellType::Text },
        }
    }
}

/// All tables of a run.
pub(super) fn tables(run: &Run) -> io::Result<Vec<Table>> {
    let time = Time::of(run);
    let keys = [run_hash(run)?, program_hash(run)];
    let all = [
        ("runs", RUNS, runs(run, &time)),
        ("functions", FUNCTIONS, functions(run, &time)),
        ("versions", VERSIONS, versions(run, &time)),
        ("lines", LINES, lines(run, &time)),
        ("samples", SAMPLES, samples(run)),
        ("loops", LOOPS, loops(run)),
        ("events", EVENTS, events(run)?),
    ];
    let with_keys = |row: Vec<String>| keys.iter().cloned().chain(row).collect();
    let table = |(name, columns, rows): (_, &'static str, Vec<Vec<String>>)| Table {
        name,
        columns: KEYS.split(' ').chain(columns.split(' ')).map(Column::parse).collect(),
        rows: rows.into_iter().map(with_keys).collect(),
    };
    Ok(all.map(table).into())
}

fn hash(bytes: &[u8]) -> String {
    format!("{:016x}", Crc::<u64>::new(&CRC_64_XZ).checksum(bytes))
}

/// Tells runs apart: two that are alike in every sample are one.
fn run_hash(run: &Run) -> io::Result<String> {
    Ok(hash(&serde_json::to_vec(&(&run.head, &run.samples, &run.events, &run.end))?))
}

/// Tells programs apart by all of their text, wherever their files are.
fn program_hash(run: &Run) -> String {
    let mut text = Vec::new();
    for source in &run.sources {
        text.extend_from_slice(source.text.as_bytes());
        text.push(0);
    }
    hash(&text)
}

/// A time in microseconds, to the nanosecond.
fn micros(time: f64) -> String {
    (nanos(time) as f64 / 1e3).to_string()
}

fn known<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

const RUNS: &str = "program args holloway host date:i clock policy hz:i cpu_us:r sampled_us:r outside_us:r lost:i samples:i compiling_us:i status:i";

fn runs(run: &Run, time: &Time) -> Vec<Vec<String>> {
    let (head, end) = (&run.head, run.end.as_ref());
    let compiling = run.events.iter().find_map(|event| match &event.what {
        What::RunEnd(end) => Some(end.compiling.0),
        _ => None,
    });
    vec![vec![
        head.program.clone(),
        head.args.join(" "),
        head.holloway.clone(),
        head.host.clone(),
        head.date.to_string(),
        word(head.clock),
        head.policy.clone(),
        known(head.hz),
        known(end.map(|end| micros(end.cpu))),
        micros(time.total),
        micros(time.outside),
        known(end.map(|end| end.lost)),
        time.samples.to_string(),
        known(compiling),
        known(end.map(|end| end.status)),
    ]]
}

fn spent(spent: Spent) -> [String; 4] {
    [micros(spent.own), micros(spent.runtime), micros(spent.inclusive), spent.samples.to_string()]
}

fn function_cells(function: &Function) -> [String; 4] {
    [function.name.clone(), function.hash.to_string(), function.file.clone(), function.line.to_string()]
}

const FUNCTIONS: &str = "function function_hash file line:i last_line:i own_us:r runtime_us:r inclusive_us:r samples:i";

fn functions(run: &Run, time: &Time) -> Vec<Vec<String>> {
    let row = |(at, function): (usize, &Function)| {
        let found = time.functions.iter().find(|found| found.function as usize == at);
        let last = [function.last_line.to_string()];
        let spent = spent(found.map_or(Spent::default(), |found| found.spent));
        function_cells(function).into_iter().chain(last).chain(spent).collect()
    };
    run.functions.iter().enumerate().map(row).collect()
}

const VERSIONS: &str = "function function_hash file line:i version id:i tier entry_line:i bytes:i compile_us:r iterations:i failures:i left own_us:r runtime_us:r inclusive_us:r samples:i";

fn versions(run: &Run, time: &Time) -> Vec<Vec<String>> {
    let row = |(at, version): (usize, &Version)| {
        let found = time.versions.iter().find(|found| found.version as usize == at);
        let figures = run.figures.iter().find(|row| row.version == version.id);
        let cells = [
            version.name.clone(),
            version.id.to_string(),
            version.tier.clone(),
            known(version.entry_line),
            version.bytes.to_string(),
            known(figures.and_then(|row| row.compile_us)),
            known(figures.map(|row| row.iterations)),
            known(figures.map(|row| row.failures)),
            figures.map_or(String::new(), |row| word(row.left)),
        ];
        let spent = spent(found.map_or(Spent::default(), |found| found.spent));
        function_cells(&run.functions[version.function as usize]).into_iter().chain(cells).chain(spent).collect()
    };
    run.versions.iter().enumerate().map(row).collect()
}

const LINES: &str = "function function_hash file function_line:i line:i own_us:r runtime_us:r inclusive_us:r samples:i";

fn lines(run: &Run, time: &Time) -> Vec<Vec<String>> {
    let row = |found: &crate::run::LineTime| {
        let function = function_cells(&run.functions[found.function as usize]);
        function.into_iter().chain([found.line.to_string()]).chain(spent(found.spent)).collect()
    };
    time.lines.iter().map(row).collect()
}

const SAMPLES: &str = "at_us:r weight_us:r doing function function_hash line:i version tier stack";

fn samples(run: &Run) -> Vec<Vec<String>> {
    let names = Names::of(run);
    let stack = |at: usize| {
        let stack = &run.stacks[at];
        let doing = match stack.doing {
            Doing::Code => "code",
            Doing::Runtime => "runtime",
            Doing::Outside => "outside",
        };
        let innermost = stack.frames.first().map(|frame| run.frames[*frame as usize]);
        let function = innermost.map(|frame| &run.functions[frame.function as usize]);
        let version = innermost.map(|frame| &run.versions[frame.version as usize]);
        let places: Vec<String> = places(run, at as u32).into_iter().map(|place| names.place(run, place)).collect();
        vec![
            doing.to_owned(),
            known(function.map(|function| &function.name)),
            known(function.map(|function| function.hash)),
            known(innermost.map(|frame| frame.line)),
            known(version.map(|version| &version.name)),
            known(version.map(|version| &version.tier)),
            places.join(";"),
        ]
    };
    let stacks: Vec<Vec<String>> = (0..run.stacks.len()).map(stack).collect();
    let row = |sample: &crate::run::record::Sample| {
        let own = [micros(sample.at), micros(sample.weight)];
        own.into_iter().chain(stacks[sample.stack as usize].iter().cloned()).collect()
    };
    run.samples.iter().map(row).collect()
}

const LOOPS: &str = "function function_hash file loop_line:i profile:i began_us:i iterations:i k:i period:i coverage:r paths lines declined estimated_gain:r expected_gain:r measured_gain:r failing:r dropped";

/// The findings in each loop that was profiled, and what became of it.
fn loops(run: &Run) -> Vec<Vec<String>> {
    let joined = |words: Vec<String>| words.join(" ");
    let rows = episodes(&run.events).into_iter().map(|(subject, episode)| {
        let name = subject.function.clone().unwrap_or_default();
        let function = run.functions.iter().find(|function| {
            function.name == name
                && Some(function.line) == subject.line
                && Some(&function.file) == subject.file.as_ref()
        });
        let found = episode.found.as_ref();
        let gain = episode.gain.as_ref();
        let lines = found.map(|found| joined(found.lines.iter().map(u32::to_string).collect()));
        vec![
            name,
            known(function.map(|function| function.hash)),
            subject.loop_file().unwrap_or_default().to_owned(),
            episode.loop_line.to_string(),
            episode.profile.to_string(),
            episode.began.0.to_string(),
            known(found.map(|found| found.iterations)),
            known(found.and_then(|found| found.k)),
            known(found.and_then(|found| found.period)),
            known(found.and_then(|found| found.coverage)),
            known(found.map(|found| joined(found.ids.clone()))),
            known(lines),
            known(episode.declined.as_ref()),
            known(episode.formed.as_ref().map(|formed| formed.estimated_gain)),
            known(gain.and_then(|gain| gain.estimated)),
            known(gain.and_then(|gain| gain.measured)),
            known(episode.failing),
            known(episode.dropped.as_ref().map(|dropped| word(dropped.reason))),
        ]
    });
    rows.collect()
}

const EVENTS: &str =
    "number:i at_us:i thread event function file line:i loop_line:i version:i tier from_phase to_phase reason details";

fn events(run: &Run) -> io::Result<Vec<Vec<String>>> {
    let row = |(number, event): (usize, &holloway_aos::Event)| {
        let json = serde_json::to_value(event)?;
        let subject = &event.subject;
        let phases = match &event.what {
            What::Transition(transition) => [word(transition.from), word(transition.to)],
            _ => [String::new(), String::new()],
        };
        let [from, to] = phases;
        let reason = [&json["reason"], &json["why"]].into_iter().find(|reason| reason.is_string());
        Ok(vec![
            number.to_string(),
            event.time.0.to_string(),
            word(event.thread),
            word(&json["event"]),
            known(subject.function.as_ref()),
            known(subject.file.as_ref()),
            known(subject.line),
            known(subject.loop_line),
            known(subject.version),
            known(subject.tier.map(Kind::name)),
            from,
            to,
            reason.map_or(String::new(), word),
            json.to_string(),
        ])
    };
    run.events.iter().enumerate().map(row).collect()
}

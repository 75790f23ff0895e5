//! The time profile as text and as JSON: where a run's CPU time went, by function, line and version.
//!
//! In: a run with samples. Out: tables, what took most of its own time first. Invariant: shares are of all samples, and own shares of a
//! table that is shown whole add up to what is said to be in the program's code.

use super::columns::Table;
use super::fit::cut_to;
use super::style::Style;
use super::text::{grouped, one_line, percent};
use crate::run::record::Function;
use crate::run::{Run, Spent, Time};
use serde_json::{Value, json};
use std::num::NonZeroUsize;

/// The tables, each of so many rows at most.
pub fn text(run: &Run, top: Option<NonZeroUsize>, style: Style) -> String {
    let time = Time::of(run);
    if time.samples == 0 {
        let why = match run.end {
            Some(_) => "the program ended before the first was due",
            None => "the run was killed before any was written",
        };
        return format!("no samples: {why}\n");
    }
    let shown = Shown { run, time: &time, names: run.function_names(), top, style };
    let mut text = shown.functions();
    text.push('\n');
    text.push_str(&shown.lines());
    text.push('\n');
    text.push_str(&shown.versions());
    text.push('\n');
    text.push_str(&summary(run, &time));
    text
}

/// The whole that the shares are of.
fn summary(run: &Run, time: &Time) -> String {
    let runtime: f64 = time.functions.iter().map(|found| found.spent.runtime).sum();
    let part = |micros: f64| percent(micros / time.total);
    let mut text = format!(
        "{:.2} ms of CPU time in {} samples: {} in compiled code, {} in the runtime for it, {} outside\n",
        time.total / 1e3,
        grouped(time.samples as usize),
        part(time.total - runtime - time.outside),
        part(runtime),
        part(time.outside)
    );
    match &run.end {
        Some(end) if end.lost > 0 => {
            let lost = grouped(end.lost as usize);
            text.push_str(&format!("{lost} samples had no room; the next ones stand for their time\n"));
        }
        Some(_) => {}
        None => text.push_str("the run was killed: what it did last is missing\n"),
    }
    text
}

struct Shown<'a> {
    run: &'a Run,
    time: &'a Time,
    names: Vec<String>,
    top: Option<NonZeroUsize>,
    style: Style,
}

impl Shown<'_> {
    fn most(&self, count: usize) -> usize {
        self.top.map_or(count, |top| top.get().min(count))
    }

    fn part(&self, micros: f64) -> String {
        percent(micros / self.time.total)
    }

    fn shares(&self, spent: &Spent) -> [String; 3] {
        [spent.own, spent.inclusive, spent.runtime].map(|micros| self.part(micros))
    }

    fn left_out(&self, all: usize) -> String {
        let left = all - self.most(all);
        if left == 0 { String::new() } else { format!("and {left} more; --top 0 shows all\n") }
    }

    fn functions(&self) -> String {
        let mut table = Table::new(["function", "own", "with calls", "in runtime", "place"]).with_text_in(4);
        let all = &self.time.functions;
        for found in &all[..self.most(all.len())] {
            let function = &self.run.functions[found.function as usize];
            let [own, inclusive, runtime] = self.shares(&found.spent);
            let name = cut_to(&self.names[found.function as usize], super::settings::MOST_NAME);
            table.row([name, own, inclusive, runtime, place(function, function.line)]);
        }
        table.render() + &self.left_out(all.len())
    }

    fn lines(&self) -> String {
        let all = &self.time.lines;
        let shown = &all[..self.most(all.len())];
        let places: Vec<String> =
            shown.iter().map(|found| place(&self.run.functions[found.function as usize], found.line)).collect();
        let wide = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).max(4);
        // Three shares of eight columns, and the gaps.
        let room = self.style.width.saturating_sub(wide + 38).max(20);
        let mut table = Table::new(["line", "own", "with calls", "in runtime", "source"]).with_text_in(4);
        for (found, place) in shown.iter().zip(places) {
            let function = &self.run.functions[found.function as usize];
            let source = crate::report::story::Lines::line(self.run, &function.file, found.line).unwrap_or_default();
            let [own, inclusive, runtime] = self.shares(&found.spent);
            table.row([place, own, inclusive, runtime, cut_to(one_line(source.trim()).as_str(), room)]);
        }
        table.render() + &self.left_out(all.len())
    }

    fn versions(&self) -> String {
        let all = &self.time.versions;
        let mut table = Table::new(["version", "own", "in runtime", "bytes", "code"]).with_text_in(4);
        for found in &all[..self.most(all.len())] {
            let version = &self.run.versions[found.version as usize];
            let [own, _, runtime] = self.shares(&found.spent);
            let entered = version.entry_line.map_or(String::new(), |line| format!(", entered at line {line}"));
            let code = format!("{}{entered}", version.tier);
            table.row([cut_to(&one_line(&version.name), 40), own, runtime, grouped(version.bytes as usize), code]);
        }
        table.render() + &self.left_out(all.len())
    }
}

fn place(function: &Function, line: u32) -> String {
    format!("{}:{line}", one_line(&function.file))
}

/// The profile as JSON: all rows or the first ones of each table. Times are microseconds of CPU time.
pub fn json(run: &Run, program: &str, top: Option<NonZeroUsize>) -> String {
    let time = Time::of(run);
    let most = |count: usize| top.map_or(count, |top| top.get().min(count));
    let function = |at: u32| {
        let found = &run.functions[at as usize];
        json!({ "function": found.name, "file": found.file, "line": found.line })
    };
    let with = |mut row: Value, fields: Value, spent: &Spent| {
        let Value::Object(row_fields) = &mut row else { unreachable!("rows are objects") };
        if let (Value::Object(fields), Value::Object(spent)) = (fields, json!(spent)) {
            row_fields.extend(fields);
            row_fields.extend(spent);
        }
        row
    };
    let functions: Vec<Value> = time.functions[..most(time.functions.len())]
        .iter()
        .map(|found| with(function(found.function), json!({}), &found.spent))
        .collect();
    let lines: Vec<Value> = time.lines[..most(time.lines.len())]
        .iter()
        .map(|found| with(function(found.function), json!({ "line": found.line }), &found.spent))
        .collect();
    let versions: Vec<Value> = time.versions[..most(time.versions.len())]
        .iter()
        .map(|found| {
            let version = &run.versions[found.version as usize];
            let fields = json!({ "version": version.id, "name": version.name, "tier": version.tier, "entry_line": version.entry_line });
            with(function(version.function), fields, &found.spent)
        })
        .collect();
    let object = json!({
        "scheme": "time", "program": program, "hz": run.head.hz,
        "cpu": run.end.as_ref().map(|end| end.cpu), "total": time.total, "samples": time.samples, "outside": time.outside,
        "functions": functions, "lines": lines, "versions": versions,
    });
    format!("{object}\n")
}

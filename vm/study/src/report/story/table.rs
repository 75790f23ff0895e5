//! Table of the versions of a run, one a line, in the order of installation.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use serde::{Deserialize, Serialize};

use holloway_aos::event::Kind;
use holloway_aos::version::{VersionRecord, VersionState};
use holloway_aos::{Clock, FunctionInfo};

/// One version of one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VersionRow {
    pub version: u32,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub tier: Kind,
    /// Line of the loop at which it is entered (OSR entry); `None` if it is entered by calls.
    pub entry_line: Option<u32>,
    /// Compile time in microseconds; unknown for the first version.
    pub compile_us: Option<u64>,
    pub code_bytes: Option<u64>,
    pub ticks: u64,
    pub time_us: f64,
    pub iterations: u64,
    pub failures: u64,
    pub left: VersionState,
}

impl VersionRow {
    pub fn of(info: &FunctionInfo, record: &VersionRecord) -> Self {
        let compiled = record.compilation.is_some();
        Self {
            version: record.id.0,
            function: info.name.clone(),
            file: info.file.clone(),
            line: info.line,
            tier: record.kind,
            entry_line: info.loop_line(record.entry.header()),
            compile_us: compiled.then_some(record.compile.0),
            code_bytes: compiled.then_some(record.code_bytes),
            ticks: record.ticks,
            time_us: record.time,
            iterations: record.iterations,
            failures: record.failures,
            left: record.state,
        }
    }
}

pub(super) fn render(rows: &[VersionRow], clock: Clock) -> String {
    let mut rows: Vec<&VersionRow> = rows.iter().collect();
    rows.sort_by_key(|row| row.version);
    let width = rows.iter().map(|row| row.function.chars().count()).max().unwrap_or(0).clamp(8, 24);
    let mut text = format!(
        "{:>7}  {:<width$}  {:<11}  {:<8}  {:>10}  {:>7}  {:>14}  state\n",
        "version", "function", "tier", "entered", "compiled", "bytes", "time in it"
    );
    for row in &rows {
        let entry = row.entry_line.map_or("by calls".to_owned(), |line| format!("line {line}"));
        let compile = row.compile_us.map_or(String::new(), |micros| format!("{:.2} ms", micros as f64 / 1e3));
        let bytes = row.code_bytes.map_or(String::new(), |bytes| bytes.to_string());
        let name: String = row.function.chars().take(width).collect();
        text.push_str(&format!(
            "{:>7}  {name:<width$}  {:<11}  {entry:<8}  {compile:>10}  {bytes:>7}  {:>14}  {}\n",
            row.version,
            row.tier.name(),
            clock.show(row.time_us),
            row.left.words()
        ));
    }
    text.push_str(&format!("\nTime by kind of code: {}\n", by_kind(&rows)));
    text
}

/// Sampled time in each kind of code.
pub fn by_kind(rows: &[&VersionRow]) -> String {
    let all: f64 = rows.iter().map(|row| row.time_us).sum();
    let share = |kind: Kind| {
        // The sum of no items would be -0.
        let own = rows.iter().filter(|row| row.tier == kind).fold(0.0, |sum, row| sum + row.time_us);
        format!("{} {:.1}%", kind.name(), if all > 0.0 { own / all * 100.0 } else { 0.0 })
    };
    [Kind::Baseline, Kind::Optimized, Kind::Profiled, Kind::Specialized].map(share).join(", ")
}

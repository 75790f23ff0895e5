//! `:tiers`: the versions of functions, past and present, one a line.
//!
//! In: the installed code and the controller's records. Out: a table, the function with the most time first, its
//! versions in order of installation. Invariant: every function with code is in it, sampled or not. Top-level
//! statements without a tick are left out, since each input of a session has some.

use crate::report::settings::MOST_NAME;
use std::fmt::Write as _;

use holloway_jit::{Entry, Tier, Version};
use holloway_lang::ir::{FuncRef, FunctionKind};

use super::story::{VersionRow, by_kind};
use super::text::{grouped, one_line};
use holloway::Engine;
use holloway_aos::Controller;
use holloway_aos::event::{DropReason, Kind};
use holloway_aos::version::{VersionRecord, VersionState};
use holloway_machine::Machine;

/// A function with its versions.
struct Versions {
    name: String,
    rows: Vec<VersionRow>,
}

impl Versions {
    fn time(&self) -> f64 {
        self.rows.iter().map(|row| row.time_us).sum()
    }
}

/// The table; empty if nothing was executed.
pub fn text(engine: &Engine, machine: &Machine, controller: Option<&Controller>) -> String {
    let functions = engine.module().funcs.keys().map(|func| versions(engine, machine, controller, func));
    let mut functions: Vec<Versions> = functions.filter(|found| !found.rows.is_empty()).collect();
    if functions.is_empty() {
        return String::new();
    }
    functions.sort_by(|a, b| b.time().total_cmp(&a.time()).then_with(|| a.name.cmp(&b.name)));
    let width = functions.iter().map(|found| found.name.chars().count()).max().unwrap_or(0).clamp(8, MOST_NAME);
    let mut out = format!(
        "{:<width$}  {:>7}  {:<11}  {:<9}  {:>7}  {:>6}  {:>10}  {:>9}  now\n",
        "function", "version", "tier", "entered", "ticks", "time", "compiled", "bytes"
    );
    let all: f64 = functions.iter().map(Versions::time).sum();
    for found in &functions {
        for (at, row) in found.rows.iter().enumerate() {
            let name = if at == 0 { found.name.as_str() } else { "" };
            line(&mut out, name, width, row, all);
        }
    }
    if all > 0.0 {
        let rows: Vec<&VersionRow> = functions.iter().flat_map(|found| &found.rows).collect();
        writeln!(out, "\n{} in code that was sampled: {}", ms(all), by_kind(&rows)).expect("strings take all text");
    }
    out
}

fn line(out: &mut String, name: &str, width: usize, row: &VersionRow, all: f64) {
    let name: String = name.chars().take(width).collect();
    let entry = row.entry_line.map_or("by calls".to_owned(), |line| format!("line {line}"));
    let (ticks, share) = match row.ticks {
        0 => Default::default(),
        ticks => (grouped(ticks as usize), format!("{:.1}%", 100.0 * row.time_us / all)),
    };
    let compiled = row.compile_us.map_or(String::new(), |micros| ms(micros as f64));
    let bytes = row.code_bytes.map_or(String::new(), |bytes| grouped(bytes as usize));
    writeln!(
        out,
        "{name:<width$}  {:>7}  {:<11}  {entry:<9}  {ticks:>7}  {share:>6}  {compiled:>10}  {bytes:>9}  {}",
        row.version,
        row.tier.name(),
        row.left.words()
    )
    .expect("strings take all text");
}

fn ms(micros: f64) -> String {
    format!("{:.2} ms", micros / 1e3)
}

fn versions(engine: &Engine, machine: &Machine, controller: Option<&Controller>, func: FuncRef) -> Versions {
    let in_use: Vec<&Version> =
        machine.code.version(func).into_iter().chain(machine.code.continuations(func)).map(AsRef::as_ref).collect();
    let records = controller.into_iter().flat_map(Controller::records).filter(|(of, ..)| *of == func);
    let mut rows: Vec<VersionRow> = records
        .map(|(_, info, record)| {
            let code = in_use.iter().find(|version| version.id == record.id);
            sampled(VersionRow::of(info, record), record, code.copied())
        })
        .collect();
    let is_known = |rows: &[VersionRow], version: &Version| rows.iter().any(|row| row.version == version.id.0);
    for version in in_use {
        if engine.module().function(func).kind != FunctionKind::TopLevel && !is_known(&rows, version) {
            rows.push(unsampled(engine, func, version));
        }
    }
    rows.sort_by_key(|row| row.version);
    Versions { name: name(engine, func), rows }
}

/// The row of a version with ticks.
fn sampled(row: VersionRow, record: &VersionRecord, code: Option<&Version>) -> VersionRow {
    match code {
        Some(version) => VersionRow { code_bytes: row.code_bytes.or(Some(version.range.len as u64)), ..row },
        // The controller learns of a new body at its first tick.
        None if record.is_live() => VersionRow { left: VersionState::Dropped(DropReason::Redefined), ..row },
        None => row,
    }
}

/// The row of a version without ticks.
fn unsampled(engine: &Engine, func: FuncRef, version: &Version) -> VersionRow {
    let body = engine.module().function(func);
    VersionRow {
        version: version.id.0,
        function: body.name.clone(),
        file: engine.sources().file(body.span.file).name.clone(),
        line: engine.sources().line_col(body.span).0,
        tier: match version.tier {
            Tier::Baseline => Kind::Baseline,
            Tier::Optimized => Kind::Optimized,
        },
        entry_line: match version.entry {
            Entry::Call => None,
            Entry::Header(header) => Some(engine.sources().line_col(body.blocks[header].span()).0),
        },
        compile_us: None,
        code_bytes: Some(version.range.len as u64),
        ticks: 0,
        time_us: 0.0,
        iterations: 0,
        failures: 0,
        left: VersionState::Live,
    }
}

/// The function's name; for top-level statements their file; a replaced function is marked `(before)`.
fn name(engine: &Engine, func: FuncRef) -> String {
    let body = engine.module().function(func);
    match body.kind {
        FunctionKind::TopLevel => format!("statements, {}", one_line(&engine.sources().file(body.span.file).name)),
        FunctionKind::Declared if engine.function_named(&body.name) != Some(func) => format!("{} (before)", body.name),
        FunctionKind::Declared | FunctionKind::Provided => body.name.clone(),
    }
}

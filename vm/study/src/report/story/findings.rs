//! Possible gains: the parts of a run's CPU time that somebody could do something about, largest first. Invariant: each
//! is sampled time, times what measurements of other runs say of that kind of code: an upper bound, and called so.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use super::table::VersionRow;
use crate::report::text::{one_line, percent};
use crate::run::{Run, Time};
use holloway_aos::event::{DropReason, Kind, What};
use holloway_aos::version::VersionState;
use holloway_aos::{Calibration, Clock};
use serde::Serialize;

/// The least part of a run's time that is worth a line.
const LEAST: f64 = 0.01;

/// Something that time could be gained by.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// CPU time that could be gained at most, in microseconds.
    pub micros: f64,
    pub what: String,
    /// The options of `explain`, or the command, that show more.
    pub look: String,
}

/// The findings of a run, the largest first; none where no time is known.
pub fn findings(run: &Run, time: &Time) -> Vec<Finding> {
    if time.samples == 0 {
        return Vec::new();
    }
    let clock = run.head.clock;
    let mut found: Vec<Finding> = in_baseline(run, clock)
        .chain(in_runtime(run, time))
        .chain(in_profiles(run, clock))
        .chain(in_vain(run, clock))
        .chain(failing(run, clock))
        .chain(compiling(run, clock))
        .collect();
    found.retain(|finding| finding.micros >= LEAST * time.total);
    found.sort_by(|a, b| b.micros.total_cmp(&a.micros));
    found
}

/// Functions that ran in baseline code for long.
fn in_baseline(run: &Run, clock: Clock) -> impl Iterator<Item = Finding> {
    let faster = 1.0 - 1.0 / Calibration::embedded().optimized.speed;
    let rows = run.figures.iter().filter(|row| row.tier == Kind::Baseline);
    rows.map(move |row| {
        let name = one_line(&row.function);
        let what = match row.left {
            VersionState::Live => format!("{name} ran in baseline code for {}", clock.brief(row.time_us)),
            _ => {
                format!("{name} ran in baseline code for {} before optimized code took over", clock.brief(row.time_us))
            }
        };
        Finding { micros: row.time_us * faster, what, look: why(row) }
    })
}

fn why(row: &VersionRow) -> String {
    format!("--why {}:{}", one_line(&row.file), row.line)
}

/// Lines that the runtime worked for.
fn in_runtime(run: &Run, time: &Time) -> impl Iterator<Item = Finding> {
    time.lines.iter().map(|line| {
        let function = &run.functions[line.function as usize];
        let place = format!("{}:{}", one_line(&function.file), line.line);
        let part = percent(line.spent.runtime / time.total);
        let what = format!(
            "{place} spends {part} of all time in the runtime: allocation, collection, strings, builtins, or the adaptive \
             system itself"
        );
        Finding { micros: line.spent.runtime, what, look: "profile RUN.hwrun --scheme time".to_owned() }
    })
}

fn in_profiles(run: &Run, clock: Clock) -> Option<Finding> {
    let calibration = Calibration::embedded();
    let slower = 1.0 - calibration.profiled.speed / calibration.optimized.speed;
    let rows: Vec<&VersionRow> = run.figures.iter().filter(|row| row.tier == Kind::Profiled).collect();
    let time: f64 = rows.iter().map(|row| row.time_us).sum();
    let what = format!("profiles ran for {} in {} versions", clock.brief(time), rows.len());
    (time > 0.0).then(|| Finding { micros: time * slower, what, look: "--story".to_owned() })
}

/// Versions that were measured to cost time while they were in use.
fn in_vain(run: &Run, clock: Clock) -> impl Iterator<Item = Finding> {
    let gains = run.events.iter().filter_map(|event| match &event.what {
        What::Gain(gain) => Some((event.subject.version?, gain.measured?)),
        _ => None,
    });
    gains.filter(|(_, gain)| *gain < 0.0).filter_map(move |(version, gain)| {
        let row = run.figures.iter().find(|row| row.version == version)?;
        let what = format!(
            "{} ran for {} in a version that costs {}",
            one_line(&row.function),
            clock.brief(row.time_us),
            percent(-gain)
        );
        Some(Finding { micros: row.time_us * -gain, what, look: format!("--why {version}") })
    })
}

fn failing(run: &Run, clock: Clock) -> impl Iterator<Item = Finding> {
    let rows = run
        .figures
        .iter()
        .filter(|row| row.left == VersionState::Dropped(DropReason::GuardsFail) && row.iterations > 0);
    rows.map(move |row| {
        let part = row.failures as f64 / row.iterations as f64;
        let what = format!(
            "{} ran for {} in a version of which {} of the iterations failed a guard",
            one_line(&row.function),
            clock.brief(row.time_us),
            percent(part)
        );
        Finding { micros: row.time_us * part, what, look: format!("--why {}", row.version) }
    })
}

/// Compilation that the program waited for.
fn compiling(run: &Run, clock: Clock) -> Option<Finding> {
    let end = run.events.iter().rev().find_map(|event| match &event.what {
        What::RunEnd(end) => Some(end),
        _ => None,
    })?;
    let micros = end.on_program_thread.as_f64();
    let what = format!("compilation took {} of the program's thread", clock.brief(micros));
    Some(Finding { micros, what, look: "bench --compile".to_owned() })
}

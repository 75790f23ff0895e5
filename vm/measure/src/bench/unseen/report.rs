//! The programs of a folder as tables for people.
//!
//! In: [`Unseen`]. Out: text. A contestant with a fault is shown as `FAILED`; [`Unseen::faults`] describes it.

use std::time::Duration;

use super::super::contender::C_FLAGS;
use super::super::gains::versions;
use super::super::statistics::Interval;
use super::contestant::{Comparison, Contestant};
use super::results::{Measured, SizeOrigin, Summary, Unseen};
use crate::settings::TOLD_GAIN;
use holloway_study::report::columns::{NOTHING, Table};
use holloway_study::report::text::{one_line, plural};

const FAILED: &str = "FAILED";

/// The ratios, the gains of versions, and what was left out.
pub fn text(unseen: &Unseen) -> String {
    let (interval, is_shown) = interval_said(unseen);
    format!(
        "CPU time of all threads of whole processes, least of {} in turn, as ratios{interval}\n\
         gcc: {} {}; without: --tier auto --without traces\n\n{}{}\n{}\n{}{}",
        plural(unseen.rounds.get() as usize, "run"),
        unseen.compiler,
        C_FLAGS.join(" "),
        ratios(unseen, is_shown),
        if is_shown { MEANING } else { "" },
        gaining(unseen),
        versions(&unseen.gains()),
        notes(unseen)
    )
}

/// The meaning of the two intervals of a mean.
const MEANING: &str =
    "by rounds: of the mean of these programs; by programs: of the mean of all programs like these (95%)\n";

/// The sentence about the intervals in the table; and whether there are any.
fn interval_said(unseen: &Unseen) -> (String, bool) {
    let of = |measured: &Measured| Comparison::ALL.into_iter().find_map(|comparison| measured.interval(comparison));
    match unseen.programs.iter().find_map(of).map(|interval| interval.confidence) {
        None => (String::new(), false),
        Some(confidence) => {
            let percent = confidence * 100.0;
            (format!("; in brackets: the interval of the median of the runs' ratios (confidence {percent:.0}%)"), true)
        }
    }
}

fn ratios(unseen: &Unseen, has_intervals: bool) -> String {
    let head = ["program".to_owned(), "size".to_owned(), Contestant::C.name().to_owned()];
    let mut table = Table::new(head.into_iter().chain(Comparison::ALL.map(Comparison::name)));
    for measured in &unseen.programs {
        let time = measured.series(Contestant::C).map(|series| seconds(series.least_cpu()));
        let first = [measured.name.clone(), measured.size.to_string(), time.unwrap_or(FAILED.to_owned())];
        table.row(first.into_iter().chain(Comparison::ALL.map(|comparison| cell(measured, comparison))));
    }
    table.rule();
    let summaries = Comparison::ALL.map(|comparison| unseen.summary(comparison));
    let row = |name: &str, cells: [String; 4]| {
        [name.to_owned(), String::new(), String::new()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    let nothing = || NOTHING.to_owned();
    let of = |cell: &dyn Fn(&Summary) -> String| {
        summaries.each_ref().map(|summary| summary.as_ref().map_or_else(nothing, cell))
    };
    let interval = |interval: Option<Interval>| interval.map_or_else(nothing, bounds);
    table.row(row("geometric mean", of(&|summary| format!("{:.3}", summary.mean))));
    if has_intervals {
        table.row(row("  by rounds", of(&|summary| interval(summary.by_rounds))));
        table.row(row("  by programs", of(&|summary| interval(summary.by_programs))));
    }
    table.row(row("worst", of(&|summary| format!("{:.3}", summary.worst.1))));
    table.row(row("  of", of(&|summary| summary.worst.0.clone())));
    table.render()
}

/// The ratio with its interval.
fn cell(measured: &Measured, comparison: Comparison) -> String {
    let (one, other) = comparison.sides();
    if measured.series(one).is_none() || measured.series(other).is_none() {
        return FAILED.to_owned();
    }
    let Some(ratio) = measured.ratio(comparison) else { return NOTHING.to_owned() };
    match measured.interval(comparison) {
        Some(interval) => format!("{ratio:.3} {}", bounds(interval)),
        None => format!("{ratio:.3}"),
    }
}

fn bounds(interval: Interval) -> String {
    format!("({:.2}-{:.2})", interval.from, interval.to)
}

/// The sentence about the programs that gain.
fn gaining(unseen: &Unseen) -> String {
    let compared = unseen.programs.iter().filter(|measured| measured.saved().is_some()).count();
    let names = unseen.gaining();
    let listed = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!(
        "Programs of which path-driven versions save {:.0}% or more (auto/without): {} of {compared}{listed}\n",
        TOLD_GAIN * 100.0,
        names.len()
    )
}

/// Sizes that were found, and programs that were left out.
fn notes(unseen: &Unseen) -> String {
    let found = unseen.programs.iter().filter_map(|measured| match measured.from {
        SizeOrigin::Found(took) => Some(format!("{} {} ({})", measured.name, measured.size, seconds(took))),
        SizeOrigin::Given | SizeOrigin::Expected => None,
    });
    let found: Vec<String> = found.collect();
    let skipped: Vec<String> =
        unseen.skipped.iter().map(|skipped| format!("  {}: {}", skipped.name, one_line(&skipped.why))).collect();
    let mut notes = String::new();
    if !found.is_empty() {
        notes.push_str(&format!("\nSizes that were found by doubling, with the time of C: {}\n", found.join(", ")));
    }
    if !skipped.is_empty() {
        notes.push_str(&format!("\nNot measured:\n{}\n", skipped.join("\n")));
    }
    if !unseen.alone.is_empty() {
        notes.push_str(&format!("\nWithout a C program beside them: {}\n", unseen.alone.join(", ")));
    }
    notes
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
#[path = "report_tests.rs"]
pub(super) mod tests;

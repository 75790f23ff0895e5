//! Failing guards over time, by the line of their condition.
//!
//! In: the events of a run. Out: [`Failures`]. Reports count since the version was installed for each line, and since the counters were read before
//! in all; here both are of the time between two reports.
//! Invariant: a span of a version begins where the one before ends.

use super::kept::Kept;
use super::limits::{MOST_FAILURES, first_by};
use crate::run::Run;
use holloway_aos::event::{Event, GuardSummary, What};
use holloway_aos::input::{Arm, GuardCount};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A row's guards, by line, column, arm, the line that it leads to, and that of the trace's own arm.
type Place = (u32, u32, Option<Arm>, u32, Option<u32>);

/// The failures of guards.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Failures {
    /// By line.
    pub lines: Vec<LineFailures>,
    /// By version.
    pub reports: Vec<GuardReport>,
}

/// The failures of a line's guards between two reports.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineFailures {
    /// The function whose code it is, if the page has it.
    pub function: Option<u32>,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column; 0 if it is not known.
    pub column: u32,
    /// The arm that was taken instead of the trace's, in words.
    pub arm: Option<String>,
    /// The line that it leads to; 0 if it is not known.
    pub leads_to: u32,
    /// The line that the trace's own arm leads to, of a branch with two.
    pub instead_of: Option<u32>,
    /// The version, if the page has it.
    pub version: Option<u32>,
    /// The report before, or the installation.
    pub from: u64,
    /// The report.
    pub to: u64,
    /// Failures.
    pub failures: u64,
}

/// A report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GuardReport {
    /// The function, if the page has it.
    pub function: Option<u32>,
    /// The line of the loop.
    pub line: Option<u32>,
    /// The version, if the page has it.
    pub version: Option<u32>,
    /// The report before, or the installation.
    pub from: u64,
    /// The report.
    pub to: u64,
    /// Iterations since the counters were read before.
    pub iterations: u64,
    /// Failures among them.
    pub failures: u64,
    /// Their part.
    pub rate: f64,
    /// The part at which the version costs what it saves.
    pub break_even: f64,
}

/// A version since its last report.
#[derive(Default)]
struct SinceReport {
    time: u64,
    /// Failures of each guard, which also has its path.
    guards: HashMap<(Place, Option<u32>), u64>,
}

impl Failures {
    /// The failures of a run, and how many spans of lines more there were.
    pub(super) fn of(run: &Run, kept: &Kept) -> (Failures, usize) {
        let mut found = Failures::default();
        let mut versions: HashMap<u32, SinceReport> = HashMap::new();
        for event in &run.events {
            let Some(version) = event.subject.version else { continue };
            match &event.what {
                What::Installed(_) => versions.entry(version).or_default().time = event.time.0,
                What::GuardReport(report) => {
                    found.add(event, report, versions.entry(version).or_default(), kept);
                }
                _ => {}
            }
        }
        // The fewest failures are left out, and the reports of fewest.
        let (lines, quiet) = first_by(found.lines, MOST_FAILURES, |line| Reverse(line.failures));
        let (reports, more) = first_by(found.reports, MOST_FAILURES, |report| Reverse(report.failures));
        (Failures { lines, reports }, quiet + more)
    }

    fn add(&mut self, event: &Event, report: &GuardSummary, before: &mut SinceReport, kept: &Kept) {
        let function = kept.subject(&event.subject);
        let version = event.subject.version.and_then(|version| kept.version_of_id(version));
        let file = event.subject.loop_file().unwrap_or_default();
        let (from, to) = (before.time, event.time.0);
        // Guards of several paths of a trace are alike to who looks at lines.
        let mut alike: Vec<(Place, u64)> = Vec::new();
        for guard in &report.worst {
            let place = place(guard);
            let known = before.guards.insert((place, guard.path), guard.failures).unwrap_or(0);
            let failures = guard.failures.saturating_sub(known);
            match alike.iter_mut().find(|(other, _)| *other == place) {
                Some((_, sum)) => *sum += failures,
                None => alike.push((place, failures)),
            }
        }
        for ((line, column, arm, leads_to, instead_of), failures) in alike.into_iter().filter(|(_, sum)| *sum > 0) {
            let (file, arm) = (file.to_owned(), arm.map(Arm::words));
            self.lines.push(LineFailures {
                function,
                file,
                line,
                column,
                arm,
                leads_to,
                instead_of,
                version,
                from,
                to,
                failures,
            });
        }
        self.reports.push(GuardReport {
            function,
            line: event.subject.loop_line,
            version,
            from,
            to,
            iterations: report.iterations,
            failures: report.failures,
            rate: report.rate,
            break_even: report.break_even,
        });
        before.time = to;
    }
}

fn place(guard: &GuardCount) -> Place {
    (guard.line, guard.column, guard.arm, guard.to, guard.instead_of)
}

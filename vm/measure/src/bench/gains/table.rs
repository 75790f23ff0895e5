//! The versions of several programs with their gains, for people.
//!
//! In: [`ProgramGains`]. Out: a table, the lines about how gains agree, and these for programs. Invariant: a version
//! whose gain was not measured is shown, and counts for no agreement.

use serde_json::{Value, json};

use super::agreement::Agreement;
use super::specialized::Specialized;
use holloway_study::report::columns::{NOTHING, Table};

/// One program with its versions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::bench) struct ProgramGains<'a> {
    /// Its name.
    pub(in crate::bench) name: &'a str,
    /// The versions of one run.
    pub(in crate::bench) versions: &'a [Specialized],
    /// The part of the time of whole runs that all of them save.
    pub(in crate::bench) whole: Option<f64>,
}

/// The table of versions, with how their gains agree.
pub(in crate::bench) fn versions(programs: &[ProgramGains<'_>]) -> String {
    let percent = |part: f64| format!("{:.1}%", part * 100.0);
    let shown = |part: Option<f64>| part.map_or(NOTHING.to_owned(), percent);
    let header = ["program", "loop", "form", "expected", "measured", "from", "to", "whole run", "outcome"];
    let mut table = Table::new(header).with_text_in(1).with_text_in(2).with_text_in(8);
    for ProgramGains { name, versions, whole } in programs {
        for one in *versions {
            let gain = one.measured.map(|(gain, _)| gain);
            let (from, to) = one.measured.map(|(_, interval)| interval).unzip();
            let place = format!("{}:{}", one.function, one.line);
            let gains = [Some(one.expected), gain, from, to, *whole].map(shown);
            let words = [(*name).to_owned(), place, one.form.clone()];
            table.row(words.into_iter().chain(gains).chain([one.outcome.words().to_owned()]));
        }
    }
    let (by_turns, by_runs) = agreeing(programs);
    format!(
        "Versions of one run: the part of the loop's time that each was expected to save, that of the program's time measured by turns \
         with bounds, and that of whole runs that all of a program's together saved\n\n{}\n{}{}",
        table.render(),
        by_turns.text("expected and measured gains"),
        by_runs.text("measured gains and those of whole runs")
    )
}

/// The agreement of gains, for programs to read.
pub(in crate::bench) fn agreements(programs: &[ProgramGains<'_>]) -> Value {
    let (by_turns, by_runs) = agreeing(programs);
    json!({ "expected_measured": by_turns.json(), "measured_whole": by_runs.json() })
}

/// The agreement of expected gains with measured ones, and of measured ones with those of whole runs.
fn agreeing(programs: &[ProgramGains<'_>]) -> (Agreement, Agreement) {
    let measured = |of: &ProgramGains<'_>| -> Vec<(f64, f64, Option<f64>)> {
        let gains = of.versions.iter().filter_map(|one| Some((one.expected, one.measured?.0, of.whole)));
        gains.collect()
    };
    let all: Vec<(f64, f64, Option<f64>)> = programs.iter().flat_map(measured).collect();
    let by_turns: Vec<(f64, f64)> = all.iter().map(|(expected, gain, _)| (*expected, *gain)).collect();
    let by_runs: Vec<(f64, f64)> = all.iter().filter_map(|(_, gain, whole)| Some((*gain, (*whole)?))).collect();
    (Agreement::of(&by_turns), Agreement::of(&by_runs))
}

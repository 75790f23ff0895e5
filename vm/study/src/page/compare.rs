//! The second run beside the first: where its time went, and what was decided otherwise.
//!
//! In: both runs. Out: a [`Comparison`] in terms of the first: bands and functions that belong together have one place.
//! Invariant: times of the second run are its own, on its own clock.

use super::kept::Kept;
use super::limits::{MOST_LINES, MOST_VERSIONS};
use super::river::{Band, BandOf, River, end, whole};
use super::text::rounded;
use crate::diff::runs::{FunctionChange, Parting, RunDifference};
use crate::run::{Run, Time};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The second run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Seconds since 1970.
    pub date: u64,
    /// The strategy.
    pub policy: String,
    /// CPU time of the program's thread.
    pub cpu: f64,
    /// The end of what it shows.
    pub end: f64,
    /// Columns of time.
    pub columns: usize,
    /// Microseconds of a column.
    pub width: f64,
    /// The time of functions and loops by column.
    pub bands: Vec<GhostBand>,
    /// Functions by the difference of their own time, the greatest first.
    pub functions: Vec<ComparedFunction>,
    /// The first decision that differs.
    pub first: Option<Parting>,
    /// Versions that only the first run has, and only the second.
    pub versions: [Vec<String>; 2],
}

/// A function or loop of the second run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GhostBand {
    /// The function of the first run that it belongs to.
    pub function: u32,
    /// The line of the loop in the first run, if it is one.
    #[serde(rename = "loop")]
    pub loop_line: Option<u32>,
    /// Its time.
    pub total: f64,
    /// Columns in which there is some.
    pub at: Vec<u32>,
    /// Microseconds in each.
    pub micros: Vec<u64>,
}

/// A function in both runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedFunction {
    /// Its name; both, if it was renamed.
    pub name: String,
    /// Their relation.
    #[serde(rename = "match")]
    pub matched: crate::diff::runs::Match,
    /// Own time in both.
    pub own: [f64; 2],
    /// The function of the first run, if the page has it.
    pub function: Option<u32>,
}

impl Comparison {
    pub(super) fn of(runs: [&Run; 2], kept: &Kept) -> Comparison {
        let [first, second] = runs;
        let difference = RunDifference::between([std::slice::from_ref(first), std::slice::from_ref(second)]);
        let time = Time::of(second);
        let kept_of_second = Kept::of(second, &time);
        let river = River::of(second, &kept_of_second);
        let both = |change: &FunctionChange| Some((change.places[1]?, change.places[0]?));
        let pairs: HashMap<u32, u32> = difference.functions.iter().filter_map(both).collect();
        // From a place of the second page to one of the first, with both functions of the runs.
        let pair = |place: u32| {
            let of_second = kept_of_second.functions[place as usize];
            let of_first = *pairs.get(&of_second)?;
            Some((kept.function(of_first)?, of_first, of_second))
        };
        let head = &second.head;
        let mut bands: BTreeMap<(u32, Option<u32>), Vec<f64>> = BTreeMap::new();
        for band in &river.bands {
            let BandOf::Function { function, in_loop } = band.of else { continue };
            let Some((function, ..)) = pair(function) else { continue };
            let line = in_loop.and_then(|(place, line, _)| {
                let (_, of_first, of_second) = pair(place)?;
                let offset = line.checked_sub(second.functions[of_second as usize].line)?;
                first.functions[of_first as usize].line.checked_add(offset)
            });
            add(bands.entry((function, line)).or_insert_with(|| vec![0.0; river.columns]), band);
        }
        let functions = difference.functions.iter().map(|change| ComparedFunction {
            name: change.function.clone(),
            matched: change.matched,
            own: [0, 1].map(|side| rounded(change.own[side].median)),
            function: change.places[0].and_then(|of| kept.function(of)),
        });
        let limited = |names: &Vec<String>| names.iter().take(MOST_VERSIONS).cloned().collect();
        Comparison {
            program: head.program.clone(),
            args: head.args.clone(),
            date: head.date,
            policy: head.policy.clone(),
            cpu: rounded(second.cpu()),
            end: rounded(end(second)),
            columns: river.columns,
            width: river.width,
            bands: bands.into_iter().map(|((function, loop_line), sum)| ghost(function, loop_line, &sum)).collect(),
            functions: functions.take(MOST_LINES / 10).collect(),
            first: difference.first,
            versions: difference.versions.each_ref().map(limited),
        }
    }
}

fn add(sum: &mut [f64], band: &Band) {
    for series in &band.series {
        series.at.iter().zip(&series.micros).for_each(|(at, micros)| sum[*at as usize] += *micros as f64);
    }
}

fn ghost(function: u32, loop_line: Option<u32>, sum: &[f64]) -> GhostBand {
    let (at, micros) = whole(sum);
    GhostBand { function, loop_line, total: rounded(sum.iter().sum()), at, micros }
}

//! `diff` of recorded runs: decisions, versions and times that differ.
//!
//! In: one run or several of each side. Out: a [`RunDifference`], as text or as JSON.
//! `functions` says which function of one side is which of the other, `decisions` where the decisions part, `spread` what several runs
//! of one side say together. Invariant: lines are compared within functions, so that text before a function does not matter, and each side's
//! source is its own.

mod decisions;
mod functions;
mod spread;
mod text;

use crate::run::record::Function;
use crate::run::{Run, Spent, Time};
use functions::Matches;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub use decisions::{Decision, Parting};
pub use functions::Match;
pub use spread::Spread;
pub use text::text;

/// The difference of two sides of recorded runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunDifference {
    /// The program of each side.
    pub sides: [Side; 2],
    /// CPU time of the program's thread, in microseconds.
    pub cpu: [Spread; 2],
    /// The first decision that differs, of the first run of each side.
    pub first: Option<Parting>,
    /// Versions that only the first run of a side has, by name.
    pub versions: [Vec<String>; 2],
    /// Functions by the difference of their own time, the greatest first.
    pub functions: Vec<FunctionChange>,
    /// Lines, as functions.
    pub lines: Vec<LineChange>,
}

/// One side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// The program.
    pub program: String,
    /// The runs.
    pub runs: usize,
}

/// A function on both sides.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionChange {
    /// Its name, on the side that has it; both, where it was renamed.
    pub function: String,
    /// The relation between the sides' functions.
    #[serde(rename = "match")]
    pub matched: Match,
    /// Own time in microseconds.
    pub own: [Spread; 2],
}

/// A line on both sides.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LineChange {
    /// Its function.
    pub function: String,
    /// File and line, on each side that has the function.
    pub places: [Option<(String, u32)>; 2],
    /// Own time in microseconds.
    pub own: [Spread; 2],
}

impl RunDifference {
    /// Compares two sides, each of one run at least.
    pub fn between(sides: [&[Run]; 2]) -> RunDifference {
        let first = sides.map(|side| &side[0]);
        let matches = Matches::of(first.map(|run| run.functions.as_slice()));
        let times = sides.map(|side| side.iter().map(|run| (run, Time::of(run))).collect::<Vec<_>>());
        RunDifference {
            sides: [0, 1].map(|side| Side { program: first[side].head.program.clone(), runs: sides[side].len() }),
            cpu: sides.map(|side| Spread::of(side.iter().map(Run::cpu))),
            first: decisions::parting(first, &matches),
            versions: only(first),
            functions: functions_changed(&times, &matches),
            lines: lines_changed(&times, &matches),
        }
    }

    /// By which part the second side takes longer, and whether that is more than its runs and those of the first differ among themselves.
    pub fn slowdown(&self) -> (f64, bool) {
        let [a, b] = &self.cpu;
        (b.median / a.median.max(f64::MIN_POSITIVE) - 1.0, b.least > a.most || a.runs + b.runs == 2)
    }
}

/// For each function of the second run the one of the first that it belongs to, as an index.
pub fn counterparts(runs: [&Run; 2]) -> Vec<Option<u32>> {
    let matches = Matches::of(runs.map(|run| run.functions.as_slice()));
    let first: BTreeMap<_, u32> =
        runs[0].functions.iter().enumerate().map(|(at, function)| (matches.key(function), at as u32)).collect();
    runs[1].functions.iter().map(|function| first.get(&matches.key(function)).copied()).collect()
}

/// Versions that only one of two runs has.
fn only(runs: [&Run; 2]) -> [Vec<String>; 2] {
    let names = runs.map(|run| run.versions.iter().map(|version| version.name.as_str()).collect::<BTreeSet<_>>());
    [0, 1].map(|side| names[side].difference(&names[1 - side]).map(|name| (*name).to_owned()).collect())
}

type Timed<'a> = Vec<(&'a Run, Time)>;

fn functions_changed(times: &[Timed<'_>; 2], matches: &Matches) -> Vec<FunctionChange> {
    let own = times.each_ref().map(|side| {
        let runs = side.iter().map(|(run, time)| {
            let of =
                |found: &crate::run::FunctionTime| (matches.key(&run.functions[found.function as usize]), found.spent);
            sums(time.functions.iter().map(of))
        });
        runs.collect::<Vec<_>>()
    });
    let mut changes: Vec<FunctionChange> = keys(&own)
        .into_iter()
        .map(|key| FunctionChange {
            function: matches.name(&key),
            matched: matches.matched(&key),
            own: own.each_ref().map(|side| Spread::of(side.iter().map(|sums| sums.get(&key).copied().unwrap_or(0.0)))),
        })
        .collect();
    changes.sort_by(|x, y| changed(&y.own).total_cmp(&changed(&x.own)));
    changes
}

fn lines_changed(times: &[Timed<'_>; 2], matches: &Matches) -> Vec<LineChange> {
    let own = times.each_ref().map(|side| {
        let runs = side.iter().map(|(run, time)| {
            let of = |found: &crate::run::LineTime| {
                let function = &run.functions[found.function as usize];
                ((matches.key(function), found.line.saturating_sub(function.line)), found.spent)
            };
            sums(time.lines.iter().map(of))
        });
        runs.collect::<Vec<_>>()
    });
    let mut changes: Vec<LineChange> = keys(&own)
        .into_iter()
        .map(|(key, line)| LineChange {
            function: matches.name(&key),
            places: [0, 1].map(|side| {
                let Function { file, line: start, .. } = matches.function(side, &key)?;
                Some((file.clone(), start + line))
            }),
            own: own
                .each_ref()
                .map(|side| Spread::of(side.iter().map(|sums| sums.get(&(key.clone(), line)).copied().unwrap_or(0.0)))),
        })
        .collect();
    changes.sort_by(|x, y| changed(&y.own).total_cmp(&changed(&x.own)));
    changes
}

fn sums<K: Ord>(times: impl Iterator<Item = (K, Spent)>) -> BTreeMap<K, f64> {
    let mut sums = BTreeMap::new();
    times.for_each(|(key, spent)| *sums.entry(key).or_default() += spent.own);
    sums
}

fn keys<K: Ord + Clone>(own: &[Vec<BTreeMap<K, f64>>; 2]) -> BTreeSet<K> {
    own.iter().flatten().flat_map(|sums| sums.keys().cloned()).collect()
}

/// The difference of two sides' times, whichever is longer.
fn changed([a, b]: &[Spread; 2]) -> f64 {
    (b.median - a.median).abs()
}

#[cfg(test)]
mod tests;

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
use crate::run::{Run, Time};
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
    /// Its indices in the first run of each side.
    #[serde(skip)]
    pub places: [Option<u32>; 2],
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
        let matches = Matches::of(sides);
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

    /// The part by which the second side takes longer, and whether that is more than its runs and those of the first differ among themselves. `None`
    /// where no CPU time is known, as of runs without samples.
    pub fn slowdown(&self) -> Option<(f64, bool)> {
        let [a, b] = &self.cpu;
        let is_known = a.median > 0.0 && b.median > 0.0;
        is_known.then(|| (b.median / a.median - 1.0, b.least > a.most || a.runs + b.runs == 2))
    }
}

/// Versions that only one of two runs has.
fn only(runs: [&Run; 2]) -> [Vec<String>; 2] {
    let names = runs.map(|run| run.versions.iter().map(|version| version.name.as_str()).collect::<BTreeSet<_>>());
    [0, 1].map(|side| names[side].difference(&names[1 - side]).map(|name| (*name).to_owned()).collect())
}

type Timed<'a> = Vec<(&'a Run, Time)>;

/// Own times of a side's runs, summed by what they are of.
fn own_times<T, K: Ord>(
    side: &Timed<'_>,
    rows: impl Fn(&Time) -> &[T],
    key: impl Fn(&Run, &T) -> (K, f64),
) -> Vec<BTreeMap<K, f64>> {
    let of_run = |(run, time): &(&Run, Time)| {
        let mut sums = BTreeMap::new();
        for (key, own) in rows(time).iter().map(|row| key(run, row)) {
            *sums.entry(key).or_default() += own;
        }
        sums
    };
    side.iter().map(of_run).collect()
}

/// The spread of one sum on both sides.
fn spreads<K: Ord>(own: &[Vec<BTreeMap<K, f64>>; 2], key: &K) -> [Spread; 2] {
    own.each_ref().map(|side| Spread::of(side.iter().map(|sums| sums.get(key).copied().unwrap_or(0.0))))
}

fn functions_changed(times: &[Timed<'_>; 2], matches: &Matches) -> Vec<FunctionChange> {
    let own = [0, 1].map(|side| {
        own_times(
            &times[side],
            |time| &time.functions,
            |run, found| (matches.number(side, &run.functions[found.function as usize]), found.spent.own),
        )
    });
    let places = [0, 1].map(|side| {
        let functions = &times[side][0].0.functions;
        let number = |(at, function)| (matches.number(side, function), at as u32);
        functions.iter().enumerate().map(number).collect::<BTreeMap<_, _>>()
    });
    let mut changes: Vec<FunctionChange> = keys(&own)
        .into_iter()
        .map(|number| FunctionChange {
            function: matches.name(number),
            matched: matches.matched(number),
            places: places.each_ref().map(|places| places.get(&number).copied()),
            own: spreads(&own, &number),
        })
        .collect();
    changes.sort_by(|x, y| changed(&y.own).total_cmp(&changed(&x.own)));
    changes
}

fn lines_changed(times: &[Timed<'_>; 2], matches: &Matches) -> Vec<LineChange> {
    let own = [0, 1].map(|side| {
        own_times(
            &times[side],
            |time| &time.lines,
            |run, found| {
                let function = &run.functions[found.function as usize];
                ((matches.number(side, function), found.line.saturating_sub(function.line)), found.spent.own)
            },
        )
    });
    let mut changes: Vec<LineChange> = keys(&own)
        .into_iter()
        .map(|(number, line)| LineChange {
            function: matches.name(number),
            places: [0, 1].map(|side| {
                let Function { file, line: start, .. } = matches.function(side, number)?;
                Some((file.clone(), start.saturating_add(line)))
            }),
            own: spreads(&own, &(number, line)),
        })
        .collect();
    changes.sort_by(|x, y| changed(&y.own).total_cmp(&changed(&x.own)));
    changes
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

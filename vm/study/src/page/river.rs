//! The river: samples summed up in columns of time, for each hot function and loop, by the kind of code that ran.
//!
//! In: a run, and what of it is kept. Out: a [`River`]. A sample stands for the time since the one before, and is spread over the columns of
//! that time. Microseconds are whole; what rounding leaves goes to the next column of the same series.
//! Invariant: all columns of all bands add up to the time that was sampled, but for a microsecond a series.

use super::kept::Kept;
use super::limits::{LEAST_COLUMNS, LEAST_SHARE, MOST_BANDS, MOST_COLUMNS, SAMPLES_A_COLUMN};
use super::loops::{self, KnownLoop};
use super::text::rounded;
use crate::run::Run;
use crate::run::record::{Doing, Frame};
use serde::Serialize;
use std::collections::BTreeMap;

/// Time by column.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct River {
    /// Number of columns.
    pub columns: usize,
    /// Microseconds of a column.
    pub width: f64,
    /// Bands, the hottest function first, its loops together.
    pub bands: Vec<Band>,
}

/// A function, or a loop of one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Band {
    /// Its subject.
    #[serde(flatten)]
    pub of: BandOf,
    /// Its time.
    pub total: f64,
    /// The time by kind of code.
    pub series: Vec<Series>,
}

/// The subject of a band.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum BandOf {
    /// A function as it was compiled, with what is inlined into it; or one of its loops.
    Function {
        /// The function.
        function: u32,
        /// The loop, if it is one: the function that it stands in, and its first and last line.
        #[serde(rename = "loop")]
        in_loop: Option<(u32, u32, u32)>,
    },
    /// All other functions.
    Others,
    /// Outside of the program's code.
    Outside,
}

/// The time in code of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// The kind of code.
    pub tier: String,
    /// True iff it is what the runtime did for it.
    pub runtime: bool,
    /// Columns in which there is some, in order.
    pub at: Vec<u32>,
    /// Microseconds in each of them.
    pub micros: Vec<u64>,
}

/// The key of what adds up in one place while samples are read: indices of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Code { function: u32, in_loop: Option<KnownLoop> },
    Outside,
}

/// A place, the kind of code and whether the runtime ran.
type Key<'a> = (Place, &'a str, bool);

/// The end of the time that a page shows, in microseconds.
pub(super) fn end(run: &Run) -> f64 {
    run.end_of_time().max(1.0)
}

impl River {
    pub(super) fn of(run: &Run, kept: &Kept) -> River {
        let columns = match run.samples.len() {
            0 => 0,
            samples => (samples / SAMPLES_A_COLUMN).clamp(LEAST_COLUMNS, MOST_COLUMNS),
        };
        let width = end(run) / columns.max(1) as f64;
        let sums = sums(run, columns, width);
        let total = |columns: &[f64]| columns.iter().sum::<f64>();
        let mut by_place: BTreeMap<Place, f64> = BTreeMap::new();
        sums.iter().for_each(|((place, ..), columns)| *by_place.entry(*place).or_default() += total(columns));
        let names = names(by_place, kept);
        let mut bands: BTreeMap<&BandOf, BTreeMap<(&str, bool), Vec<f64>>> = BTreeMap::new();
        for ((place, tier, runtime), found) in &sums {
            let series = bands.entry(&names[place]).or_default().entry((*tier, *runtime));
            let sum = series.or_insert_with(|| vec![0.0; columns]);
            sum.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
        }
        let mut bands: Vec<Band> = bands.into_iter().map(|(of, series)| band(of.clone(), series)).collect();
        in_order(&mut bands);
        River { columns, width, bands }
    }
}

/// The time of each place in each column.
fn sums(run: &Run, columns: usize, width: f64) -> BTreeMap<Key<'_>, Vec<f64>> {
    let loops = loops::known(run);
    let keys: Vec<Key<'_>> = run.stacks.iter().map(|stack| key(run, &loops, stack)).collect();
    let mut sums: BTreeMap<Key<'_>, Vec<f64>> = BTreeMap::new();
    for sample in &run.samples {
        let sum = sums.entry(keys[sample.stack as usize]).or_insert_with(|| vec![0.0; columns]);
        spread(sum, width, sample.at - sample.weight, sample.at);
    }
    sums
}

fn key<'a>(run: &'a Run, loops: &[KnownLoop], stack: &crate::run::record::Stack) -> Key<'a> {
    let frames: Vec<Frame> = stack.frames.iter().map(|frame| run.frames[*frame as usize]).collect();
    let Some(first) = frames.first() else { return (Place::Outside, "outside", false) };
    let version = &run.versions[first.version as usize];
    let place = Place::Code { function: version.function, in_loop: loops::around(loops, &frames) };
    (place, version.tier.as_str(), stack.doing == Doing::Runtime)
}

/// Adds the time from one moment to another to the columns that it is in. What is outside of all is added to the nearest.
fn spread(columns: &mut [f64], width: f64, from: f64, to: f64) {
    let last = columns.len() - 1;
    let column = |time: f64| ((time / width).max(0.0) as usize).min(last);
    let (first, end) = (column(from), column(to));
    for (at, sum) in columns.iter_mut().enumerate().take(end + 1).skip(first) {
        let starts = if at == first { from } else { at as f64 * width };
        let ends = if at == end { to } else { (at + 1) as f64 * width };
        *sum += ends - starts;
    }
}

/// The band of each place: its own if it is hot, of a function that is kept.
fn names(by_place: BTreeMap<Place, f64>, kept: &Kept) -> BTreeMap<Place, BandOf> {
    let all: f64 = by_place.values().sum();
    let mut hot: Vec<(Place, f64)> = by_place.iter().map(|(place, time)| (*place, *time)).collect();
    hot.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let is_hot = |(place, time): &&(Place, f64)| *place != Place::Outside && *time >= LEAST_SHARE * all;
    let hot: Vec<Place> = hot.iter().filter(is_hot).take(MOST_BANDS).map(|(place, _)| *place).collect();
    let name = |place: Place| match place {
        Place::Outside => BandOf::Outside,
        Place::Code { function, in_loop } if hot.contains(&place) => {
            let Some(function) = kept.function(function) else { return BandOf::Others };
            let in_loop = in_loop.and_then(|found| Some((kept.function(found.function)?, found.line, found.last)));
            BandOf::Function { function, in_loop }
        }
        Place::Code { .. } => BandOf::Others,
    };
    by_place.into_keys().map(|place| (place, name(place))).collect()
}

fn band(of: BandOf, series: BTreeMap<(&str, bool), Vec<f64>>) -> Band {
    let total = series.values().flatten().sum::<f64>();
    let series = series.into_iter().map(|((tier, runtime), columns)| {
        let (at, micros) = whole(&columns);
        Series { tier: tier.to_owned(), runtime, at, micros }
    });
    Band { of, total: rounded(total), series: series.collect() }
}

/// The columns with time in them, in whole microseconds.
pub(super) fn whole(columns: &[f64]) -> (Vec<u32>, Vec<u64>) {
    let mut rest = 0.0;
    let mut found = (Vec::new(), Vec::new());
    for (at, micros) in columns.iter().enumerate() {
        let exact = micros + rest;
        let shown = exact.round().max(0.0);
        rest = exact - shown;
        if shown > 0.0 {
            found.0.push(at as u32);
            found.1.push(shown as u64);
        }
    }
    found
}

/// The hottest function first, its loops together, the greatest first; then the others, then what is outside.
fn in_order(bands: &mut [Band]) {
    let mut of_function: BTreeMap<u32, f64> = BTreeMap::new();
    for band in bands.iter() {
        if let BandOf::Function { function, .. } = band.of {
            *of_function.entry(function).or_default() += band.total;
        }
    }
    let key = |band: &Band| match band.of {
        BandOf::Function { function, .. } => (0, of_function[&function], function),
        BandOf::Others => (1, 0.0, 0),
        BandOf::Outside => (2, 0.0, 0),
    };
    bands.sort_by(|a, b| {
        let ((kind_a, time_a, function_a), (kind_b, time_b, function_b)) = (key(a), key(b));
        let by_function = kind_a.cmp(&kind_b).then(time_b.total_cmp(&time_a)).then(function_a.cmp(&function_b));
        by_function.then(b.total.total_cmp(&a.total))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_the_time_that_it_stands_for() {
        let mut columns = [0.0; 4];
        spread(&mut columns, 10.0, 5.0, 25.0);
        spread(&mut columns, 10.0, 31.0, 33.0);
        spread(&mut columns, 10.0, 38.0, 47.0);
        spread(&mut columns, 10.0, -3.0, 0.0);
        assert_eq!(columns, [8.0, 10.0, 5.0, 11.0]);
    }

    #[test]
    fn what_rounding_leaves_goes_to_the_next_column() {
        assert_eq!(whole(&[0.4, 0.4, 0.4, 0.0, 2.3]), (vec![1, 4], vec![1, 3]));
        let columns: Vec<f64> = (0..999).map(|at| f64::from(at) * 0.37).collect();
        let (_, micros) = whole(&columns);
        assert!((micros.iter().sum::<u64>() as f64 - columns.iter().sum::<f64>()).abs() <= 0.5);
    }
}
